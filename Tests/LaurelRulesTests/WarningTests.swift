// SPDX-License-Identifier: Apache-2.0

import LaurelYAML
import Testing

@testable import LaurelRules

@Suite("Warnings")
struct WarningTests {
    @Test(
        "In an expression",
        arguments: [
            Row(
                "beyond a field's range",
                "event.accuracy > 1",
                "`event.accuracy > 1` is never true: `event.accuracy` is from 0 to 1"
            ),
            Row(
                "the other way round",
                "1 < event.accuracy",
                "`1 < event.accuracy` is never true: `event.accuracy` is from 0 to 1"
            ),
            Row("no such hour", "local.hour == 24", "`local.hour == 24` is never true: `local.hour` is from 0 to 23"),
            Row("half an hour", "local.hour == 0.5", "`local.hour == 0.5` is never true: `local.hour` is from 0 to 23"),
            Row(
                "a count below zero",
                "day.lines < 0",
                "`day.lines < 0` is never true: `day.lines` is never less than 0"
            ),
            Row(
                "a count from zero",
                "day.lines >= 0",
                "`day.lines >= 0` is always true: `day.lines` is never less than 0"
            ),
            Row(
                "arithmetic",
                "1 - event.accuracy * 0.5 > 1",
                "`1 - event.accuracy * 0.5 > 1` is never true: `1 - event.accuracy * 0.5` is from 0.5 to 1"
            ),
            Row(
                "a remainder",
                "day.lines % 7 == 7",
                "`day.lines % 7 == 7` is never true: `day.lines % 7` is from 0 to 6"
            ),
            Row(
                "a case",
                "event.grade == 'Good'",
                "`event.grade` is never 'Good': it is again, hard, good or easy; did you mean `'good'`?"
            ),
            Row(
                "in a list",
                #"event.grade in ["good", "eazy"]"#,
                #"`event.grade` is never "eazy": it is again, hard, good or easy; did you mean `"easy"`?"#
            ),
            Row(
                "not a type of these",
                "event.type == 'word.added'",
                "`event.type` is never 'word.added': it is line.spoken, review.graded or session.ended"
            ),
            Row("never null", "day.lines == null", "`day.lines == null` is never true: `day.lines` is never null"),
            Row(
                "never null, asked otherwise",
                "has(day.lines)",
                "`has(day.lines)` is always true: `day.lines` is never null"
            ),
            Row("a default in vain", "default(day.lines, 1) > 2", "`default` has no effect: `day.lines` is never null"),
            Row("order with null", "event.accuracy > null", "`event.accuracy > null` is never true: nothing is > null"),
            Row("null through and through", "event.accuracy + null > 1", "`event.accuracy + null` is always null"),
            Row("division by zero", "event.accuracy / 0 > 1", "`event.accuracy / 0` is always null"),
            Row("an empty list", "event.mode in []", "`event.mode in []` is never true: the list is empty"),
            Row(
                "a contradiction",
                "event.accuracy > 0.9 && p && event.accuracy < 0.5",
                "`event.accuracy < 0.5` is never true together with what stands before it"
            ),
            Row(
                "a contradiction between whole numbers",
                "day.lines > 5 && day.lines < 6",
                "`day.lines < 6` is never true together with what stands before it"
            ),
            Row(
                "two texts at once",
                "event.mode == 'solo' && event.mode in ['host', 'client']",
                "`event.mode in ['host', 'client']` is never true together with what stands before it"
            ),
            Row(
                "the same twice",
                "event.accuracy > 0.5 || p || event.accuracy  >  0.5",
                "`event.accuracy > 0.5` stands twice in this `||`"
            ),
            Row(
                "no streak",
                "streak.current > 3",
                "`streak.current` is always 0: there is no `streak:` in these rules"
            ),
            Row(
                "no streak, so no active day",
                "streak.days_since_active > 3",
                "`streak.days_since_active` is always null: there is no `streak:` in these rules"
            ),
            Row("no such date", "local.day > day('2026-02-30')", "`day('2026-02-30')` is always null"),
            Row(
                "dates in the wrong order",
                "day('2026-02-01') > day('2026-02-02')",
                "`day('2026-02-01') > day('2026-02-02')` is never true: `day('2026-02-01')` is always 20485, `day('2026-02-02')` is always 20486"
            ),
            Row(
                "a goal that no learner has",
                "learner.dailyGoalMinutes < 1",
                "`learner.dailyGoalMinutes < 1` is never true: `learner.dailyGoalMinutes` is from 1 to 1440"
            ),
            Row("a literal", "false", "`where` is never true: this rule has no effect"),
            Row("all but a literal", "true", "`where` is always true: without it the rule says the same"),
        ]
    )
    func expressions(_ row: Row<String, String>) {
        let condition = row.input.replacing("p ", with: "event.role == 'x' ")
        #expect(warnings(where: condition) == [row.expected.replacing("p ", with: "event.role == 'x' ")])
    }

