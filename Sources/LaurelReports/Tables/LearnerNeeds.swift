// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// The reasons why a learner needs a teacher. The reasons are computed from events only. `docs/reports.md` defines each
/// reason.
struct LearnerNeeds {
    /// The reasons, the most urgent one first. Lists of learners are sorted in this order.
    enum Reason: Int, CaseIterable {
        /// The learner practised on the same days of the previous week, but has not practised in this week.
        case away = 1
        /// The learner practised on at most half as many days as usual.
        case behind
        /// The learner forgets the same words again and again.
        case stuck
        /// The learner practises, but has lost a streak.
        case streakLost
        /// The learner practises again after a break.
        case back
    }

    /// The number of active days in the week, and in the previous week.
    var days = 0
    var daysBefore = 0
    /// The number of active days in the previous week, up to the same day of the week.
    private var sameDaysBefore = 0
    /// The mean number of active days per week in the four previous weeks, counting only the same days of the week; nil
    /// if the learner started later.
    var usualDays: Double?
    /// The number of days without practice before the week's first active day; nil if the week has no active day, or if
    /// there was no active day before.
    var daysOff: Int?
    var stuckWords = 0
    var reasons: [Reason] = []

    var first: Reason? { reasons.first }

    /// The minimum number of days without practice that count as a break.
    private static let breakDays = 14
    /// The minimum number of active days per week that count as a habit.
    private static let rhythm = 2.0
    /// The minimum number of stuck words, and the number of times that the learner must have forgotten each of them.
    private static let (words, times) = (3, 3)

    /// - Precondition: the facts include the active days and the forgotten words.
    init(_ facts: LearnerFacts, _ track: TrackFacts, _ period: ReportPeriod) {
        let week = period.week.number
        let active = track.activeDays.map(\.number)
        days = active.count { week...week + 6 ~= $0 }
        daysBefore = active.count { week - 7..<week ~= $0 }
        // If the week has not ended, only the same days of the previous weeks are compared.
        let reached = facts.today.number - week
        sameDaysBefore = active.count { week - 7..<week ~= $0 && $0 - week + 7 <= reached }
        if let begun = active.first, begun <= week - 28 {
            let same = active.count { week - 28..<week ~= $0 && ($0 - week + 28) % 7 <= reached }
            usualDays = Double(same) / 4
        }
        if let first = active.first(where: { $0 >= week }), first <= week + 6,
            let last = active.last(where: { $0 < week })
        {
            daysOff = Int(first - last) - 1
        }
        let language = track.projection.language
        stuckWords = facts.forgottenWords.count {
            (language == nil || $0.language == language) && $0.forgotten >= LearnerNeeds.times && !$0.isRecalled
        }
        reasons = Reason.allCases.filter { holds($0, streak: track.projection.numbers.currentStreak) }
    }

    private func holds(_ reason: Reason, streak: Int) -> Bool {
        switch reason {
        case .away: sameDaysBefore > 0 && days == 0
        case .behind: usualDays.map { $0 >= LearnerNeeds.rhythm && 2 * Double(days) <= $0 } ?? false
        case .stuck: stuckWords >= LearnerNeeds.words
        case .streakLost: daysBefore > 0 && days > 0 && streak == 0
        case .back: daysOff.map { $0 >= LearnerNeeds.breakDays } ?? false
        }
    }
}
