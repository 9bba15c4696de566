// SPDX-License-Identifier: Apache-2.0

/// The rules for all groups of one kind. The rules read the days of the members, and change no learner's numbers.
package struct GroupRule: Sendable, Equatable {
    /// The kind, as `group.joined` events contain it.
    package let kind: String
    /// The number of members who must practise on a day so that the day counts for the group's streak; nil if such
    /// groups have no streak.
    package let need: GroupNeed?
    package let goals: [GroupGoal]
}

/// The number of members of a group who must practise on a day.
package enum GroupNeed: Sendable, Equatable {
    case all, any
    /// At least this number of members, from 1.
    case members(Int)

    /// The value in the spelling of the rules file.
    package var text: String {
        switch self {
        case .all: "all"
        case .any: "any"
        case .members(let count): "\(count)"
        }
    }

    /// The number of members who must practise in a group of a given size.
    package func count(of members: Int) -> Int {
        switch self {
        case .all: members
        case .any: 1
        case .members(let count): count
        }
    }
}

/// A target that the members of a group reach together, in each day or week.
package struct GroupGoal: Sendable, Equatable {
    package let id: String
    /// True for a goal of each week, false for a goal of each day.
    package let isWeekly: Bool
    package let sum: GroupSum
    /// The sum at which the goal is complete; above 0.
    package let target: Double
}

/// The column of the members' days whose values a group's goal adds up.
package enum GroupSum: String, Sendable, CaseIterable {
    case xp, minutes, lines, reviews
    case newWords = "new_words"
    case learnedWords = "learned_words"
    case activeDays = "active_days"
}
