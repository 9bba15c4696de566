// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

/// The differences between two rule sets, and which of them provably have no effect.
@Suite struct ComparisonTests {
    static let rules = """
        version: 1
        name: base
        calendar: {default_timezone: UTC, day_starts_at: "00:00", week_starts_on: monday}
        events:
          quest.finished: {difficulty: number, solo: boolean}
        metrics:
          lines: {count: line.spoken}
          clean: {run: line.spoken, while: event.accuracy >= 0.9}
          unread: {sum: "default(event.errors, 0)", on: line.spoken, where: local.hour < 6}
          partners: {count: session.ended, by: event.partner}
        streak:
          when: day.lines >= 1
          freezes: {earn_every: 7, hold: 2}
          rest_days: [sunday]
        xp:
          - {id: line, bucket: talk, on: line.spoken, award: 10, daily_cap: 500}
          - {id: night, on: line.spoken, when: local.hour < 6, award: earned / 2}
        levels: {xp_for: 50 * n * (n - 1)}
        mastery: {scheduler: fsrs, learned_at: 3, desired_retention: 0.9, mastery_days: [1, 7, 21, 60, 180]}
        cefr:
          score: words.learned
          bands: {A1: 0, A2: 500, B1: 1000, B2: 2000, C1: 4000, C2: 8000}
        achievements:
          - {id: talker, name: Talker, description: Lines, category: SOCIAL, value: total.lines, at_least: [10, 100]}
          - {id: social, value: total.partners, at_least: 3, xp: 50, when: level >= 2}
          - {id: both, value: total.lines, at_least: 1, requires: [talker, social]}
          - {id: pure, value: total.clean, at_least: 5, scope: language, hidden: true}
        tests:
          - name: one line
            events: [{type: line.spoken, time: "2026-02-05T18:00:00Z"}]
            expect: {totalXP: 10}

        """

    static func replaced(_ old: String, _ new: String) throws -> RuleSet {
        try #require(rules.contains(old), "\(old)")
        return try load(rules.replacing(old, with: new))
    }

    struct Edit: Sendable {
        let old: String
        let new: String
    }

