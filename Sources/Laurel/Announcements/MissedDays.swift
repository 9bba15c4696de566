// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelWire

extension ProgressEngine {
    /// The maximum number of ended days to announce. A service that was stopped for longer does not announce older
    /// days.
    private static let missedDays: Int32 = 3
    /// The number of days before today to examine. Even with a weekly streak, they contain all days to announce.
    private static let walkedDays: Int32 = 21

    /// The announcements for the ended days or weeks on which a learner lost the streak or used a freeze, ascending.
    /// - Parameter added: only days and weeks that ended after this instant.
    /// - Complexity: O(days since the first active day), besides reading the state.
    package func missedDayAnnouncements(
        for id: String,
        at date: Date,
        since added: Date
    ) throws(EngineError) -> [(at: String, announcement: Announcement)] {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            let found = try withState(of: id, at: instant) { state, plan in
                let reader = ProgressReader(plan: plan)
                let added = Timestamp(milliseconds: added.milliseconds)
                guard let today = reader.localDay(of: instant, state, language: nil),
                    let addedOn = reader.localDay(of: added, state, language: nil)
                else { return [MissedDay]() }
                let first = max(addedOn, LocalDay(number: today.number - Self.missedDays))
                return reader.missedDays(state, first: first, today: today, from: today.number - Self.walkedDays)
            }
            return (found ?? []).map { ($0.last.description, $0.announcement(about: id)) }
        }
    }
}

/// A day or a week of a streak that ended without practice.
private struct MissedDay {
    /// The day, or the first day of the week.
    var day: LocalDay
    /// The day, or the last day of the week.
    var last: LocalDay
    var outcome: StreakOutcome
    var value: StreakValue

    func announcement(about learner: String) -> Announcement {
        var data: [String: JSONValue] = ["day": .string(day.description)]
        guard case .missed(let lost) = outcome else {
            data["days"] = .integer(Int64(value.current))
            data["freezes"] = .integer(Int64(value.freezes))
            return Announcement(.freezeUsed, learner: learner, data)
        }
        data["days"] = .integer(Int64(lost))
        return Announcement(.streakLost, learner: learner, data)
    }

    /// True if a freeze was used, or a streak was lost.
    var counts: Bool {
        switch outcome {
        case .freezeSpent: value.current > 0
        case .missed(let lost): lost > 0
        case .active, .restDay, .frozen, .open: false
        }
    }
}

extension ProgressReader {
    /// The days or weeks of the overall streak that ended before today without practice, ascending.
    /// - Parameters:
    ///   - first: missed days and weeks that ended before this day are left out.
    ///   - number: the ``LocalDay/number`` of the first day to examine, some weeks before `first`.
    fileprivate func missedDays(
        _ state: LearnerState,
        first: LocalDay,
        today: LocalDay,
        from number: Int32
    ) -> [MissedDay] {
        var found: [MissedDay] = []
        walkStreak(state, language: nil, to: today) { day, outcome, value in
            guard day.number >= number else { return }
            // A day or a week ends where the next begins.
            if let index = found.indices.last { found[index].last = LocalDay(number: day.number - 1) }
            found.append(MissedDay(day: day, last: day, outcome: outcome, value: value))
        }
        // The last element contains today.
        return found.dropLast().filter { $0.counts && $0.last >= first && $0.last < today }
    }
}
