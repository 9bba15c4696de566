// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelStore
import LaurelWire

/// A learner who needs a teacher's attention, with the most urgent reason.
struct LearnerNeed: Sendable {
    /// The reasons, the most urgent one first.
    enum Reason: String, CaseIterable, Sendable {
        /// A streak of some days ends tonight.
        case streakEnds = "streak"
        /// The learner practised on fewer days of this week than on the same days of the week before.
        case practisesLess = "less"
        /// The learner has not practised for one to four weeks. The list of learners counts longer absences, too.
        case stopped
        /// The learner is known, and has never practised.
        case neverBegan = "new"

        var title: PageText {
            switch self {
            case .streakEnds: "The streak ends tonight"
            case .practisesLess: "Practises less"
            case .stopped: "Stopped recently"
            case .neverBegan: "Has not begun"
            }
        }

        /// The advice to the teacher.
        var advice: PageText {
            switch self {
            case .streakEnds: "Remind the learner to practise today."
            case .practisesLess: "Look at the latest sessions for what became hard."
            case .stopped: "Ask what keeps the learner away, and agree on a small goal."
            case .neverBegan: "Check whether the learner can sign in to the app."
            }
        }
    }

    let member: ClassMember
    let reason: Reason
    /// The time since which the reason exists; nil if it is unknown.
    let since: Date?

    /// The shortest streak whose end is reported. A shorter one is soon regained.
    private static let leastStreak = 3
    /// The longest absence that is reported, in seconds. Learners who left long ago would hide the others.
    private static let longestAbsence = 28 * 86_400.0
    private static let week = 7 * 86_400.0
    /// The least decrease that is reported, in days of practice. This week is compared with the same days of the week
    /// before.
    private static let fewerDays = 3

    /// - Returns: nil for a learner who needs no attention.
    init?(_ member: ClassMember, at date: Date) {
        self.member = member
        guard let last = member.lastPracticeAt else {
            (reason, since) = (.neverBegan, member.lastEventAt)
            return
        }
        let absence = date.timeIntervalSince(last)
        if member.isAtRisk, member.streak >= Self.leastStreak {
            (reason, since) = (.streakEnds, last)
        } else if absence >= Self.week, absence < Self.longestAbsence {
            (reason, since) = (.stopped, last)
        } else if absence < Self.week, member.daysPractisedBefore - member.daysPractised >= Self.fewerDays {
            (reason, since) = (.practisesLess, last)
        } else {
            return nil
        }
    }

    /// The reason with the learner's own numbers.
    var sentence: PageText {
        switch reason {
        case .streakEnds:
            "A streak of \(member.streak, "day") ends tonight without practice."
        case .practisesLess:
            "Practised on \(member.daysPractised, "day") of this week, "
                + "and on \(member.daysPractisedBefore) of the same days of the week before."
        case .stopped:
            "Has not practised since then."
        case .neverBegan: "Is known to the app, and has never practised."
        }
    }

    /// The learners who need attention, the most urgent reason first. Within a reason, the longest streak or the latest
    /// practice comes first.
    static func all(_ members: some Sequence<ClassMember>, at date: Date) -> [LearnerNeed] {
        let needs = Dictionary(grouping: members.lazy.compactMap { LearnerNeed($0, at: date) }, by: \.reason)
        return Reason.allCases.flatMap { (needs[$0] ?? []).sorted { $0.weight > $1.weight } }
    }

    private var weight: Double {
        reason == .streakEnds ? Double(member.streak) : since?.timeIntervalSince1970 ?? 0
    }
}

extension ClassMember {
    /// True if the learner practised on a day of this week or of the week before.
    func practised(on day: LocalDay) -> Bool {
        let place = Int(day.number - week.number) + 7
        return days.indices.contains(place) && days[place].isPractised
    }

    /// True if at least one day of the span counts for the learner's streak. Only days of this week and of the week
    /// before are known.
    func isActive(in span: ClosedRange<LocalDay>) -> Bool {
        days.enumerated().contains { place, day in
            day.isActive && span.contains(LocalDay(number: week.number + Int32(place) - 7))
        }
    }

    /// The number of days of this week, and of the same days of the week before, on which the learner practised.
    var daysPractised: Int { days.dropFirst(7).count(where: \.isPractised) }
    var daysPractisedBefore: Int { days.prefix(daysOfWeek).count(where: \.isPractised) }
}
