// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// The reasons why a learner needs a teacher, as far as events show; `docs/reports.md` defines each.
struct LearnerNeeds {
    /// The reasons, the most urgent first. Lists are sorted by them.
    enum Reason: Int, CaseIterable {
        /// Practised on the same days of the week before, and not in this week.
        case away = 1
        /// Practised on at most half of the usual days.
        case behind
        /// Forgets the same words again and again.
        case stuck
        /// Practises, and lost their streak.
        case streakLost
        /// Practises again after a break.
        case back
    }

    /// Active days of the week, and of the week before.
    var days = 0
    var daysBefore = 0
    /// Active days of the week before, up to the same day.
    private var sameDaysBefore = 0
    /// Active days per week in the same part of the four weeks before; nil if the learner started later.
    var usualDays: Double?
    /// Days without practice before the week's first active day; nil without an active day in the week, or before it.
    var daysOff: Int?
    var stuckWords = 0
    var reasons: [Reason] = []

    var first: Reason? { reasons.first }

    /// The fewest days without practice that count as a break.
    private static let breakDays = 14
    /// The fewest active days a week that count as a rhythm.
    private static let rhythm = 2.0
    /// The fewest stuck words, and the fewest times each was forgotten.
    private static let (words, times) = (3, 3)

    /// - Precondition: the facts include active days and forgotten words.
    init(_ facts: LearnerFacts, _ track: TrackFacts, _ period: ReportPeriod) {
        let week = period.week.number
        let active = track.activeDays.map(\.number)
        days = active.count { week...week + 6 ~= $0 }
        daysBefore = active.count { week - 7..<week ~= $0 }
        // For an unfinished week, the same part of the weeks before is compared.
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
