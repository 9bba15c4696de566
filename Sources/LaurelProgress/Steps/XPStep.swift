// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Step 5: XP. It is computed once in the overall track, and credited in each track.
extension FoldCore {
    mutating func isInPeriod(rule: Int) -> Bool {
        if plan.xpRules[rule].period.contains(event.day) { return true }
        if let observer { observer.didSkipRule(rule: rule, frame) }
        return false
    }

    mutating func withhold(rule: Int) {
        if let observer { observer.didWithhold(rule: rule, frame) }
    }

    @inline(__always)
    mutating func award(rule index: Int, _ computed: Double) -> Double {
        let rule = plan.xpRules.baseAddress! + index
        guard rule.pointee.currency < 0 else {
            awardCurrency(rule: index, computed)
            return 0
        }
        var amount = wholeAward(computed)
        if rule.pointee.dailyCap < .infinity {
            let awarded = overall.pointee.awardedToday[index]
            amount = min(amount, max(0, rule.pointee.dailyCap - awarded))
            overall.pointee.awardedToday[index] = awarded + amount
        }
        if let observer { observer.didAward(rule: index, computed: computed, amount: amount, frame) }
        if amount > 0 { earn(amount, in: rule.pointee.bucket) }
        return amount
    }

    /// Stores the XP that a rule awards. If no expression can notice the delay, the XP is credited at the end of the
    /// stretch. Otherwise ``credit()`` credits it.
    @inline(__always)
    private mutating func earn(_ amount: Double, in bucket: Int) {
        if creditsLater {
            if later.sum + amount < mostXP / 4 { return later.add(amount, to: bucket) }
            creditNow()
        }
        earnings.add(amount, to: bucket)
    }

    /// Applies `xp.adjusted` and `xp.declared`, after the XP rules.
    mutating func adjust() {
        if case .xpAdjusted = event.kind {
            if let amount = scratch.number(.amount, columns) { earnings.add(amount, to: plan.adjustmentBucket) }
            return
        }
        guard let total = scratch.number(.total, columns) else { return }
        // The language's track is folded after the overall track, so neither track has received this event's XP.
        let xp = (languageTrack ?? overall).pointee.xp + earnings.sum
        let lacking = max(0, total - xp)
        if let observer { observer.didDeclare(total: total, lacking: lacking) }
        if lacking > 0 { earnings.add(lacking, to: plan.adjustmentBucket) }
    }

    /// Credits the event's XP to the track. Called by a step.
    @inline(__always)
    mutating func credit() {
        guard earnings.count > 0 else { return }
        creditAll(track)
        if let sharingTrack { creditAll(sharingTrack) }
    }

    /// True if the XP of a stretch's events may be credited at its end.
    @inline(__always)
    mutating func mayCreditLater(_ language: UnsafeMutablePointer<TrackValues>?) -> Bool {
        plan.sharing.creditsLater && overall.pointee.isFar(mostXP / 4)
            && (language.map { $0.pointee.isFar(mostXP / 4) } ?? true)
    }

    /// Credits the XP that was stored for the end of the stretch. From then on, XP is credited event by event.
    @inline(never)
    mutating func creditNow() {
        creditsLater = false
        guard later.sum > 0 else { return }
        bookLater(overall)
        if let languageTrack { bookLater(languageTrack) }
        later.removeAll()
    }

    private mutating func bookLater(_ track: UnsafeMutablePointer<TrackValues>) {
        later.add(to: track.pointee.xpByBucket)
        track.pointee.count(xp: later.sum, on: event.day)
        publishLevel(&track.pointee)
    }

    @inline(never)
    mutating func creditAll(_ track: UnsafeMutablePointer<TrackValues>) {
        if observer == nil, event.kind != .xpAdjusted, event.kind != .xpDeclared, track.pointee.isFar(earnings.sum) {
            track.pointee.book(earnings, on: event.day)
        } else {
            for place in 0..<earnings.count { book(&track.pointee, earnings.buckets[place], earnings.amounts[place]) }
        }
        publishLevel(&track.pointee)
    }

    mutating func credit(_ track: inout TrackValues, _ bucket: Int, _ amount: Double) {
        book(&track, bucket, amount)
        publishLevel(&track)
    }

    @inline(__always)
    private mutating func book(_ track: inout TrackValues, _ bucket: Int, _ earned: Double) {
        // A total is limited to ±2⁵³, because doubles contain all whole numbers only up to there. Totals are rarely
        // near the limit.
        let amount = track.isFar(earned) ? earned : max(-mostXP - track.xp, min(earned, mostXP - track.xp))
        guard amount != 0 else { return }
        track.xpByBucket[bucket] += amount
        track.count(xp: amount, on: event.day)
        if let observer { observer.didCredit(track.language, bucket: bucket, amount: amount) }
    }

