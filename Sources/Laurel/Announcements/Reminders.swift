// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelStore
import LaurelWire

/// The hours of reminders to practise.
package enum ReminderHour {
    /// The hours of the wall clock in which a message may be sent. From 21:00 to 8:00 no message is sent.
    package static let hours = 8...20
    /// The number of active days from which the usual hour is computed.
    fileprivate static let days = 14

    /// The hour for a message. An hour in the quiet time is replaced by the nearest allowed hour.
    fileprivate static func audible(_ hour: Int) -> Int {
        if hours.contains(hour) { return hour }
        return (3...7).contains(hour) ? hours.lowerBound : hours.upperBound
    }
}

extension ProgressEngine {
    /// The hour of the wall clock at which a learner should be reminded on a local day. It is the median of the hours
    /// at which practice began on the last 14 active days. An hour in the quiet time is replaced by the nearest allowed
    /// hour. The result is nil on a rest day, during a pause, on a frozen day, and for a learner without active days.
    /// - Complexity: O(events since the first of those days).
    package func reminderHour(of id: String, at date: Date) throws(EngineError) -> Int? {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            let days: Set<LocalDay>? = try withState(of: id, at: instant) { state, plan in
                let reader = ProgressReader(plan: plan)
                guard let week = reader.week(of: instant, state, language: nil) else { return [] }
                guard !reader.isExcused(state, on: week.today) else { return [] }
                return Set(week.days.filter(\.isPractised).suffix(ReminderHour.days).map(\.day))
            }
            guard let days, let first = days.min() else { return nil }
            let hours = try firstPractice(on: days, since: first, of: id).values.map(\.hour).sorted()
            return hours.isEmpty ? nil : ReminderHour.audible(hours[(hours.count - 1) / 2])
        }
    }

    /// For each of the given days, the local time of the first practice.
    private func firstPractice(
        on days: Set<LocalDay>,
        since first: LocalDay,
        of id: String
    ) throws -> [LocalDay: LocalTime] {
        let bookkeeping = Catalogue.types.filter(\.isBookkeeping).map(\.name)
        // A local day begins at most two days before midnight in UTC.
        let since = Int64(first.number - 2) * 86_400_000
        return try store.read { reader in
            guard let learner = try reader.learner(named: Array(id.utf8)) else { return [:] }
            var clock = try plan(for: reader).clock
            var found: [LocalDay: (at: Int64, time: LocalTime)] = [:]
            for run in try reader.events(of: learner.id, since: since, fields: .none) {
                let table = run.table
                let left = Set(table.types(named: bookkeeping))
                for row in run.rows where !left.contains(table.type[row]) {
                    let (at, time) = (table.milliseconds[row], clock.localTime(of: row, in: table))
                    guard days.contains(time.day), found[time.day].map({ at < $0.at }) ?? true else { continue }
                    found[time.day] = (at, time)
                }
            }
            return found.mapValues(\.time)
        }
    }

    /// The announcement that reminds a learner to practise.
    package func reminder(for learner: WatchedLearner, hour: Int) -> Announcement {
        let days = learner.isStreakAlive ? learner.streak : 0
        return Announcement(
            .reminderDue,
            learner: learner.id,
            ["days": .integer(Int64(days)), "hour": .integer(Int64(hour))]
        )
    }

    /// The announcement with the numbers of the previous week; nil if the learner did not practise in that week.
    package func recap(of id: String, at date: Date) throws(EngineError) -> Announcement? {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            let found = try withState(of: id, at: instant) { state, plan in
                ProgressReader(plan: plan).week(of: instant, state, language: nil)
            }
            guard let found = found ?? nil else { return nil }
            let first = LocalDay(number: found.start.number - 7)
            let last = LocalDay(number: found.start.number - 1)
            let days = found.days.filter { first <= $0.day && $0.day <= last && $0.isPractised }
            guard !days.isEmpty else { return nil }
            func sum(_ number: (DayProjection) -> Int) -> JSONValue {
                .integer(Int64(days.reduce(0) { $0 + number($1) }))
            }
            let milliseconds = days.reduce(0) { $0 + $1.practiceMilliseconds }
            return Announcement(
                .recapDue,
                learner: id,
                [
                    "activeDays": .integer(Int64(days.count)), "from": .string(first.description),
                    "through": .string(last.description), "minutes": .integer(milliseconds / 60_000),
                    "xp": .integer(Int64(Int(whole: days.reduce(0) { $0 + $1.xp }))), "lines": sum(\.lines),
                    "reviews": sum(\.reviews), "newWords": sum(\.newWords), "learnedWords": sum(\.learnedWords),
                ]
            )
        }
    }
}

extension DayProjection {
    /// True if the day counts for a streak, or has lines, reviews or practice time.
    fileprivate var isPractised: Bool { isActive || lines + reviews > 0 || practiceMilliseconds > 0 }
}

extension ProgressReader {
    /// True if missing the day has no effect. This is so on a rest day, in a pause, and on a day of a `streak.frozen`
    /// event.
    fileprivate func isExcused(_ state: LearnerState, on day: LocalDay) -> Bool {
        var latest: StreakOutcome?
        walkStreak(state, language: nil, to: LocalDay(number: day.number + 1)) { visited, outcome, _ in
            if visited <= day { latest = outcome }
        }
        return latest == .restDay || latest == .frozen
    }
}