    /// Edits with the expected sentence.
    static let edits: [Row<Edit, String>] = [
        Row("an award", Edit(old: "award: 10,", new: "award: 12,"), "XP rule `line`: `award` was `10`, is `12`"),
        Row(
            "a cap",
            Edit(old: "daily_cap: 500", new: "daily_cap: 50"),
            "XP rule `line`: `daily_cap` lowered from 500 to 50"
        ),
        Row(
            "a cap gone",
            Edit(old: ", daily_cap: 500", new: ""),
            "XP rule `line`: `daily_cap` is no longer set, was 500"
        ),
        Row(
            "a condition",
            Edit(old: "award: 10,", new: "award: 10, when: level > 1,"),
            "XP rule `line`: `when` is now set, `level > 1`"
        ),
        Row(
            "a bucket",
            Edit(old: "bucket: talk", new: "bucket: speak"),
            "XP rule `line`: `bucket` was talk, is speak: no effect, only the XP's name in the breakdown differs"
        ),
        Row(
            "a threshold",
            Edit(old: "at_least: 3,", new: "at_least: 5,"),
            "achievement `social`: `at_least` raised from 3 to 5"
        ),
        Row(
            "tiers",
            Edit(old: "[10, 100]", new: "[10, 50, 100]"),
            "achievement `talker`: `at_least` was 10, 100, is 10, 50, 100"
        ),
        Row("a reward", Edit(old: "xp: 50", new: "xp: 60"), "achievement `social`: `xp` raised from 50 to 60"),
        Row(
            "requirements",
            Edit(old: "[talker, social]", new: "talker"),
            "achievement `both`: `requires` was talker, social, is talker"
        ),
        Row("a scope", Edit(old: "scope: language, ", new: ""), "achievement `pure`: `scope` was language, is overall"),
        Row(
            "a name",
            Edit(old: "name: Talker", new: "name: Voice"),
            "achievement `talker`: `name` was “Talker”, is “Voice”: no effect, nothing is computed from it"
        ),
        Row(
            "hidden",
            Edit(old: ", hidden: true", new: ""),
            "achievement `pure`: `hidden` was true, is false: no effect, only what is listed differs"
        ),
        Row(
            "a level formula",
            Edit(old: "50 * n * (n - 1)", new: "60 * n * (n - 1)"),
            "level 2 starts at 120 XP instead of 100"
        ),
        Row(
            "a level table",
            Edit(old: "xp_for: 50 * n * (n - 1)", new: "table: [0, 100, 300]"),
            "level 4, from 600 XP, and those after it are gone"
        ),
        Row(
            "the level formula, rewritten",
            Edit(old: "50 * n * (n - 1)", new: "50*n*(n-1)"),
            "levels: `xp_for` is written differently and means the same"
        ),
        Row(
            "equal levels, computed otherwise",
            Edit(old: "50 * n * (n - 1)", new: "(n - 1) * n * 50"),
            "levels: `xp_for` was `50 * n * (n - 1)`, is `(n - 1) * n * 50`: no effect, the first 10,000 levels start where they did"
        ),
        Row(
            "a time zone",
            Edit(old: "timezone: UTC", new: "timezone: Europe/Berlin"),
            "calendar: `default_timezone` was UTC, is Europe/Berlin"
        ),
        Row(
            "the day's start",
            Edit(old: #""00:00""#, new: #""04:30""#),
            "calendar: `day_starts_at` was 00:00, is 04:30"
        ),
        Row(
            "the week's start",
            Edit(old: "monday}", new: "sunday}"),
            "calendar: `week_starts_on` was monday, is sunday"
        ),
        Row(
            "a field's type",
            Edit(old: "solo: boolean", new: "solo: text"),
            "event type `quest.finished`: `fields` was difficulty number, solo boolean, is difficulty number, solo text"
        ),
        Row(
            "a metric's expression",
            Edit(old: ">= 0.9", new: ">= 0.8"),
            "metric `clean`: `while` was `event.accuracy >= 0.9`, is `event.accuracy >= 0.8`"
        ),
        Row(
            "a metric's types",
            Edit(old: "lines: {count: line.spoken}", new: "lines: {count: [line.spoken, line.skipped]}"),
            "metric `lines`: `on` was line.spoken, is line.spoken, line.skipped"
        ),
        Row(
            "a metric nobody reads",
            Edit(old: "local.hour < 6}\n  partners", new: "local.hour < 7}\n  partners"),
            "metric `unread`: `where` was `local.hour < 6`, is `local.hour < 7`: no effect, nothing reads the metric"
        ),
        Row(
            "a key",
            Edit(old: "by: event.partner", new: "by: event.mode"),
            "metric `partners`: `by` was `event.partner`, is `event.mode`"
        ),
        Row("freezes", Edit(old: "earn_every: 7", new: "earn_every: 5"), "streak: `earn_every` lowered from 7 to 5"),
        Row(
            "rest days",
            Edit(old: "[sunday]", new: "[saturday, sunday]"),
            "streak: `rest_days` was sunday, is saturday, sunday"
        ),
        Row(
            "retention",
            Edit(old: "retention: 0.9", new: "retention: 0.95"),
            "mastery: `desired_retention` raised from 0.9 to 0.95"
        ),
        Row("a band", Edit(old: "A2: 500", new: "A2: 400"), "CEFR estimate: `A2` lowered from 500 to 400"),
        Row(
            "the tests",
            Edit(old: "name: one line", new: "name: a line"),
            "the tests differ: no effect, nothing is computed from it"
        ),
        Row(
            "the file's name",
            Edit(old: "name: base", new: "name: other"),
            "the rules: `name` was “base”, is “other”: no effect, nothing is computed from it"
        ),
        Row(
            "blanks",
            Edit(old: "earned / 2", new: "(earned) /2.0"),
            "XP rule `night`: `award` is written differently and means the same"
        ),
        Row("a comment", Edit(old: "streak:\n", new: "# days\nstreak:\n"), ""),
        Row(
            "a rule without effect",
            Edit(old: "xp:\n", new: "xp:\n  - {id: nothing, on: line.spoken, award: 0}\n"),
            "XP rule `nothing` is new: `0` on line.spoken: no effect, it awards nothing"
        ),
        Row(
            "one out of reach",
            Edit(
                old: "achievements:\n",
                new: "achievements:\n  - {id: no, value: total.lines, at_least: 1, when: false}\n"
            ),
            "achievement `no` is new: `total.lines` at least 1: no effect, out of reach: its `when` never holds"
        ),
    ]

    @Test(arguments: edits) func `one edit, one sentence`(row: Row<Edit, String>) throws {
        let changed = try Self.replaced(row.input.old, row.input.new)
        let comparison = RulesComparison(try load(Self.rules), changed)
        #expect(comparison.changes.map(\.description).joined(separator: "\n") == row.expected)
    }

    @Test func `what is new, gone and moved`() throws {
        let old = try load(Self.rules)
        let new = try load(
            Self.rules.replacing("  lines: {count: line.spoken}\n", with: "")
                .replacing("total.lines", with: "total.clean").replacing("day.lines", with: "day.clean")
                .replacing("metrics:\n", with: "metrics:\n  hints: {count: hint.used}\n")
        )
        let sentences = RulesComparison(old, new).changes.filter { $0.part == .metric }.map(\.description)
        #expect(
            sentences == [
                "metric `lines` is gone",
                "metric `hints` is new: count on hint.used: no effect, nothing reads the metric",
            ]
        )
        let swapped = try load(
            "version: 1\nxp:\n- {id: b, on: line.spoken, award: earned}\n- {id: a, on: line.spoken, award: 1}\n"
        )
        let straight = try load(
            "version: 1\nxp:\n- {id: a, on: line.spoken, award: 1}\n- {id: b, on: line.spoken, award: earned}\n"
        )
        #expect(RulesComparison(swapped, straight).changes.map(\.description) == ["XP rules in another order"])
        #expect(swapped.foldedContent != straight.foldedContent)
    }