    @Test(
        "Nothing is said where it may be meant",
        arguments: [
            "event.accuracy >= 0", "event.accuracy >= 1", "event.accuracy == 0", "local.hour < 6 || local.hour >= 22",
            "event.mode != 'solo'", "event.mode in ['solo', 'host', 'client']", "!(event.grade == 'again')",
            "total.xp < 0", "event.durationMs > 1e15", "event.type == 'line.spoken'", "event.language == 'Klingon'",
            "default(event.errors, 0) == 0", "has(event.errors)", "event.errors / day.lines < 0.1",
            "session.lines == 0",
            "event.accuracy > 0.5 && event.accuracy < 0.9", "event.role == 'a' || event.role == 'b'", "level > 100",
            "word.mastery >= 5", "event.mode == null", "event.accuracy - 0.5 < 0", "1 / (event.accuracy - 1) < 0",
            "learner.cohort == null", "learner.leagues", "local.day - day('2026-02-01') < 7", "day(event.role) > 0",
            "day.lines % 7 == 6", "-event.accuracy < 0", "min(day.lines, 3) == 3", "event.grade == event.mode",
        ]
    )
    func silence(_ condition: String) {
        #expect(warnings(where: condition) == [])
    }

    private func warnings(where condition: String) -> [String] {
        let yaml = """
            version: 1
            metrics:
              lines: {count: line.spoken}
              m:
                count: [line.spoken, review.graded, session.ended]
                where: |
                  \(condition)
            """
        return messages(yaml)
    }

