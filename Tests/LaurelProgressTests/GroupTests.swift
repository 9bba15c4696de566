// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules
import Testing

@testable import LaurelProgress

/// The streaks and goals of groups.
@Suite struct GroupTests {
    /// A member of the group `g` under the rules of a test. The learner's days are written as numbers of February 2026.
    struct Learner: Sendable {
        let id: String
        /// The spans of membership: the first day, and the day of leaving; 0 for a member.
        let spans: [(Int, Int)]
        let active: [Int]
        var today = 10
        var xp: [Int: Double] = [:]
        var milliseconds: [Int: Int64] = [:]
        var kind: (String, Int64)? = ("k", 1)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rules = "k: {streak: {need: all}}"
        let learners: [Learner]
        /// The number of the group's day in February.
        var day = 10
        /// The current and the longest streak; nil without a streak.
        var streak: [Int]?
        /// For each goal, its value and the members' shares.
        var goals: [[Double]] = []
        var kind: String? = "k"
    }

    private static func date(_ day: Int) -> LocalDay { LocalDay(year: 2026, month: 2, day: day) }

    private static let both = [
        Learner(id: "ana", spans: [(1, 0)], active: [3, 4, 5, 8, 9]),
        Learner(id: "ben", spans: [(2, 0)], active: [3, 4, 5, 7, 8, 9, 10]),
    ]

    private static func pair(_ ana: [Int], _ ben: [Int], today: [Int] = [10, 10]) -> [Learner] {
        [
            Learner(id: "ana", spans: [(1, 0)], active: ana, today: today[0]),
            Learner(id: "ben", spans: [(1, 0)], active: ben, today: today[1]),
        ]
    }

    static let streaks = [
        Row(testDescription: "all: the day is not over", learners: both, streak: [2, 3]),
        Row(testDescription: "all: the day counts", learners: pair([9, 10], [9, 10]), streak: [2, 2]),
        Row(
            testDescription: "any",
            rules: "k: {streak: {need: any}}",
            learners: pair([6, 9], [7, 10]),
            streak: [2, 2]
        ),
        Row(testDescription: "a number", rules: "k: {streak: {need: 1}}", learners: pair([9], [8]), streak: [2, 2]),
        Row(
            testDescription: "a number that the group does not reach",
            rules: "k: {streak: {need: 3}}",
            learners: both,
            streak: [0, 0]
        ),
        Row(testDescription: "a missed day breaks", learners: pair([6, 7, 9], [6, 7]), streak: [0, 2]),
        Row(
            testDescription: "not while a member's day still runs",
            learners: pair([8, 9], [8], today: [10, 9]),
            day: 9,
            streak: [1, 1]
        ),
        Row(
            testDescription: "a later day that counts is the group's day",
            rules: "k: {streak: {need: any}}",
            learners: pair([8, 9, 10], [8], today: [10, 9]),
            streak: [3, 3]
        ),
        Row(
            testDescription: "a later day that counts makes the day before a missed one",
            rules: "k: {streak: {need: any}}",
            learners: pair([8, 10], [8], today: [10, 9]),
            streak: [1, 1]
        ),
        Row(
            testDescription: "days alone neither break nor extend",
            learners: [
                Learner(id: "ana", spans: [(1, 0)], active: [1, 2, 3, 4, 5, 7, 9]),
                Learner(id: "ben", spans: [(2, 5), (9, 0)], active: [2, 3, 4, 9]),
            ],
            streak: [4, 4]
        ),
        Row(
            testDescription: "without present members: the day of a learner without events",
            learners: [
                Learner(id: "ana", spans: [(1, 5)], active: [1, 2, 3, 4, 5], today: 4),
                Learner(id: "ben", spans: [(1, 5)], active: [3, 4, 5], today: 4),
            ],
            streak: [2, 2]
        ),
        Row(
            testDescription: "overlapping spans of one member",
            learners: [
                Learner(id: "ana", spans: [(1, 7), (6, 0)], active: [6, 8, 9]),
                Learner(id: "ben", spans: [(8, 0)], active: [8, 9]),
            ],
            streak: [2, 2]
        ),
        Row(
            testDescription: "one member only",
            learners: [Learner(id: "ana", spans: [(1, 0)], active: [8, 9, 10])],
            streak: [0, 0]
        ),
        Row(testDescription: "no streak in the rules", rules: "other: {streak: {need: all}}", learners: both),
        Row(
            testDescription: "no kind",
            learners: [Learner(id: "ana", spans: [(1, 0)], active: [10], kind: nil)],
            kind: nil
        ),
        Row(
            testDescription: "the latest kind, of former members, too",
            learners: [
                Learner(id: "ana", spans: [(1, 0)], active: [], kind: ("team", 1)),
                Learner(id: "ben", spans: [(1, 2)], active: [], kind: ("k", 3)),
                Learner(id: "cy", spans: [(1, 0)], active: [], kind: ("team", 2)),
            ],
            streak: [0, 0]
        ),
    ]

    private static let workers = [
        Learner(id: "ben", spans: [(1, 0)], active: [9], xp: [1: 7, 8: 70, 9: 20], milliseconds: [9: 90_000]),
        Learner(id: "ana", spans: [(9, 0)], active: [8, 9, 10], xp: [8: 100, 10: 5], milliseconds: [10: 90_000]),
        Learner(id: "old", spans: [(1, 10)], active: [9, 10], xp: [9: 1, 10: 1000], milliseconds: [9: 59_999]),
    ]

