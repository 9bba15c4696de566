// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import Testing

/// Rules that change from a date on: a story for each value that is kept, and for each that is not.
@Suite struct VersionTests {
    /// Versions of the rules, a learner's events, and the expected progress.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let versions: [(from: String?, rules: String)]
        let events: [Event]
        var at = "2026-02-28T12:00:00Z"
        var language: String?
        let expected: [String: JSONValue]

        var testDescription: String { name }
    }

    static func row(
        _ name: String,
        _ first: String,
        _ later: (String, String)...,
        events: [Event],
        at: String = "2026-02-28T12:00:00Z",
        language: String? = nil,
        _ expected: [String: JSONValue]
    ) -> Row {
        Row(
            name: name,
            versions: [(nil, first)] + later.map { ($0.0, $0.1) },
            events: events,
            at: at,
            language: language,
            expected: expected
        )
    }

    static func plan(_ versions: [(from: String?, rules: String)]) throws -> FoldPlan {
        FoldPlan(
            versions: try versions.map { version in
                let yaml = Array(("version: 1\n" + version.rules).utf8)
                let rules = try RuleSet(yaml: yaml, file: "rules.yaml") {
                    TimeZoneDatabase.shared.zone(named: $0) != nil
                }
                return (rules, version.from.flatMap { LocalDay(parsing: $0.utf8) })
            }
        )
    }

    @Test(
        arguments: days + metrics + xp + currencies + gifts + goals + seasonGoals + achievements + words + streaks
            + readings
            + learner + plausible
    )
    func versions(row: Row) throws {
        let plan = try Self.plan(row.versions)
        let story = Story("", row.events)
        let instant = try Timestamp(row.at)
        let state = try story.state(plan, until: instant.milliseconds)
        let fold = Fold(plan: plan, state: state)
        fold.switchVersion(asOf: instant)
        let progress = ProgressReader(plan: plan)
            .progress(fold.state, subject: "ana", language: row.language, at: instant)
        let json = publicJSON(of: try #require(progress))
        for (path, value) in row.expected { #expect(Self.value(at: path, in: json) ?? .null == value, "\(path)") }
        let fingerprint = try story.state(plan).fingerprint
        #expect(try story.state(plan, saves: true).fingerprint == fingerprint, "state saved after every event")
        var reversed = story
        reversed.events.reverse()
        #expect(try reversed.state(plan).fingerprint == fingerprint, "events told backwards")
    }

    static func value(at path: String, in progress: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(progress)) { value, name in
            switch value {
            case .object(let members)?: members[String(name)]
            case .array(let elements)?:
                elements.first { element in
                    if case .object(let members) = element { members["id"] == .string(String(name)) } else { false }
                }
            default: nil
            }
        }
    }

    static func line(
        _ time: String,
        _ data: [String: JSONValue] = [:],
        language: String? = nil,
        session: String? = nil,
        timezone: String? = nil
    ) -> Event {
        event("line.spoken", "2026-02-\(time)", data, language: language, session: session, timezone: timezone)
    }

    static let one = "xp: [{id: a, on: line.spoken, award: 1}]"
    static let ten = "xp: [{id: a, on: line.spoken, award: 10}]"

    static let days = [
        row(
            "before the date the old, from it on the new",
            one,
            ("2026-02-10", ten),
            events: [line("09T23:59:59Z"), line("10T00:00:00Z"), line("11T10:00:00Z")],
            ["totalXP": 21, "rules.from": "2026-02-10"]
        ),
        row(
            "everyone's own day",
            one,
            ("2026-02-10", ten),
            events: [line("09T12:00:00+14:00"), line("10T01:00:00-08:00"), line("10T00:30:00+09:00")],
            ["totalXP": 21]
        ),
        row(
            "the day by the new version's own calendar",
            one,
            ("2026-02-10", "calendar: {day_starts_at: '04:00'}\n" + ten),
            events: [line("10T03:59:00Z"), line("10T04:00:00Z")],
            ["totalXP": 11]
        ),
        row(
            "nobody goes back, whatever a later clock says",
            one,
            ("2026-02-10", ten),
            events: [line("10T00:30:00+12:00"), line("09T13:00:00Z")],
            ["totalXP": 20]
        ),
        row(
            "a void event calls for nothing",
            one,
            ("2026-02-10", ten),
            events: [
                event("line.spoken", "2026-02-10T00:30:00+12:00", id: "gone"),
                event("event.retracted", "2026-02-09T10:00:00Z", ["source": "app", "id": "gone"]), line("09T13:00:00Z"),
            ],
            ["totalXP": 1]
        ),
        row(
            "through those between",
            "metrics: {lines: {count: line.spoken}}",
            ("2026-02-10", "metrics: {others: {count: line.spoken}}"),
            ("2026-02-12", "metrics: {lines: {count: line.spoken}}"),
            events: [line("01T10:00:00Z"), line("13T10:00:00Z")],
            ["metrics": ["lines": 1]]
        ),
        row(
            "days and weeks begin anew only with another day and week",
            "calendar: {week_starts_on: monday}\nmetrics: {lines: {count: line.spoken}, week: {last: week.lines, on: line.spoken}}",
            (
                "2026-02-11",
                "calendar: {week_starts_on: monday}\nmetrics: {lines: {count: line.spoken}, week: {last: week.lines, on: line.spoken}}"
            ),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z"), line("11T10:00:00Z")],
            ["metrics.week": 3]
        ),
        row(
            "weeks that begin on different dates are different weeks",
            "metrics: {lines: {count: line.spoken}, week: {last: week.lines, on: line.spoken}}",
            (
                "2026-02-11",
                "calendar: {week_starts_on: sunday}\nmetrics: {lines: {count: line.spoken}, week: {last: week.lines, on: line.spoken}}"
            ),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z"), line("11T10:00:00Z")],
            ["metrics.week": 1]
        ),
    ]

    static let metrics = [
        row(
            "what is defined as before goes on, however it is written",
            "metrics: {lines: {count: [line.spoken, line.skipped], where: event.line != 'x' && (1 < 2)}}",
            (
                "2026-02-10",
                "metrics:\n  lines:\n    count: [line.skipped, line.spoken]\n    where: (event.line != \"x\") && 1.0 < 2"
            ),
            events: [line("09T10:00:00Z", ["line": "a"]), line("10T10:00:00Z", ["line": "b"])],
            ["metrics.lines": 2]
        ),
        row(
            "any other begins at 0",
            "metrics: {lines: {count: line.spoken}, best: {max: event.accuracy, on: line.spoken}}",
            (
                "2026-02-10",
                "metrics: {lines: {count: [line.spoken, line.skipped]}, best: {last: event.accuracy, on: line.spoken}}"
            ),
            events: [line("09T10:00:00Z", ["accuracy": 1]), line("10T10:00:00Z")],
            ["metrics": ["lines": 1, "best": 0]]
        ),
        row(
            "in windows that only the new version reads",
            "metrics: {lines: {count: line.spoken}}",
            (
                "2026-02-10",
                """
                calendar: {day_starts_at: '12:00'}
                metrics: {lines: {count: line.spoken}}
                achievements: [{id: four, value: week.lines, at_least: 4}, {id: two, value: session.lines, at_least: 2}]
                """
            ),
            events: [
                line("09T10:00:00Z"), line("09T11:00:00Z"), line("10T11:00:00Z", session: "s"),
                line("10T13:00:00Z", session: "s"),
            ],
            ["achievements.four.tier": 1, "achievements.two.tier": 1]
        ),
        row(
            "with their keys",
            "metrics: {kinds: {distinct: event.line, on: line.spoken}, most: {count: line.spoken, by: event.role}}",
            (
                "2026-02-10",
                "metrics: {new: {count: line.spoken}, most: {count: line.spoken, by: event.role}, kinds: {distinct: event.line, on: line.spoken}}"
            ),
            events: [
                line("08T10:00:00Z", ["line": "a", "role": "x"]), line("09T10:00:00Z", ["line": "b", "role": "x"]),
                line("10T10:00:00Z", ["line": "a", "role": "x"]),
            ],
            ["metrics": ["kinds": 2, "most": 3, "new": 1]]
        ),
        row(
            "a session runs on, with its start",
            "metrics: {lines: {count: line.spoken}}\nxp: [{id: a, on: session.ended, award: session.lines}]",
            (
                "2026-02-10",
                "metrics: {lines: {count: line.spoken}}\nxp: [{id: a, on: session.ended, award: 10 * session.lines}]"
            ),
            events: [
                event("session.started", "2026-02-09T23:50:00Z", ["mode": "host"], session: "s"),
                line("09T23:55:00Z", session: "s"), line("10T00:05:00Z", session: "s"),
                event("session.ended", "2026-02-10T00:10:00Z", session: "s"),
            ],
            ["totalXP": 20, "multiplayerSessions": 1, "totalMinutesPlayed": 20]
        ),
    ]

    // MARK: Fingerprints

    static let practice = [
        line("01T10:00:00Z", ["line": "a"], language: "es", session: "s"), line("02T10:00:00Z", language: "es"),
        review("03T10:00:00Z"), by("granted", "04T10:00:00Z"), line("04T11:00:00Z"),
    ]

    static let rich = """
        metrics:
          lines: {count: line.spoken}
          kinds: {distinct: event.line, on: line.spoken}
        streak: {when: day.lines >= 1, freezes: {earn_every: 2}}
        xp: [{id: a, bucket: b, on: line.spoken, award: 10 + week.lines, daily_cap: 15}]
        achievements: [{id: g, value: session.lines, at_least: [1, 5], xp: 20}]
        """
    static let other = """
        metrics:
          lines: {count: line.spoken}
          known: {count: review.graded, where: word.text == 'x'}
        xp: [{id: c, on: line.spoken, award: day.lines + session.lines}]
        mastery: {scheduler: fsrs}
        """

    @Test func `from before the first event it is as if they had replaced the others`() throws {
        let story = Story("", Self.practice)
        let replaced = try story.state(Self.plan([(nil, Self.other)])).fingerprint
        #expect(try story.state(Self.plan([(nil, Self.rich), ("2026-01-01", Self.other)])).fingerprint == replaced)
        #expect(
            try story.state(
                Self.plan([(nil, Self.rich), ("2025-01-01", Self.rich), ("2026-01-01", Self.other)])
            ).fingerprint == replaced
        )
    }

    @Test func `a version that nobody is in yet changes nothing`() throws {
        let story = Story("", Self.practice)
        let before = try story.state(Self.plan([(nil, Self.rich)])).fingerprint
        #expect(try story.state(Self.plan([(nil, Self.rich), ("2026-03-01", Self.other)])).fingerprint == before)
    }

    @Test func `snapshots hold as far as the versions reach`() throws {
        let story = Story("", Self.practice)
        let first = try Self.plan([(nil, Self.rich)])
        let (soon, far) = ("2026-02-05", "2026-03-01")
        let later = try Self.plan([(nil, Self.rich), (far, Self.rich)])
        let state = try story.state(later)
        let snapshot = state.snapshot(plan: later)
        #expect(LearnerState(snapshot: snapshot, plan: later)?.encoded() == state.encoded())
        // The learner's last event is a day before that version can be in force anywhere.
        let moved = try Self.plan([(nil, Self.rich), ("2026-02-20", Self.rich)])
        #expect(LearnerState(snapshot: snapshot, plan: moved) != nil)
        #expect(LearnerState(snapshot: snapshot, plan: try Self.plan([(nil, Self.rich), (soon, Self.rich)])) == nil)
        #expect(LearnerState(snapshot: snapshot, plan: first) != nil)
        #expect(LearnerState(snapshot: snapshot, plan: try Self.plan([(nil, Self.other)])) == nil)
    }
}
