// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

@Suite struct CorrectionTests {
    /// The test covers all types of the catalogue, present and future.
    @Test(arguments: Catalogue.types.map(\.name).filter { $0 != "event.retracted" })
    func `a discarded session leaves an administrator's events`(type: String) throws {
        let fields = Catalogue.type(named: type)!.fields.filter(\.isRequired)
        let data = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, Self.value(of: $0)) })
        let own = event(type, Self.time(2), data, language: "es", session: "s", id: "a")
        let stays = Catalogue.type(named: type)!.isAdministered
        let events: JSONValue = stays ? 1 : 0
        try Case("discarded", Self.rules, [own, Self.discarded(1)], at: Self.end, ["events": events]).check()
        let gone = [own, Self.discarded(1), Self.retracted("a", 3)]
        try Case("retracted", Self.rules, gone, at: Self.end, ["events": 1]).check()
    }

    private static func value(of field: Field) -> JSONValue {
        switch (field.constraint, field.type) {
        case (.oneOf(let names), _): .string(names[0])
        case (.numbers(let bounds), _): .array(bounds.map { .double($0.lowerBound) })
        case (_, .number): 1
        default: "2026-02-05"
        }
    }

    @Test(
        arguments: [
            (["cohort": "a"], 1), (["cohort": nil], 0), (["displayName": "A"], 0), (["vip": true], 1),
            (["vip": nil], 0),
            (["plan": "a"], 0), (["plan": "a", "leagues": false], 1),
        ] as [([String: JSONValue], Int)]
    )
    func `a discarded session leaves profiles with administered fields`(data: [String: JSONValue], left: Int) throws {
        let rules = "events: {learner.updated: {vip: boolean, plan: text}}\nadministered: [vip, leagues]"
        let own = event("learner.updated", Self.time(2), data, session: "s", id: "a")
        try Case("discarded", rules, [own, Self.discarded(1)], at: Self.end, ["events": .integer(Int64(left))]).check()
    }

    @Test(arguments: CorrectionTests.rows) func corrections(row: Case) throws { try row.check() }

    private static let rules = """
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        xp: [{id: a, on: line.spoken, award: 10}]
        """

    private static func line(_ hour: Int, id: String, session: String? = nil, source: String = "app") -> Event {
        event("line.spoken", time(hour), session: session, id: id, source: source)
    }

    private static func retracted(_ id: JSONValue, _ hour: Int, as own: String = "r", source: JSONValue = "app")
        -> Event
    {
        event("event.retracted", time(hour), ["source": source, "id": id], id: own)
    }

    private static func discarded(_ hour: Int, id: String = "d", session: String = "s") -> Event {
        event("session.discarded", time(hour), session: session, id: id)
    }

    private static func time(_ hour: Int) -> String { "2026-02-05T\(hour < 10 ? "0" : "")\(hour):00:00Z" }
    private static let end = "2026-02-05T23:00:00Z"

    static let rows: [Case] = [
        Case(
            "retracted",
            rules,
            [line(1, id: "a"), line(2, id: "b"), retracted("a", 3)],
            at: end,
            ["metrics.lines": 1, "totalXP": 10, "events": 2]
        ),
        Case(
            "retracted by an event before it",
            rules,
            [retracted("a", 1), line(2, id: "a")],
            at: end,
            ["metrics.lines": 0, "totalXP": 0, "events": 1, "currentStreak": 0]
        ),
        Case(
            "of another source",
            rules,
            [line(1, id: "a", source: "tablet"), retracted("a", 2)],
            at: end,
            ["metrics.lines": 1]
        ),
        Case(
            "a retraction is never void",
            rules,
            [line(1, id: "a"), retracted("a", 2), retracted("r", 3, as: "r2")],
            at: end,
            ["metrics.lines": 0, "events": 2]
        ),
        Case("nothing to retract", rules, [retracted("z", 1)], at: end, ["events": 1]),
        Case(
            "discarded, itself included",
            rules,
            [line(1, id: "a", session: "s"), line(2, id: "b"), discarded(3)],
            at: end,
            ["metrics.lines": 1, "events": 1]
        ),
        Case(
            "discarded before its events",
            rules,
            [discarded(1), line(2, id: "a", session: "s")],
            at: end,
            ["metrics.lines": 0, "events": 0, "totalXP": 0]
        ),
        Case(
            "another session of that name is discarded, too",
            rules,
            [
                line(1, id: "a", session: "s"), event("session.ended", time(2), session: "s", id: "x"),
                line(3, id: "b", session: "s"), discarded(4),
            ],
            at: end,
            ["metrics.lines": 0, "events": 0]
        ),
        Case(
            "a retracted discard discards nothing",
            rules,
            [line(1, id: "a", session: "s"), discarded(2), retracted("d", 3)],
            at: end,
            ["metrics.lines": 1, "events": 2]
        ),
        Case(
            "two discards, one retracted",
            rules,
            [line(1, id: "a", session: "s"), discarded(2), discarded(3, id: "d2"), retracted("d", 4)],
            at: end,
            ["metrics.lines": 0, "events": 1]
        ),
        Case(
            "a retraction within a discarded session holds",
            rules,
            [
                line(1, id: "a"), discarded(3),
                event("event.retracted", time(2), ["source": "app", "id": "a"], session: "s", id: "r"),
            ],
            at: end,
            ["metrics.lines": 0, "events": 1]
        ),
        Case(
            "not retracted yet at the instant",
            rules,
            [line(1, id: "a"), retracted("a", 3)],
            at: time(2),
            ["metrics.lines": 1, "events": 1]
        ),
        Case(
            "not discarded yet at the instant",
            rules,
            [line(1, id: "a", session: "s"), discarded(3)],
            at: time(2),
            ["metrics.lines": 1, "events": 1]
        ),
        Case(
            "a retracted word is as if it had never been",
            "",
            [event("word.added", time(1), ["word": "sol"], id: "a"), retracted("a", 2)],
            at: end,
            ["totalWordsKnown": 0]
        ),
    ]

    @Test func `a language goes with its last event`() throws {
        let story = Story(
            CorrectionTests.rules,
            [event("line.spoken", CorrectionTests.time(1), language: "es", id: "a"), CorrectionTests.retracted("a", 3)]
        )
        #expect(try story.progress(at: CorrectionTests.time(2), language: "es")?.numbers.counts.events == 1)
        #expect(try story.progress(at: CorrectionTests.end, language: "es") == nil)
        #expect(try story.progress(at: CorrectionTests.end)?.numbers.counts.events == 1)
    }

    @Test func `in every order of arrival`() throws {
        var story = Story(
            CorrectionTests.rules,
            [
                CorrectionTests.line(1, id: "a", session: "s"), CorrectionTests.line(2, id: "b"),
                CorrectionTests.discarded(3), CorrectionTests.retracted("d", 4),
                CorrectionTests.retracted("b", 5, as: "r2"),
            ]
        )
        let plan = try story.plan()
        let expected = try story.state(plan).fingerprint
        #expect(try story.progress(at: CorrectionTests.end)?.numbers.counts.events == 3)
        for order in permutations(of: story.events) {
            story.events = order
            #expect(try story.state(plan).fingerprint == expected)
        }
    }

    /// The position of corrections among the corrected events does not matter.
    @Test func `at every place in time`() throws {
        for hours in permutations(of: [1, 2, 3, 4, 5]) {
            let story = Story(
                CorrectionTests.rules,
                [
                    CorrectionTests.line(hours[0], id: "a", session: "s"), CorrectionTests.line(hours[1], id: "b"),
                    CorrectionTests.discarded(hours[2]), CorrectionTests.retracted("d", hours[3]),
                    CorrectionTests.retracted("b", hours[4], as: "r2"),
                ]
            )
            let progress = try #require(try story.progress(at: CorrectionTests.end))
            #expect((progress.numbers.counts.events, progress.numbers.xp) == (3, 10))
        }
    }

    private func permutations<T>(of elements: [T]) -> [[T]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }
}