    static let goals = [
        Row(
            testDescription: "XP of a week, over the days of membership",
            rules: "k: {goals: [{id: a, every: week, sum: xp, target: 26}]}",
            learners: workers,
            goals: [[26, 5, 20]]
        ),
        Row(
            testDescription: "XP of a day",
            rules: "k: {goals: [{id: a, every: day, sum: xp, target: 6}]}",
            learners: workers,
            goals: [[5, 5, 0]]
        ),
        Row(
            testDescription: "minutes, rounded down once for the group",
            rules: "k: {goals: [{id: a, every: week, sum: minutes, target: 4}]}",
            learners: workers,
            goals: [[3, 1, 1]]
        ),
        Row(
            testDescription: "active days",
            rules: "k: {goals: [{id: a, every: week, sum: active_days, target: 4}]}",
            learners: workers,
            goals: [[4, 2, 1]]
        ),
        Row(
            testDescription: "a day of a member whose clock is ahead",
            rules: "k: {goals: [{id: a, every: week, sum: xp, target: 1}]}",
            learners: [
                Learner(id: "ana", spans: [(1, 0)], active: [], today: 9, xp: [9: 1]),
                Learner(id: "ben", spans: [(1, 0)], active: [], xp: [10: 2, 15: 4, 16: 8]),
            ],
            day: 9,
            goals: [[7, 1, 6]]
        ),
    ]

    private func member(_ learner: Learner) -> GroupMember {
        var membership = Memberships.Membership(group: Array("g".utf8))
        membership.kind = learner.kind.map { Memberships.Kind(name: Array($0.0.utf8), namedAt: $0.1) }
        membership.spans = learner.spans.map { first, end in
            Memberships.Span(first: Self.date(first), end: end == 0 ? nil : Self.date(end))
        }
        var active = DaySet()
        for number in learner.active { active.insert(Self.date(number)) }
        let days = Set(learner.xp.keys).union(learner.milliseconds.keys).sorted().map { number in
            var row = DayProjection(day: Self.date(number))
            row.xp = learner.xp[number] ?? 0
            row.practiceMilliseconds = learner.milliseconds[number] ?? 0
            return row
        }
        return GroupMember(id: learner.id, membership, today: Self.date(learner.today), active: active, days: days)
    }

    @Test(arguments: streaks + goals) func `a group's streak and goals`(row: Row) throws {
        let plan = try Story("groups:\n  \(row.rules)", []).plan()
        let instant = try Timestamp("2026-02-10T12:00:00Z")
        for learners in [row.learners, row.learners.reversed()] {
            let reading = ProgressReader(plan: plan).reading(of: learners.map(member), at: instant)
            #expect(reading.day == Self.date(row.day))
            #expect(reading.kind == row.kind)
            #expect(reading.streak.map { [$0.current, $0.longest] } == row.streak)
            #expect(reading.goals.map { [$0.value] + $0.shares } == row.goals)
            let present = row.learners.filter { $0.spans.contains { $0.1 == 0 } }.map(\.id)
            #expect(reading.members.map(\.id) == present.sorted())
        }
    }

    @Test(arguments: [(25.0, true), (26, true), (26.5, false)]) func `a goal is complete at its target`(
        target: Double,
        isComplete: Bool
    ) throws {
        let rules = "groups: {k: {goals: [{id: a, every: week, sum: xp, target: \(target)}]}}"
        let reading = ProgressReader(plan: try Story(rules, []).plan())
            .reading(of: Self.workers.map(member), at: try Timestamp("2026-02-10T12:00:00Z"))
        #expect(reading.goals.map(\.isComplete) == [isComplete])
        #expect(reading.goals.map(\.window) == ["2026-W07"])
    }

    /// The streak goes by the rules of each day, and goals by those of the group's day.
    @Test func `under several versions of the rules`() throws {
        func rules(_ groups: String) throws -> RuleSet {
            try RuleSet(yaml: Array("version: 1\ngroups: \(groups)".utf8), file: "rules.yaml") { _ in true }
        }
        let goal = "goals: [{id: a, every: week, sum: xp, target: 1}]"
        let plan = FoldPlan(versions: [
            (try rules("{k: {streak: {need: any}, \(goal)}}"), nil), (try rules("{}"), Self.date(6)),
            (try rules("{k: {streak: {need: all}}}"), Self.date(8)),
        ])
        let group = Self.pair([3, 4, 5, 8, 9], [8]).map(member)
        let reader = ProgressReader(plan: plan)
        let reading = reader.reading(of: group, at: try Timestamp("2026-02-10T12:00:00Z"))
        // Any of both on 3 to 5; 6 and 7 are without the streak; both on 8; not both on 9.
        #expect(reading.streak.map { [$0.current, $0.longest] } == [0, 4])
        #expect(reading.goals.isEmpty)
        let early = Self.pair([3, 4, 5], [3], today: [5, 5]).map(member)
        let before = reader.reading(of: early, at: try Timestamp("2026-02-05T12:00:00Z"))
        #expect(before.streak.map { [$0.current, $0.longest] } == [3, 3] && before.goals.map(\.rule.id) == ["a"])
    }
}
