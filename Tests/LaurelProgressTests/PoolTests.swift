// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

/// Goals that are drawn from a pool, and goals of seasons.
@Suite struct PoolTests {
    @Test(arguments: seasons) func goalsOfSeasons(row: Case) throws { try row.check() }

    /// The hash as the documentation defines it, written again.
    private static func hash(_ text: String) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for unit in text.utf16 {
            hash ^= UInt32(unit)
            hash = hash &* 16_777_619
        }
        return hash
    }

    private static func drawn(_ window: String, _ count: Int) -> [String] {
        let ids = (0..<6).map { "g\($0)" }
        let order = ids.sorted { hash("\(hash("ana/\(window)/\($0)"))") < hash("\(hash("ana/\(window)/\($1)"))") }
        return order.prefix(count).sorted()
    }

    private static func rules(_ every: String, calendar: String = "") -> String {
        let goals = (0..<6).map { "{id: g\($0), every: \(every), pool: q, value: total.lines, target: 1, xp: 1}" }
        return calendar + "metrics: {lines: {count: line.spoken}}\npools: {q: {draw: 2}}\n"
            + "goals: [\(goals.joined(separator: ", ")), {id: always, every: day, value: total.lines, target: 1}]"
    }

    private static func listed(_ story: Story, at: String) throws -> [String] {
        try #require(try story.progress(at: at)?.goals).map(\.id).filter { $0 != "always" }
    }

    @Test(
        arguments: [
            ("day", "", "2026-02-09"), ("week", "", "2026-W07"),
            ("week", "calendar: {week_starts_on: sunday}\n", "2026-02-08"),
            ("season", "seasons: [{name: winter, from: 2026-02-01, through: 2026-02-28}]\n", "winter"),
        ]
    )
    func drawsTheSmallestHashes(every: String, head: String, window: String) throws {
        let story = Story(Self.rules(every, calendar: head), [event("line.spoken", "2026-02-09T10:00:00Z")])
        let drawn = Self.drawn(window, 2)
        #expect(try Self.listed(story, at: "2026-02-09T12:00:00Z") == drawn)
        let progress = try #require(try story.progress(at: "2026-02-09T12:00:00Z"))
        #expect(progress.goals?.filter { $0.times == 1 }.map(\.id) == drawn + ["always"])
        #expect(progress.numbers.xp == 2)
    }

    @Test func drawsAnewEachDay() throws {
        let days = (9...15).map { $0 < 10 ? "2026-02-0\($0)" : "2026-02-\($0)" }
        let story = Story(Self.rules("day"), days.map { event("line.spoken", "\($0)T10:00:00Z") })
        for day in days { #expect(try Self.listed(story, at: "\(day)T12:00:00Z") == Self.drawn(day, 2), "\(day)") }
        let all = try #require(try story.progress(at: "2026-02-15T12:00:00Z"))
        #expect(all.numbers.xp == 14)
        let plan = try story.plan()
        let fingerprint = try story.state(plan).fingerprint
        #expect(try story.state(plan, saves: true).fingerprint == fingerprint, "state saved after every event")
    }

    private static func line(_ time: String) -> Event { event("line.spoken", "2026-\(time)T10:00:00Z") }

    private static let seasonal = """
        seasons: [{name: winter, from: 2026-02-01, through: 2026-02-10}, {name: spring, from: 2026-02-12, through: 2026-02-20}]
        metrics: {lines: {count: line.spoken}}
        goals: [{id: g, every: season, value: season.lines, target: 2, xp: 5}]
        """

    static let seasons = [
        Case(
            "once in each season",
            seasonal,
            [line("02-01"), line("02-02"), line("02-03"), line("02-12"), line("02-13")],
            at: "2026-02-13T12:00:00Z",
            ["goals.g.times": 2, "goals.g.completedAt": "2026-02-13T10:00:00.000Z", "totalXP": 10]
        ),
        Case(
            "a new season begins at zero",
            seasonal,
            [line("02-01"), line("02-02")],
            at: "2026-02-13T12:00:00Z",
            ["goals.g.value": 0, "goals.g.times": 1, "goals.g.completedAt": .null]
        ),
        Case("not listed outside seasons", seasonal, [line("02-01")], at: "2026-02-11T12:00:00Z", ["goals": []]),
        Case(
            "reads the season's name",
            "seasons: [{name: winter, from: 2026-02-01, through: 2026-02-10}]\n"
                + "goals: [{id: g, every: day, value: \"season.name == 'winter' ? 7 : 0\", target: 9}]",
            [],
            at: "2026-02-05T12:00:00Z",
            ["goals.g.value": 7]
        ),
    ]
}
