// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
package import LaurelWire

/// A learner's numbers and local time, for announcements that no event causes.
package struct WatchedLearner: Sendable {
    package let id: String
    /// The numbers as of the latest practice.
    private let numbers: TrackNumbers
    /// The local day.
    package let today: LocalDay
    /// The first day of the present week.
    package let week: LocalDay
    /// The hour on the wall clock.
    package let hour: Int
    /// The minutes of the wall clock since the local day began. A day without a change of the clock has 1440.
    package let minute: Int
    /// The local day of the latest practice; nil without practice.
    package let lastPractice: LocalDay?
    /// The minutes after midnight at which local days begin.
    private let dayStart: Int

    /// True if the learner practised on the local day, or has sent practice of a later day.
    package var hasPractisedToday: Bool { lastPractice.map { $0 >= today } ?? false }
    /// The streak as of the latest practice.
    package var streak: Int { numbers.currentStreak }
    /// The last day on which practice continues the streak; nil without a streak.
    package var streakEnds: LocalDay? { numbers.streakEnds }
    /// True if the streak ends at the end of the local day unless the learner practises.
    package var isStreakAtRisk: Bool { numbers.isAtRisk(on: today) }
    /// True if the learner can still continue the streak.
    package var isStreakAlive: Bool {
        numbers.currentStreak > 0 && numbers.streakEnds.map { $0 >= today } ?? true
    }

    /// The value of ``minute`` at which an hour of the wall clock begins.
    package func start(ofHour hour: Int) -> Int { (hour * 60 - dayStart + 1440) % 1440 }
}

extension ProgressEngine {
    /// Visits every learner, in byte order of the ids.
    /// - Complexity: O(learners) if the store's progress is valid under the rules.
    package func forEachWatchedLearner(at date: Date, _ body: (WatchedLearner) throws -> Void) throws {
        let (plan, instant) = (plan, Timestamp(milliseconds: date.milliseconds))
        // Each clock is reused, because it caches time zones.
        var clocks = plan.versions.map(\.clock)
        try forEachOverview { record in
            let clock = TrackClock(record.numbers.timezone)
            let version = clock.version(at: record.lastEventAt.map { Timestamp(milliseconds: $0) } ?? instant, in: plan)
            try body(WatchedLearner(record, clock, version, &clocks[version.index], at: instant))
        }
    }
}

extension WatchedLearner {
    fileprivate init(
        _ record: OverviewRecord,
        _ track: TrackClock,
        _ version: VersionPlan,
        _ clock: inout LocalClock,
        at instant: Timestamp
    ) {
        id = String(decoding: record.learner.subject, as: UTF8.self)
        numbers = record.numbers
        let now = track.localTime(of: instant, &clock)
        today = now.day
        week = now.day.weekStart(firstWeekday: version.rules.calendar.weekStartsOn)
        hour = now.hour
        dayStart = Int(clock.dayStart / 60_000)
        minute = (now.hour * 60 + now.minute - dayStart + 1440) % 1440
        lastPractice = record.numbers.lastPracticeAt.map {
            track.localTime(of: Timestamp(milliseconds: $0), &clock).day
        }
    }
}
