// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// What steps ask of the fold beside days, XP and achievements.
extension FoldCore: StepHost {
    @inline(never)
    mutating func perform(_ deed: Int) {
        let track = track
        switch Deed(rawValue: deed) {
        case .takeProfile: takeProfile()
        case .practise: practise()
        case .borrow: borrowFromStart(&track.pointee)
        case .countOthers: countOthers(&track.pointee)
        case .mend: mend(&track.pointee)
        case .publishStreak: publishStreak(&track.pointee)
        case .adjust: adjust()
        case .closeSession: closeSession(&track.pointee)
        case nil: break
        }
    }

    private mutating func takeProfile() {
        if let name = scratch.string(.displayName, columns) { learner.profile.displayName = name }
        if let language = scratch.string(.nativeLanguage, columns) { learner.profile.nativeLanguage = language }
        if let minutes = scratch.integer(.dailyGoalMinutes, columns) { learner.profile.dailyGoalMinutes = Int(minutes) }
        if let cohort = scratch.string(.cohort, columns) { learner.profile.cohort = cohort }
    }

    /// Step 3: what a metric keeps beside numbers.
    @inline(never)
    mutating func maximise(_ step: UnsafePointer<Step>) {
        let value = scratch.memory.numbers[Int(step.pointee.first)]
        guard !value.isNaN else { return }
        let slots = plan.metrics[Int(step.pointee.third)].slots.all(event.session != 0)
        track.pointee.maximise(slots, value)
        sharingTrack?.pointee.maximise(slots, value)
    }

    @inline(never)
    mutating func countByKey(_ step: UnsafePointer<Step>, _ key: UnsafeBufferPointer<UInt8>) {
        let amount = scratch.memory.numbers[Int(step.pointee.first)]
        guard !amount.isNaN else { return }
        let metric = plan.metrics.baseAddress! + Int(step.pointee.third)
        track.pointee.count(metric, key, amount, isInSession: event.session != 0)
        sharingTrack?.pointee.count(metric, key, amount, isInSession: event.session != 0)
    }
}

extension TrackValues {
    fileprivate mutating func maximise(_ slots: UnsafeBufferPointer<Int>, _ value: Double) {
        for slot in slots {
            if !hasValue[slot] || value > numbers[slot] { numbers[slot] = value + 0 }
            hasValue[slot] = true
        }
    }

    fileprivate mutating func count(
        _ metric: UnsafePointer<MetricPlan>,
        _ key: UnsafeBufferPointer<UInt8>,
        _ amount: Double,
        isInSession: Bool
    ) {
        let place = metric.pointee.keyedPlace
        for slot in metric.pointee.slots.all(isInSession) {
            let window = slot / layout.stride
            if case .distinct = metric.pointee.aggregate {
                if keyed[window][place].insert(key) { numbers[slot] += 1 }
            } else {
                numbers[slot] = keyed[window][place].add(amount, to: key, largest: numbers[slot])
            }
        }
    }
}
