// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules
@testable import LaurelYAML

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test("All mistakes of a file at once, in its order")
    func wholeFile() {
        let yaml = """
            version: 1
            nmae: test
            calendar: {default_timezone: Mars/Olympus, day_starts_at: 24:00, week_starts_on: sonday}
            events:
              line.spoken: {extra: number, accuracy: number}
              quest.finished: {difficulty: nummer}
            metrics:
              lines: {count: line.spokn}
              xp: {count: line.spoken}
              good: {sum: event.acuracy, on: line.spoken}
              early: {sum: total.late, on: line.spoken}
              late: {count: line.spoken, while: true}
              both: {count: line.spoken, run: line.spoken}
            streak: {when: day.late, freezes: {earn_evry: 7}}
            xp:
              - {id: a, on: line.spoken, award: session.linez * 2, daily_cap: -1}
              - {id: a, on: line.spoken, award: "'x'"}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:2:1: error: unknown key `nmae` in a rules file; did you mean `name`?
                rules.yaml:3:30: error: unknown timezone `Mars/Olympus`: use an IANA name like Europe/Berlin
                rules.yaml:3:59: error: `day_starts_at` must be a time from 00:00 to 23:59, not `24:00`
                rules.yaml:3:82: error: `week_starts_on` cannot be `sonday`; did you mean `monday`?
                rules.yaml:5:32: error: `line.spoken` is a type of Laurel's own and has `accuracy` already: leave it out
                rules.yaml:6:32: error: the type of `difficulty` cannot be `nummer`; did you mean `number`?
                rules.yaml:8:18: error: unknown event type `line.spokn`; did you mean `line.spoken`? An app's own types are declared under `events:`
                rules.yaml:9:3: error: no metric may be named `xp`: `total.xp` and its windows are XP itself
                rules.yaml:10:15: error: `line.spoken` has no field `acuracy`; did you mean `event.accuracy`?
                rules.yaml:11:16: error: `total.late` is not above: a metric sees only the metrics defined before it
                rules.yaml:12:30: error: `while` cannot stand here: only `run` has it
                rules.yaml:13:9: error: the metric `both` has `count` and `run`: make two metrics of them
                rules.yaml:14:16: error: `when` needs true or false, but this is a number
                rules.yaml:14:36: error: unknown key `earn_evry` in `freezes`; did you mean `earn_every`?
                rules.yaml:16:37: error: unknown name `session.linez`; did you mean `session.lines`?
                rules.yaml:16:67: error: `daily_cap` must be a whole number of at least 0, not `-1`
                rules.yaml:17:10: error: the id `a` is taken: an XP rule above has it
                rules.yaml:17:38: error: `award` needs a number, but this is text
                """
        )
    }

    @Test("Administered fields")
    func administered() {
        let yaml = """
            version: 1
            events: {learner.updated: {plan: text, vip: boolean}}
            administered: [vip, plam, cohrt, cohort, vip, dailyGoalMinutes, quests, {a: b}]
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:3:21: error: `learner.updated` has no field `plam`; did you mean `plan`?
                rules.yaml:3:27: error: `learner.updated` has no field `cohrt`; did you mean `cohort`?
                rules.yaml:3:34: warning: `cohort` is for administrators under any rules: leave it out
                rules.yaml:3:42: warning: `vip` is listed twice
                rules.yaml:3:65: error: `learner.updated` has no field `quests`; declare it: `events: {learner.updated: {quests: text}}`
                rules.yaml:3:73: error: an administered field must be text, not a mapping
                """
        )
        #expect(
            complaints("version: 1\nadministered: vip") == [
                "rules.yaml:2:15: error: `administered` must be a list, not a single value"
            ]
        )
        #expect(complaints("version: 1\nadministred: [vip]").count == 1)
    }

    @Test(
        "The column is that of the token, however the expression is written",
        arguments: [
            Row("plain", "award: 1 + x", "5:15"),
            Row("double quotes", "award: \"1 + x\"", "5:16"),
            Row("double quotes with escapes", #"award: "'\u00e9\"' == x""#, "5:26"),
            Row("single quotes with a quote inside", "award: '''é'' == x'", "5:21"),
            Row("beyond ASCII", "award: '\"é😀\" == x'", "5:20"),
            Row("literal block", "award: |\n     1 +\n     x", "7:6"),
            Row("folded block", "award: >-\n     1 +\n     x", "7:6"),
            Row("quotes over two lines", "award: \"1 +\n     x\"", "6:6"),
        ]
    )
    func columns(_ row: Row<String, String>) {
        let yaml = "version: 1\nxp:\n - id: a\n   on: line.spoken\n   \(row.input)\n"
        let unknown = complaints(yaml).filter { $0.contains("unknown name") }
        let here =
            "event.…, word.…, local.…, total.…, session.…, day.…, week.…, streak.…, level, words.…, earned, learner.…"
        #expect(unknown == ["rules.yaml:\(row.expected): error: unknown name `x`; names you can use here: \(here)"])
    }

    @Test(
        "Single mistakes",
        arguments: [
            Row("no mapping", "hello", "1:1: error: a rules file must be a mapping (`key: value`), not a single value"),
            Row("no version", "name: x", "1:1: error: `version` is missing: write `version: 1`"),
            Row("nothing but null", "null", "1:1: error: `version` is missing: write `version: 1`"),
            Row(
                "version 2",
                "version: 2",
                "1:10: error: version 2 of the rules language is unknown; this is version 1"
            ),
            metric("source", "{count: line.spoken, where: event.source == 'x'}", "3:33", source),
            metric("time", "{count: line.spoken, where: event.time > 'x'}", "3:33", time),
            metric("earned", "{sum: earned, on: line.spoken}", "3:11", earned),
            metric(
                "field of some",
                "{sum: event.durationMs, on: [line.skipped, hint.used]}",
                "3:11",
                "none of `line.skipped`, `hint.used` has a field `durationMs`; they have `line`, `level`"
            ),
            metric(
                "a list",
                "{distinct: event.tags, on: word.added}",
                "3:16",
                "`event.tags` is a list of text, which expressions cannot read"
            ),
            metric(
                "two types",
                "{distinct: event.level, on: [hint.used, quest]}",
                "3:16",
                "`event.level` is text in `hint.used` but a number in `quest`",
                extra: "events: {quest: {level: number}}"
            ),
            metric(
                "a field without its prefix",
                "{sum: accuracy, on: line.spoken}",
                "3:11",
                "unknown name `accuracy`; did you mean `event.accuracy`?"
            ),
            metric("no aggregate", "{on: line.spoken}", "3:5", noAggregate),
            metric(
                "every type and another",
                "{count: [line.spoken, '*']}",
                "3:27",
                "`*` means every event type, so it stands alone"
            ),
            metric(
                "a field of the learner with a typing error",
                "{count: line.spoken, where: learner.cohrt == 'x'}",
                "3:33",
                "unknown name `learner.cohrt`; did you mean `learner.cohort`?"
            ),
            metric(
                "a field of the learner that is not declared",
                "{count: line.spoken, where: learner.subscription == 'x'}",
                "3:33",
                "unknown name `learner.subscription`; declare the field: `events: {learner.updated: {subscription: text}}`"
            ),
            metric(
                "a declared field of another type",
                "{count: line.spoken, where: learner.plan > 3}",
                "3:46",
                "`>` compares numbers or text, not text with a number",
                extra: "events: {learner.updated: {plan: text}}"
            ),
            metric(
                "a day of a number",
                "{count: line.spoken, where: day(local.day) > 3}",
                "3:37",
                "`day` takes text, but this is a number"
            ),
            Row(
                "more freezes at the start than are held",
                "version: 1\nstreak: {when: true, freezes: {earn_every: 7, start: 2}}",
                "2:54: error: `start` is 2, but at most `hold`, 1, freezes are held"
            ),
            Row(
                "a period that is neither day nor week",
                "version: 1\nstreak: {when: true, every: weak}",
                "2:29: error: `every` cannot be `weak`; did you mean `week`?"
            ),
            Row(
                "rest days of a weekly streak",
                "version: 1\nstreak: {when: true, every: week, rest_days: [sunday]}",
                "2:35: error: `rest_days` cannot stand beside `every: week`: a streak of weeks has no weekdays"
            ),
            Row(
                "a name of the learner in the level curve",
                "version: 1\nlevels: {xp_for: learner.dailyGoalMinutes}",
                "2:18: error: `learner.dailyGoalMinutes` cannot be used in the level curve: a level's start depends on `n` alone"
            ),
            cefr("a session in CEFR", "session.xp", "there is no current session"),
            cefr("an event in CEFR", "event.accuracy", "there is no event"),
            Row(
                "bands",
                "version: 1\ncefr: {score: words.known, bands: {A1: 0, A2: 2, B1: 2, B2: 3, C1: 4, C2: 5}}",
                "2:54: error: bands must ascend: B1 starts at 2, the one before at 2"
            ),
            Row(
                "level by xp",
                "version: 1\nlevels: {xp_for: total.xp}",
                "2:18: error: `total.xp` cannot be used in the level curve: a level's start depends on `n` alone"
            ),
            Row(
                "level 1",
                "version: 1\nlevels: {xp_for: 100 * n}",
                "2:18: error: level 1 starts at 0, but `xp_for` is 100 for n = 1"
            ),
            Row(
                "levels that fall",
                "version: 1\nlevels: {xp_for: 100 * (n - 1) * (5 - n)}",
                "2:18: error: levels must start at more and more XP, but level 4 starts at 300, level 3 at 400"
            ),
            Row(
                "a table that does not start at 0",
                "version: 1\nlevels: {table: [10, 20]}",
                "2:17: error: level 1 starts at 0: the first number of `table` must be 0, not 10"
            ),
            Row(
                "thresholds",
                "version: 1\nachievements: [{id: a, value: 1, at_least: [5, 5]}]",
                "2:48: error: `at_least` must ascend: 5 is not more than 5"
            ),
            Row(
                "a cycle",
                "version: 1\nachievements:\n" + achievement("a", "[b]") + achievement("b", "[c]")
                    + achievement("c", "[a]"),
                "3:46: error: `requires` goes in a circle: `a` → `b` → `c` → `a`"
            ),
            Row(
                "requires itself",
                "version: 1\nachievements:\n" + achievement("a", "a"),
                "3:45: error: `requires` goes in a circle: `a` → `a`"
            ),
            Row(
                "unknown requirement",
                "version: 1\nachievements:\n" + achievement("abc", "[abd]"),
                "3:48: error: unknown achievement `abd`"
            ),
            Row(
                "unknown requirement near another",
                "version: 1\nachievements:\n" + achievement("abc", "[abd]") + achievement("abde", "[]"),
                "3:48: error: unknown achievement `abd`; did you mean `abde`?"
            ),
            Row(
                "a misspelt key that must be there",
                "version: 1\nxp: [{id: a, on: line.spoken, awards: 1}]",
                "2:31: error: unknown key `awards` in an XP rule; did you mean `award`?"
            ),
            Row(
                "a misspelt aggregate",
                "version: 1\nmetrics: {m: {cuont: line.spoken}}",
                "2:15: error: unknown key `cuont` in a metric; did you mean `count`?"
            ),
            Row(
                "a misspelt level curve",
                "version: 1\nlevels: {xpfor: 10 * (n - 1)}",
                "2:10: error: unknown key `xpfor` in `levels`; did you mean `xp_for`?"
            ),
            Row(
                "a misspelt version",
                "versoin: 1",
                "1:1: error: unknown key `versoin` in a rules file; did you mean `version`?"
            ),
            Row(
                "a key near one that is there and one that is missing",
                "version: 1\ncefr: {score: words.known, bands: {A1: 0, A3: 1, B1: 2, B2: 3, C1: 4, C2: 5}}",
                "2:43: error: unknown key `A3` in `bands`; did you mean `A2`?"
            ),
            Row(
                "a comma without quotes",
                "version: 1\nxp: [{id: a, on: line.spoken, award: min(event.accuracy, 2)}]",
                "2:38: error: inside `{…}` a comma ends the value of `award`: put the whole expression in quotes"
            ),
            Row(
                "more commas, and a colon, without quotes",
                "version: 1\nmetrics: {m: {sum: max(1, 2, level > 3 ? 1 : 2), on: line.spoken}}",
                "2:20: error: inside `{…}` a comma ends the value of `sum`: put the whole expression in quotes"
            ),
            Row(
                "bands that are missing",
                "version: 1\ncefr: {score: words.known, bands: {A1: 0, B1: 3}}",
                "2:35: error: `bands` needs `A2`, `B2`, `C1` and `C2`"
            ),
            Row(
                "a list without quotes",
                "version: 1\nxp: [{id: a, on: line.spoken, when: event.role in ['a', 'b'], award: 1}]",
                "2:51: error: while parsing a flow mapping, did not find expected ',' or '}'"
                    + ": inside `{…}` and `[…]`, a value with `[`, `{`, `,` or `: ` in it needs quotes"
            ),
            Row(
                "a colon without quotes",
                "version: 1\nname: on: off",
                "2:9: error: mapping values are not allowed in this context: a value with `: ` in it needs quotes"
            ),
            Row(
                "a tab as indentation",
                "version: 1\nmetrics:\n\tlines: {count: line.spoken}",
                "3:1: error: \(tab)"
            ),
            Row(
                "a tab after spaces",
                "version: 1\nmetrics:\n  lines:\n  \tcount: line.spoken",
                "4:3: error: \(tab)"
            ),
            Row(
                "a tab in a list's item",
                "version: 1\nxp:\n  - id: ä\n\ton: line.spoken\n    award: 1",
                "4:1: error: \(tab)"
            ),
            Row(
                "overall requires per language",
                "version: 1\nachievements:\n" + achievement("a", "[b]") + achievement("b", "[], scope: language"),
                "3:46: error: an overall achievement cannot require `b`, which is unlocked per language"
            ),
            Row(
                "fsrs key under sm2",
                "version: 1\nmastery: {desired_retention: 0.8}",
                "2:11: warning: `desired_retention` has no effect: only `scheduler: fsrs` uses it"
            ),
            Row(
                "a list expected",
                "version: 1\ntests: [{name: x, expect: {totalXP: [1]}}]",
                "2:37: error: a test can expect single values only, not a list"
            ),
        ]
    )
    func single(_ row: Row<String, String>) {
        #expect(complaints(row.input) == ["rules.yaml:\(row.expected)"])
    }

    @Test("What a comma tore apart is suggested in quotes, and nothing but that is said of it")
    func tornExpression() throws {
        let rows = [
            ("round(event.accuracy, 2)", "\"round(event.accuracy, 2)\""),
            ("max(1, event.role == \"a\" ? 1 : 2)", "'max(1, event.role == \"a\" ? 1 : 2)'"),
        ]
        for (expression, suggestion) in rows {
            let yaml = "version: 1\nxp:\n  - {id: a, on: line.spoken, award: \(expression), bucket: b}\n"
            let error = #expect(throws: RulesError.self) { try load(yaml) }
            #expect(error?.diagnostics.map(\.suggestion) == [suggestion])
            #expect(error?.diagnostics.map { $0.endColumn - $0.column } == [expression.count])
        }
        // A missing parenthesis and a misspelt key get their own messages.
        let other = complaints("version: 1\nxp: [{id: a, on: line.spoken, award: min(1, bukcet: b}]")
        #expect(other.count == 2 && other.allSatisfy { !$0.contains("comma") })
    }

    private static let tab = "YAML is indented with spaces, not with tabs: here is a tab"
    private static let source =
        "`event.source` cannot be read in expressions: from which device an event came does not matter to progress"
    private static let time =
        "`event.time` cannot be read in expressions: use `local.date`, `local.hour`, `local.minute` or `local.weekday`"
    private static let earned = "`earned` is what the XP rules above awarded: only XP rules and awards see it"
    private static let noAggregate =
        "the metric `m` needs one of `count`, `sum`, `max`, `last`, `distinct`, `run`"

    private static func metric(
        _ name: String,
        _ metric: String,
        _ position: String,
        _ message: String,
        extra: String = "name: x"
    ) -> Row<String, String> {
        Row(name, "version: 1\nmetrics:\n m: \(metric)\n\(extra)", "\(position): error: \(message)")
    }

    private static func cefr(_ name: String, _ score: String, _ reason: String) -> Row<String, String> {
        Row(
            name,
            "version: 1\ncefr: {score: \(score), bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}",
            "2:15: error: `\(score)` cannot be used in the CEFR score: it is read at the end of the fold, where \(reason)"
        )
    }

    private static func achievement(_ id: String, _ requires: String) -> String {
        " - {id: \(id), value: 1, at_least: 1, requires: \(requires)}\n"
    }
}