    @Test func `requirements out of reach are told`() throws {
        let old = try load("version: 1\nlevels: {table: [0, 10]}\n")
        let new = try load(
            """
            version: 1
            levels: {table: [0, 10]}
            metrics: {lines: {count: line.spoken}}
            achievements:
              - {id: high, value: level, at_least: 3}
              - {id: then, value: total.lines, at_least: 1, requires: high}
            """
        )
        let reasons = RulesComparison(old, new).changes.filter { $0.part == .achievement }.compactMap(\.noEffect)
        #expect(
            reasons == [
                "out of reach: there are only 2 levels",
                "out of reach: it requires `high`, which is out of reach",
            ]
        )
    }

    // MARK: What must be computed anew

    private static let names = ["a name", "hidden", "the tests", "the file's name", "blanks", "a comment"]
    private static let rewritten = ["the level formula, rewritten"]

    /// Everything except names matters. A forgotten facet would leave outdated progress in place.
    @Test(arguments: edits) func `impact`(row: Row<Edit, String>) throws {
        let old = try load(Self.rules)
        let new = try Self.replaced(row.input.old, row.input.new)
        let isSame = (Self.names + Self.rewritten).contains(row.name)
        #expect((old.foldedContent == new.foldedContent) == isSame)
        #expect(RulesComparison(old, new).impact == (isSame ? .listings : .everything))
        #expect(RulesComparison(old, new).hidden == (row.name == "hidden" ? ["pure": false] : [:]))
    }

    static let thresholds: [Row<(String, String), RulesImpact>] = [
        Row("no reward, required by none", ("clean, at_least: 5", "clean, at_least: 6"), .thresholds(["pure"])),
        Row("another number of tiers", ("clean, at_least: 5", "clean, at_least: [5, 9]"), .thresholds(["pure"])),
        Row("a reward", ("at_least: 3,", "at_least: 4,"), .everything),
        Row("required by another", ("[10, 100]", "[10, 99]"), .everything),
        Row("with a name", ("clean, at_least: 5", "clean, at_least: 6, name: Pure"), .thresholds(["pure"])),
        Row("with another value", ("total.clean, at_least: 5", "day.clean, at_least: 6"), .everything),
    ]

    @Test(arguments: thresholds) func `thresholds alone`(row: Row<(String, String), RulesImpact>) throws {
        let new = try Self.replaced(row.input.0, row.input.1)
        #expect(RulesComparison(try load(Self.rules), new).impact == row.expected)
    }

    @Test func `a threshold over fractions needs everyone`() throws {
        func rules(_ threshold: Int) throws -> RuleSet {
            try load(
                """
                version: 1
                metrics: {effort: {sum: event.accuracy / 3, on: line.spoken}}
                achievements: [{id: a, value: total.effort, at_least: \(threshold)}]
                """
            )
        }
        #expect(RulesComparison(try rules(1), try rules(2)).impact == .everything)
    }
}