    @inline(__always)
    private mutating func publishLevel(_ track: inout TrackValues) {
        if !track.levelRange.contains(track.xp) { republishLevel(&track) }
    }

    private mutating func republishLevel(_ track: inout TrackValues) {
        let level = plan.levels.level(of: track.xp)
        // Negative XP is also level 1, although it is less than the start of level 1.
        track.levelRange = level.start..<max(level.start, level.end)
        track.numbers[track.layout.level] = Double(level.level)
    }
}

/// Compiles an XP rule to steps.
extension XPRule {
    /// - Parameter earned: the slot of the XP that previous rules awarded for the event.
    func add(to compiler: inout StepCompiler, _ index: Int, earned: Int) {
        func addAward(to compiler: inout StepCompiler) {
            let value = compiler.number(award)
            compiler.add(Step(.award, result: earned, first: value, third: index))
        }
        func addWithCondition(to compiler: inout StepCompiler) {
            guard let when else { return addAward(to: &compiler) }
            let condition = compiler.number(when)
            compiler.add(Step(.whenOfRule, first: condition, third: index), skipping: addAward)
        }
        if period == .always {
            addWithCondition(to: &compiler)
        } else {
            compiler.add(Step(.periodOfRule, third: index), skipping: addWithCondition)
        }
    }
}

extension TrackValues {
    /// True if the total is so far from its limit that the order of additions does not matter.
    @inline(__always)
    fileprivate func isFar(_ earned: Double) -> Bool { earned.magnitude + xp.magnitude < mostXP / 2 }

    /// Adds earnings to the track. They must all be positive, and their sum must be ``isFar(_:)`` from the limit.
    fileprivate mutating func book(_ earnings: borrowing Earnings, on day: LocalDay) {
        var place = 0
        while place < earnings.count {
            xpByBucket[earnings.buckets[place]] += earnings.amounts[place]
            place &+= 1
        }
        count(xp: earnings.sum, on: day)
    }

    @inline(__always)
    fileprivate mutating func count(xp amount: Double, on day: LocalDay) {
        let slots = layout.xpSlots
        numbers[slots.total] += amount
        numbers[slots.day] += amount
        numbers[slots.week] += amount
        if currentSession != nil { numbers[slots.session] += amount }
        if let season = layout.seasonXP, windowKeys?.isInSeason == true { numbers[season] += amount }
        enterDay(day)
        today.xp += amount
        changes.insert(.xp)
    }
}

/// The largest award and the largest total. Up to 2⁵³, doubles contain all whole numbers.
private let mostXP = 0x1p53

/// The award before any cap: `computed` rounded down to a whole number from 0 to 2⁵³; 0 for null.
@inline(__always)
package func wholeAward(_ computed: Double) -> Double {
    guard computed >= 1, computed < .infinity else { return 0 }
    return computed < mostXP ? floored(computed) : mostXP
}

/// The XP of one event by bucket, in the order in which the buckets were first used.
struct Earnings: ~Copyable {
    private(set) var count = 0
    private(set) var sum = 0.0
    let buckets: UnsafeMutablePointer<Int>
    let amounts: UnsafeMutablePointer<Double>

    init(bucketCount: Int) {
        buckets = .allocate(capacity: max(1, bucketCount))
        amounts = .allocate(capacity: max(1, bucketCount))
    }

    deinit {
        buckets.deallocate()
        amounts.deallocate()
    }

    @inline(__always)
    mutating func removeAll() {
        count = 0
        sum = 0
    }

    @inline(__always)
    mutating func add(_ amount: Double, to bucket: Int) {
        sum += amount
        var place = 0
        while place < count {
            if buckets[place] == bucket {
                amounts[place] += amount
                return
            }
            place &+= 1
        }
        buckets[count] = bucket
        // Adding zero turns −0 into 0.
        amounts[count] = 0 + amount
        count &+= 1
    }
}

/// The XP by bucket that the events of a stretch earned through XP rules.
struct StretchEarnings: ~Copyable {
    private(set) var sum = 0.0
    private let amounts: UnsafeMutableBufferPointer<Double>

    init(bucketCount: Int) {
        amounts = .allocate(capacity: bucketCount)
        amounts.initialize(repeating: 0)
    }

    deinit { amounts.deallocate() }

    /// - Parameter amount: whole and above zero, so that the order of additions does not matter.
    @inline(__always)
    mutating func add(_ amount: Double, to bucket: Int) {
        sum += amount
        amounts[bucket] += amount
    }

    func add(to totals: UnsafeMutableBufferPointer<Double>) {
        for bucket in amounts.indices where amounts[bucket] > 0 { totals[bucket] += amounts[bucket] }
    }

    mutating func removeAll() {
        sum = 0
        amounts.update(repeating: 0)
    }
}
