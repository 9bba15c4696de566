// SPDX-License-Identifier: Apache-2.0

/// The rules for all groups of one kind. They read the days of the members, and change no learner's numbers.
package struct GroupRule: Sendable, Equatable {
    /// The kind that `group.joined` events name.
    package let kind: String
    /// The members who must practise for a day to count for the group's streak; nil if such groups have no streak.
    package let need: GroupNeed?
    package let goals: [GroupGoal]
}

/// The members of a group who must practise on a day.
package enum GroupNeed: Sendable, Equatable {
    case all, any
    /// At least this number of members, from 1.
    case members(Int)

    /// The value as it is in the file.
    package var text: String {
        switch self {
        case .all: "all"
        case .any: "any"
        case .members(let count): "\(count)"
        }
    }

    /// The number of members who must practise, for a number of members.
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

/// The column of the members' days that a group's goal adds up.
package enum GroupSum: String, Sendable, CaseIterable {
    case xp, minutes, lines, reviews
    case newWords = "new_words"
    case learnedWords = "learned_words"
    case activeDays = "active_days"
}
