// SPDX-License-Identifier: Apache-2.0

/// A weekly league. Its results become events of the learners, so the rules of a league change no number by themselves.
package struct LeagueRule: Sendable, Equatable {
    package let name: String
    /// The tiers, the lowest first.
    package let tiers: [String]
    /// The maximum number of learners in a room, from 1.
    package let size: Int
    /// The number of ranks in each room that are promoted.
    package let promote: Int
    /// The number of ranks in each room that are demoted. They are the last ranks.
    package let demote: Int
    /// The time from the end of the week's last local day at UTC−12 to the settlement, in milliseconds.
    package let settleAfter: Int64
    /// True if late events may improve a settled result until a later week is settled. False if settled results are
    /// final.
    package let promotesLate: Bool

    /// The value of `late` in the spelling of the rules file.
    package var late: String { Self.lateChoices[promotesLate ? 1 : 0] }

    static let lateChoices = ["final", "promote-only"]
}

extension LeagueRule {
    /// Puts the competitors of a tier into rooms. The order is the order of a hash, so it shows nothing about the
    /// learners.
    /// - Parameters:
    ///   - learners: the ids of the competitors.
    ///   - week: the name of the week.
    /// - Returns: the rooms in the order of their numbers, each with indexes of `learners`. All rooms have as many
    ///   learners, or one more.
    /// - Complexity: O(n log n).
    package func rooms(of learners: [String], in tier: String, week: String) -> [[Int]] {
        let count = (learners.count + size - 1) / size
        guard count > 0 else { return [] }
        let order = inOrder(learners, in: tier, week: week)
        let (length, longer) = order.count.quotientAndRemainder(dividingBy: count)
        return (0..<count).map { room in
            let start = room * length + min(room, longer)
            return Array(order[start..<start + length + (room < longer ? 1 : 0)])
        }
    }

    /// The indexes of the ids, in the order in which learners are put into the rooms of a tier.
    package func inOrder(_ learners: [String], in tier: String, week: String) -> [Int] {
        learners.map { GoalPool.hash("\(week)/\(tier)/\($0)") }.enumerated()
            .sorted { one, other in
                if one.element != other.element { return one.element < other.element }
                return learners[one.offset].utf8.lexicographicallyPrecedes(learners[other.offset].utf8)
            }
            .map(\.offset)
    }

    /// The tier after a result of a competitor.
    /// - Parameters:
    ///   - rank: the rank in the room, from 1.
    ///   - count: the number of learners in the room.
    package func outcome(ofRank rank: Int, of count: Int, in tier: Int) -> LeagueOutcome {
        if rank <= promote { return tier < tiers.count - 1 ? .promoted : .stayed }
        return rank > count - demote && tier > 0 ? .demoted : .stayed
    }

    /// The tier for the next week.
    package func next(after tier: Int, _ outcome: LeagueOutcome) -> String { tiers[tier + outcome.rawValue] }
}

/// The result of a week in a league. The raw value is the step to the next tier.
package enum LeagueOutcome: Int, Sendable, Comparable, CaseIterable {
    case demoted = -1
    case stayed, promoted

    /// The value in the spelling of `league.finished` events.
    package var name: String {
        switch self {
        case .demoted: "demoted"
        case .stayed: "stayed"
        case .promoted: "promoted"
        }
    }

    package static func < (one: LeagueOutcome, other: LeagueOutcome) -> Bool { one.rawValue < other.rawValue }
}

extension RuleSet {
    /// The league of a name; nil if the rules have none.
    package func league(_ name: String) -> LeagueRule? { leagues.first { $0.name == name } }
}
