// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Limits of what a person can do")
struct PlausibleRulesTests {
    @Test(
        "Mistakes",
        arguments: [
            Row(
                "an unknown type",
                "{line.spokn: {at_most: 40, per: minute}}",
                "2:13: error: unknown event type `line.spokn`; did you mean `line.spoken`? An app's own types are declared under `events:`"
            ),
            Row(
                "an unknown span",
                "{line.spoken: {at_most: 40, per: minut}}",
                "2:45: error: `per` cannot be `minut`; did you mean `minute`?"
            ),
            Row(
                "a week",
                "{line.spoken: {at_most: 40, per: century}}",
                "2:45: error: `per` cannot be `century`; it is one of second, minute, hour, day"
            ),
            Row(
                "a fraction",
                "{line.spoken: {at_most: 0.5, per: minute}}",
                "2:36: error: `at_most` must be a whole number from 0 to 10000, not `0.5`"
            ),
            Row("no span", "{line.spoken: {at_most: 40}}", "2:26: error: a limit needs `per`"),
            Row(
                "an unknown key",
                "{line.spoken: {at_mst: 40, per: minute}}",
                "2:27: error: unknown key `at_mst` in a limit; did you mean `at_most`?"
            ),
        ]
    )
    func mistakes(_ row: Row<String, String>) {
        let found = LaurelRulesTests.complaints("version: 1\nplausible: \(row.input)")
        #expect(found == ["rules.yaml:\(row.expected)"])
    }

    @Test("An app's own type may have a limit")
    func declaredType() throws {
        let yaml = "version: 1\nevents: {quest.done: {}}\nplausible: {quest.done: {at_most: 0, per: day}}"
        #expect(LaurelRulesTests.complaints(yaml) == [], "the limit uses the type")
        let rules = try load(yaml)
        #expect(rules.plausible.map(\.type) == ["quest.done"])
        #expect(rules.plausible[0].atMost == 0 && rules.plausible[0].span == .day)
    }

    @Test("Changes are listed, and the order of limits has no effect")
    func comparison() throws {
        let old = try load("version: 1\nplausible: {line.spoken: {at_most: 40, per: minute}}")
        let new = try load(
            "version: 1\nplausible: {review.graded: {at_most: 9, per: second}, line.spoken: {at_most: 30, per: hour}}"
        )
        #expect(
            RulesComparison(old, new).changes.map(\.description) == [
                "limit of `line.spoken`: `at_most` lowered from 40 to 30",
                "limit of `line.spoken`: `per` was minute, is hour",
                "limit of `review.graded` is new: at most 9 per second",
            ]
        )
        let swapped = try load(
            "version: 1\nplausible: {line.spoken: {at_most: 30, per: hour}, review.graded: {at_most: 9, per: second}}"
        )
        #expect(RulesComparison(new, swapped).impact == .listings && swapped.foldedContent == new.foldedContent)
    }

    @Test("Rules without limits keep their content")
    func content() throws {
        let empty = try load("version: 1\nplausible: {}")
        #expect(try load("version: 1").foldedContent == empty.foldedContent)
    }

    @Test("A limit is a part that can be removed")
    func part() throws {
        let rules = try load("version: 1\nplausible: {line.spoken: {at_most: 40, per: minute}}")
        let part = try #require(rules.parts.first)
        #expect(part.phrase == "the limit of `line.spoken`")
        #expect(rules.without(part.kind).plausible.isEmpty)
    }
}
