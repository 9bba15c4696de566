// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Repeated events of tests")
struct RepeatedEventTests {
    private func events(_ yaml: String) throws -> [String] {
        try load("version: 1\ntests: [{name: t, events: \(yaml), expect: {totalXP: 0}}]").tests[0].events.flatMap(
            \.cloudEvents
        )
    }

    @Test("An event stands for as many as it says, each later than the one before")
    func times() throws {
        let events = try events(
            """
            [{type: hint.used, time: "2026-02-28T23:59:59+01:00"},
            {type: word.added, times: 3, every: 1d, time: "2026-02-28T23:59:59+01:00", session: "s{n}", data: {word: "w{n}"}},
            {type: hint.used, time: "2026-02-28T23:59:59+01:00", data: {level: "{n}"}}]
            """
        )
        let middle = events[1...3]
        #expect(events.count == 5)
        #expect(
            events[3]
                == #"{"id":"test-4","time":"2026-03-02T23:59:59+01:00","source":"test","type":"word.added","#
                + #""subject":"learner","session":"s3","data":{"word":"w3"}}"#
        )
        #expect(middle.map { $0.contains("2026-02-28") } == [true, false, false])
        #expect(events[4].contains(#""id":"test-5""#) && events[4].contains(#"{"level":"{n}"}"#))
    }

    @Test(
        "Mistakes",
        arguments: [
            Row(
                "too often",
                "times: 10001",
                "2:53: error: `times` must be a whole number from 1 to 10000, not `10001`"
            ),
            Row("no time", "times: 2, every: soon", "2:63: error: `every` must be a time like 10s, 5m, 1h or 1d"),
            Row(
                "every of nothing",
                "every: 1d",
                "2:46: error: `every` is the time between the events of `times`: it needs that, too"
            ),
            Row(
                "one id",
                "times: 2, id: x",
                "2:60: error: with `times` an id needs `{n}` in it: no two events may have the same"
            ),
        ]
    )
    func mistakes(_ row: Row<String, String>) {
        let yaml =
            "version: 1\ntests: [{name: t, events: [{type: hint.used, \(row.input), time: T}], expect: {totalXP: 0}}]"
        #expect(complaints(yaml).map { $0.replacing("rules.yaml:", with: "") } == [row.expected])
    }
}
