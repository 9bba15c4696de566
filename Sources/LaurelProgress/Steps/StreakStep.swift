// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Step 4: decides whether the day is active.
extension FoldCore {
    /// Decides whether the day is active. Called by a step. An active day stays active, even if the condition is false
    /// later that day.
    @inline(__always)
    mutating func judge() {
        if observer != nil { notifyWillJudgeDay(track) }
        if track.pointee.activeDay?.number != event.day.number { evaluateDay(track) }
    }

    @inline(never)
    private mutating func notifyWillJudgeDay(_ track: UnsafeMutablePointer<TrackValues>) {
        observer?.willJudgeDay(track.pointee.language, frame)
    }

    @inline(never)
    private mutating func evaluateDay(_ track: UnsafeMutablePointer<TrackValues>) {
        guard let isActive = plan.isActive, evaluate(isActive) == 1 else { return }
        activate(&track.pointee)
        // Both tracks have equal values in everything that the condition reads.
        if let sharingTrack { activate(&sharingTrack.pointee) }
    }

    private mutating func activate(_ track: inout TrackValues) {
        markActive(event.day, &track)
        track.activeDay = event.day
        publishStreak(&track)
    }

    /// Evaluates an expression in the frame of the running steps. The result is NaN for null.
    mutating func evaluate(_ expression: ExpressionSteps) -> Double {
        let memory = scratch.memory
        run(expression.steps, memory, &self)
        return memory.numbers[expression.result]
    }

    mutating func applyStreakCorrection(_ track: inout TrackValues) {
        switch event.kind {
        case .streakFrozen: if let date = date(.date) { freeze(date...date, &track) }
        case .streakPaused:
            guard let from = date(.from), let through = date(.through), from <= through,
                through.number - from.number < FoldCore.longestPause
            else { return }
            freeze(from...through, &track)
        case .freezeGranted: grantFreezes(Int(scratch.integer(.count, columns) ?? 1), &track)
        default: if let date = date(.date), date <= event.day { markActive(date, &track) }
        }
    }

    /// The maximum length of a pause, in days.
    private static let longestPause = 366

    private mutating func date(_ role: FieldRole) -> LocalDay? {
        scratch.text(role, columns).flatMap { LocalDay(parsing: $0) }
    }

    private mutating func freeze(_ days: ClosedRange<LocalDay>, _ track: inout TrackValues) {
        track.streak.freeze(days, plan.streakTerms)
        track.publishedStreakDay = nil
    }

    /// Grants freezes on the event's local day.
    mutating func grantFreezes(_ count: Int, _ track: inout TrackValues) {
        guard count > 0 else { return }
        track.streak.grant(count, on: event.day, plan.streakTerms)
        track.publishedStreakDay = nil
    }

    /// Marks a day as active. A version without a streak also records the day, because a later version may have a
    /// streak.
    private mutating func markActive(_ day: LocalDay, _ track: inout TrackValues) {
        guard !track.streak.active.contains(day) else { return }
        track.streak.markActive(day, plan.streakTerms)
        track.publishedStreakDay = nil
        guard plan.hasStreak else { return }
        track.enterDay(day)
        track.today.isActive = true
    }

    mutating func publishStreak(_ track: inout TrackValues) {
        guard plan.hasStreak, track.publishedStreakDay?.number != event.day.number else { return }
        track.publishedStreakDay = event.day
        let value = track.streak.value(at: event.day, plan.streakTerms)
        track.numbers[track.layout.currentStreak] = Double(value.current)
        track.numbers[track.layout.longestStreak] = Double(value.longest)
        track.publishDaysSinceActive(on: event.day)
        track.changes.insert(.streak)
    }
}

extension TrackValues {
    /// Makes `streak.days_since_active` readable on a local day, if an expression reads it.
    mutating func publishDaysSinceActive(on day: LocalDay) {
        guard let slot = layout.daysSinceActive else { return }
        numbers[slot] = streak.daysSinceActive(on: day)
    }
}

extension Streak {
    /// The number of days from the latest earlier active day to a day; NaN if there is no earlier active day.
    func daysSinceActive(on day: LocalDay) -> Double {
        active.last(before: day).map { Double(day.number - $0.number) } ?? .nan
    }
}
