// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import SeededRandom
import Testing

@Suite struct PlausibilityTests {
    private static let rules = """
        plausible: {line.spoken: {at_most: 2, per: minute}}
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        xp: [{id: a, on: line.spoken, award: 10}]
        """
    private static let day = "2026-02-05T"
    private static let end = "2026-02-05T23:00:00Z"

    private static func line(
        _ time: String,
        _ id: String,
        language: String? = nil,
        session: String? = nil,
        source: String = "app"
    ) -> Event {
        event("line.spoken", "\(day)\(time)Z", language: language, session: session, id: id, source: source)
    }

    private static func naming(_ type: String, _ id: String, _ time: String, as own: String, source: JSONValue = "app")
        -> Event
    {
        event(type, "\(day)\(time)Z", ["source": source, "id": .string(id)], id: own)
    }

    private static func cleared(_ id: String, _ time: String = "12:00:00", as own: String = "c") -> Event {
        naming("flag.cleared", id, time, as: own)
    }

    /// Three events within a minute.
    private static let three = [line("10:00:00", "a"), line("10:00:30", "b"), line("10:00:59.999", "c3")]

    @Test(arguments: PlausibilityTests.rows) func flags(row: Case) throws { try row.check() }

    static let rows: [Case] = [
        Case(
            "a flagged event counts for the learner",
            rules,
            three,
            at: end,
            [
                "flaggedEvents": 1, "flaggedXP": 10, "totalXP": 30, "weeklyXP": 30, "metrics.lines": 3,
                "currentStreak": 1,
            ]
        ),
        Case(
            "the span leaves out its beginning",
            rules,
            [line("10:00:00", "a"), line("10:00:30", "b"), line("10:01:00", "c")],
            at: end,
            ["flaggedEvents": 0, "flaggedXP": 0]
        ),
        Case(
            "flagged events count in the spans of others",
            rules,
            three + [line("10:01:20", "d"), line("10:01:59.999", "e")],
            at: end,
            ["flaggedEvents": 2]
        ),
        Case(
            "at one time, the order decides",
            rules,
            [line("10:00:00", "a"), line("10:00:00", "b"), line("10:00:00", "c", language: "es")],
            at: end,
            language: "es",
            ["flaggedEvents": 1, "flaggedXP": 10]
        ),
        Case(
            "languages count together",
            rules,
            [
                line("10:00:00", "a", language: "es"), line("10:00:01", "b", language: "de"),
                line("10:00:02", "c", language: "es"),
            ],
            at: end,
            language: "de",
            ["flaggedEvents": 0]
        ),
        Case(
            "a retracted event is not in the span",
            rules,
            three + [naming("event.retracted", "a", "11:00:00", as: "r")],
            at: end,
            ["flaggedEvents": 0, "totalXP": 20]
        ),
        Case(
            "an event of a discarded session is not in the span",
            rules,
            [
                line("10:00:00", "a", session: "s"), line("10:00:01", "b"), line("10:00:02", "c"),
                event("session.discarded", "\(day)11:00:00Z", session: "s", id: "d"),
            ],
            at: end,
            ["flaggedEvents": 0]
        ),
        Case("a cleared flag", rules, three + [cleared("c3")], at: end, ["flaggedEvents": 0, "flaggedXP": 0]),
        Case(
            "a flag cleared by an event before it",
            rules,
            three + [cleared("c3", "09:00:00")],
            at: end,
            ["flaggedEvents": 0]
        ),
        Case("a flag not cleared yet", rules, three + [cleared("c3")], at: "\(day)11:00:00Z", ["flaggedEvents": 1]),
        Case(
            "a cleared event counts in the spans of others",
            rules,
            three + [line("10:01:20", "d"), cleared("c3")],
            at: end,
            ["flaggedEvents": 1, "flaggedXP": 10]
        ),
        Case(
            "a retracted clearance clears nothing",
            rules,
            three + [cleared("c3"), naming("event.retracted", "c", "13:00:00", as: "r")],
            at: end,
            ["flaggedEvents": 1]
        ),
        Case(
            "a clearance for another source clears nothing",
            rules,
            three + [naming("flag.cleared", "c3", "12:00:00", as: "x", source: "tablet")],
            at: end,
            ["flaggedEvents": 1]
        ),
        Case(
            "a limit of 0 flags every event",
            "plausible: {line.spoken: {at_most: 0, per: second}}\nxp: [{id: a, on: line.spoken, award: 10}]",
            three,
            at: end,
            ["flaggedEvents": 3, "flaggedXP": 30]
        ),
        Case("rules without limits", "xp: [{id: a, on: line.spoken, award: 10}]", three, at: end, ["totalXP": 30]),
        Case(
            "all XP at a flagged event is flagged",
            """
            plausible: {line.spoken: {at_most: 2, per: minute}}
            metrics: {lines: {count: line.spoken}}
            xp: [{id: a, on: line.spoken, award: 10}]
            achievements: [{id: talker, value: total.lines, at_least: 3, xp: 100}]
            goals: [{id: three, every: day, value: day.lines, target: 3, xp: 1000}]
            """,
            three,
            at: end,
            ["flaggedXP": 1110, "totalXP": 1130]
        ),
        Case(
            "XP that an event takes away is flagged, too",
            "plausible: {xp.adjusted: {at_most: 1, per: day}}",
            [
                event("xp.adjusted", "\(day)10:00:00Z", ["amount": 50]),
                event("xp.adjusted", "\(day)11:00:00Z", ["amount": -20]),
            ],
            at: end,
            ["flaggedEvents": 1, "flaggedXP": -20, "totalXP": 30]
        ),
    ]

    @Test func `progress says nothing of flags under rules without limits`() throws {
        let story = Story("xp: [{id: a, on: line.spoken, award: 10}]", Self.three)
        let progress = LearnerProgress(try #require(try story.progress(at: Self.end)))
        #expect(progress.flaggedEvents == nil && progress.flaggedXP == nil)
    }

    /// The limit is not a whole divisor of the number of remembered events, so the list is cut in between.
    @Test(arguments: [UInt64(1), 2, 3]) func `random times`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...5, using: &random)
        let rules = """
            plausible: {line.spoken: {at_most: \(limit), per: minute}}
            xp: [{id: a, on: line.spoken, award: 1}]
            """
        let times = (0..<300).map { _ in Int64.random(in: 0..<1_500_000, using: &random) }.sorted()
        let events = times.enumerated().map { index, time in
            Event(
                id: "e\(1000 + index)",
                source: "app",
                type: "line.spoken",
                subject: "ana",
                time: Timestamp(milliseconds: 1_770_000_000_000 + time)
            )
        }
        let expected = times.indices.filter { index in
            times[...index].count(where: { $0 > times[index] - 60_000 }) > limit
        }
        let story = Story(rules, events.shuffled(using: &random))
        let plan = try story.plan()
        let state = try story.state(plan)
        let end = Timestamp(milliseconds: 1_770_002_000_000)
        let progress = try #require(ProgressReader(plan: plan).progress(state, subject: "ana", at: end))
        #expect(progress.numbers.flaggedEvents == expected.count, "seed \(seed)")
        #expect(progress.numbers.flaggedXP == Double(expected.count), "seed \(seed)")
        #expect(try story.state(plan, saves: true).encoded() == state.encoded(), "seed \(seed)")
    }
}
