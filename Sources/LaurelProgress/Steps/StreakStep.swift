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
        guard let date = scratch.text(.date, columns).flatMap({ LocalDay(parsing: $0) }) else { return }
        if case .streakFrozen = event.kind {
            track.streak.freeze(date, plan.streakTerms)
            track.publishedStreakDay = nil
        } else if date <= event.day {
            markActive(date, &track)
        }
    }

    /// Marks a day as active. Under a version without a streak, the day is recorded for a later version with a streak.
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
    /// Publishes `streak.days_since_active` on a local day, if an expression reads it.
    mutating func publishDaysSinceActive(on day: LocalDay) {
        guard let slot = layout.daysSinceActive else { return }
        numbers[slot] = streak.active.last(before: day).map { Double(day.number - $0.number) } ?? .nan
    }
}
