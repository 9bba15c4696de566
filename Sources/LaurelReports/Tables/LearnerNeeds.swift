// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// Why a learner needs their teacher, as far as their events tell; `docs/reports.md` defines each.
struct LearnerNeeds {
    /// The more pressing first: what a list is sorted by.
    enum Reason: Int, CaseIterable {
        /// Practised in the week before, and not in this one.
        case away = 1
        /// Half their usual days, or fewer.
        case behind
        /// Forgets the same words again and again.
        case stuck
        /// Practises, and lost their streak.
        case streakLost
        /// Practises again after a break.
        case back
    }

    /// Of the week, and of the one before.
    var days = 0
    var daysBefore = 0
    /// Active days in the same part of the four weeks before, a week; nil where the learner was not there for so long.
    var usualDays: Double?
    /// Days without practice before the first active one of the week; nil where there is none, or nothing before it.
    var daysOff: Int?
    var stuckWords = 0
    var reasons: [Reason] = []

    var first: Reason? { reasons.first }

    /// From so many days without practice on it was a break.
    private static let breakDays = 14
    /// Whoever comes more rarely has no rhythm to fall behind.
    private static let rhythm = 2.0
    /// So many words, each forgotten so many times.
    private static let (words, times) = (3, 3)

    /// - Precondition: Active days and forgotten words were gathered.
    init(_ facts: LearnerFacts, _ track: TrackFacts, _ period: ReportPeriod) {
        let week = period.week.number
        let active = track.activeDays.map(\.number)
        days = active.count { week...week + 6 ~= $0 }
        daysBefore = active.count { week - 7..<week ~= $0 }
        // Of a week that is not over, the same part of those before.
        let reached = facts.today.number - week
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
        case .away: daysBefore > 0 && days == 0
        case .behind: usualDays.map { $0 >= LearnerNeeds.rhythm && 2 * Double(days) <= $0 } ?? false
        case .stuck: stuckWords >= LearnerNeeds.words
        case .streakLost: daysBefore > 0 && days > 0 && streak == 0
        case .back: daysOff.map { $0 >= LearnerNeeds.breakDays } ?? false
        }
    }
}