    private func messages(_ yaml: String) -> [String] {
        do throws(RulesError) {
            return try load(yaml).warnings.map { "\($0.message)" }
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test(
        "In rules as a whole",
        arguments: [
            Row(
                "an award below one",
                "xp: [{id: a, on: line.spoken, award: event.accuracy / 2}]",
                "2:38 `award` is never more than 0.5: rounded down, this rule awards nothing"
            ),
            Row(
                "a negative award",
                "xp: [{id: a, on: line.spoken, award: -event.errors}]",
                "2:38 `award` is never more than 0: rounded down, this rule awards nothing"
            ),
            Row(
                "earned before anything is",
                "xp: [{id: b, on: line.spoken, award: 5}, {id: a, on: word.added, award: 2 * earned}]",
                "2:77 `earned` is always 0 here: no XP rule above is for these events"
            ),
            Row(
                "words of lines",
                "xp: [{id: a, on: line.spoken, when: word.is_new, award: 5}]",
                "2:37 `word.is_new` is always null here: no event that comes by has it"
            ),
            Row(
                "capped to nothing",
                "xp: [{id: a, on: line.spoken, award: 5, daily_cap: 0}]",
                "2:52 with `daily_cap: 0` this rule awards nothing"
            ),
            Row(
                "out of reach",
                "metrics: {d: {distinct: event.grade, on: review.graded}}\nachievements: [{id: a, value: total.d, at_least: [4, 5]}]",
                "3:54 `value` is never more than 4: 5 is out of reach"
            ),
            Row(
                "above the last level",
                "levels: {table: [0, 10]}\nachievements: [{id: a, value: level, at_least: 3}]",
                "3:48 `value` is never more than 2: 3 is out of reach"
            ),
            Row(
                "a sum that only falls",
                "metrics: {d: {sum: -event.accuracy, on: line.spoken}}\nachievements: [{id: a, value: week.d, at_least: 1}]",
                "3:49 `value` is never more than 0: 1 is out of reach"
            ),
            Row(
                "a band out of reach",
                "cefr: {score: \"min(words.learned, 3)\", bands: {A1: 0, A2: 2, B1: 4, B2: 5, C1: 6, C2: 7}}",
                "2:15 `score` is never more than 3, but B1 starts at 4"
            ),
            Row(
                "the same metric",
                "metrics: {a: {count: [line.spoken, line.skipped]}, b: {count: [line.skipped, line.spoken]}}",
                "2:52 the metric `b` is the same as `a`"
            ),
            Row(
                "a freeze that is granted, but not held",
                "streak: {when: true, freezes: {hold: 0}}",
                "2:32 with `hold: 0` no freeze is ever held"
            ),
            Row(
                "a freeze that is not held",
                "streak: {when: true, freezes: {earn_every: 2, hold: 0}}",
                "2:47 with `hold: 0` no freeze is ever held"
            ),
            Row(
                "nothing but rest",
                "streak: {when: true, rest_days: [monday, tuesday, wednesday, thursday, friday, saturday, sunday]}",
                "2:22 every day is a rest day: the streak never breaks"
            ),
            Row(
                "a day without event",
                "streak: {when: \"event.accuracy > 2\"}",
                "2:17 `event.accuracy > 2` is never true: `event.accuracy` is from 0 to 1"
            ),
            Row(
                "a declaration in vain",
                "events: {quest.finished: {size: number}}",
                "2:10 no rule uses `quest.finished` events"
            ),
            Row(
                "no expectation",
                "tests: [{name: t, expect: {}}]",
                "2:16 the test “t” expects nothing: it cannot fail"
            ),
            Row(
                "tests of one name",
                "tests: [{name: t, expect: {totalXP: 0}}, {name: t, expect: {totalXP: 0}}]",
                "2:49 another test has the name “t”"
            ),
            Row(
                "a slip in a test's type",
                "tests: [{name: t, events: [{type: line.spoke, time: T}], expect: {totalXP: 0}}]",
                "2:35 unknown event type `line.spoke`; did you mean `line.spoken`?"
            ),
            Row(
                "a slip in a test's data",
                "tests: [{name: t, events: [{type: line.spoken, time: T, data: {acuracy: 1}}], expect: {totalXP: 0}}]",
                "2:64 `line.spoken` has no field `acuracy`; did you mean `accuracy`?"
            ),
        ]
    )
    func rules(_ row: Row<String, String>) throws {
        let warnings = try load("version: 1\n" + row.input).warnings
        #expect(warnings.map { "\($0.line):\($0.column) \($0.message)" } == [row.expected])
        #expect(warnings.allSatisfy { $0.severity == .warning })
    }

    @Test("A requirement that nothing can meet, and what requires that")
    func requirements() {
        let yaml = """
            version: 1
            achievements:
              - {id: a, value: level, at_least: 2, when: event.accuracy > 1}
              - {id: b, value: level, at_least: 2, requires: a}
              - {id: c, value: level, at_least: 2, requires: [b]}
              - {id: d, value: level, at_least: 2}
            """
        #expect(
            messages(yaml) == [
                "`event.accuracy > 1` is never true: `event.accuracy` is from 0 to 1",
                "`b` requires `a`, which nothing but a grant unlocks",
                "`c` requires `b`, which nothing but a grant unlocks",
            ]
        )
    }

    @Test("Each thing is told once, and where it comes from")
    func consequences() {
        let yaml = """
            version: 1
            metrics:
              good: {count: line.spoken, where: event.accuracy > 2 && event.errors == 0 || event.accuracy < -1}
            xp: [{id: a, on: line.spoken, award: 5, when: "!(1 > 2) && day.good < 1"}]
            achievements: [{id: a, value: 2 * total.good, at_least: 1}]
            """
        #expect(
            messages(yaml) == [
                "`event.accuracy > 2` is never true: `event.accuracy` is from 0 to 1",
                "`event.accuracy < -1` is never true: `event.accuracy` is from 0 to 1",
                "`1 > 2` is never true",
            ]
        )
    }

    @Test("Warnings are no reason to refuse, and an anchor is told once")
    func anchors() throws {
        let rules = try load("version: 1\nmetrics: {a: &a {count: line.spoken, where: local.hour > 23}, b: *a}")
        #expect(rules.warnings.map(\.column) == [45, 63])
    }
}
