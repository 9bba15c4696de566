// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Stories of ``VersionTests`` about the learner's own fields.
extension VersionTests {
    private static let silent = "events: {learner.updated: {plan: text}}"
    private static let reading = """
        events: {learner.updated: {plan: text}}
        metrics: {gold: {count: line.spoken, where: learner.plan == 'gold'}}
        """
    private static let gold = event("learner.updated", "2026-02-05T10:00:00Z", ["plan": "gold"])

    static let learner = [
        row(
            "a declared field stays, also where only the new version reads it",
            silent,
            ("2026-02-10", reading),
            events: [gold, line("11T10:00:00Z")],
            ["metrics.gold": 1]
        ),
        row(
            "a field that is declared later is null until then",
            "name: first",
            ("2026-02-10", reading),
            events: [gold, line("11T10:00:00Z")],
            ["metrics.gold": 0]
        ),
        row(
            "a field of another type is null",
            "events: {learner.updated: {plan: number}}",
            ("2026-02-10", reading),
            events: [gold, line("11T10:00:00Z")],
            ["metrics.gold": 0]
        ),
        row(
            "a version in between that lacks the field ends it",
            reading,
            ("2026-02-10", "name: between"),
            ("2026-02-12", reading),
            events: [gold, line("11T10:00:00Z"), line("13T10:00:00Z")],
            ["metrics.gold": 0]
        ),
        row(
            "days since the latest active day go on",
            "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1}",
            (
                "2026-02-10",
                """
                metrics: {lines: {count: line.spoken}, away: {last: streak.days_since_active, on: line.spoken}}
                streak: {when: day.lines >= 1}
                """
            ),
            events: [line("05T10:00:00Z"), line("11T10:00:00Z")],
            ["metrics.away": 6]
        ),
        row(
            "grants and pauses stay, also from a version without a streak",
            "name: silent",
            ("2026-02-10", "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1}"),
            events: [
                event("freeze.granted", "2026-02-05T10:00:00Z"),
                event("streak.paused", "2026-02-05T11:00:00Z", ["from": "2026-02-13", "through": "2026-02-14"]),
                line("11T10:00:00Z"), line("15T10:00:00Z"),
            ],
            at: "2026-02-15T12:00:00Z",
            ["currentStreak": 2, "streakFreezes": 0]
        ),
        row(
            "a streak of days goes on as one of weeks",
            "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1}",
            ("2026-02-16", "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1, every: week}"),
            events: [line("02T10:00:00Z"), line("04T10:00:00Z"), line("12T10:00:00Z"), line("20T10:00:00Z")],
            ["currentStreak": 3, "longestStreak": 3]
        ),
        row(
            "a week that begins anew on another weekday",
            "calendar: {week_starts_on: monday}\nmetrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1, every: week}",
            (
                "2026-02-18",
                "calendar: {week_starts_on: sunday}\nmetrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1, every: week}"
            ),
            // The week of Monday the 16th lasts until Saturday the 21st.
            events: [line("16T10:00:00Z"), line("21T10:00:00Z"), line("22T10:00:00Z")],
            ["currentStreak": 2]
        ),
        row(
            "a season of the same name goes on, whatever its dates",
            season("{name: a, from: 2026-02-01, through: 2026-02-20}"),
            (
                "2026-02-10",
                season(
                    "{name: z, from: 2026-01-01, through: 2026-01-20}, {name: a, from: 2026-02-09, through: 2026-03-20}"
                )
            ),
            events: [line("05T10:00:00Z"), line("11T10:00:00Z")],
            at: "2026-02-12T12:00:00Z",
            ["season.lines": 2]
        ),
        row(
            "a season of another name begins at zero",
            season("{name: a, from: 2026-02-01, through: 2026-02-20}"),
            ("2026-02-10", season("{name: b, from: 2026-02-01, through: 2026-02-20}")),
            events: [line("05T10:00:00Z"), line("11T10:00:00Z")],
            at: "2026-02-12T12:00:00Z",
            ["season.lines": 1]
        ),
        row(
            "a season that the new version is not in ends in all languages",
            season("{name: a, from: 2026-02-01, through: 2026-02-10}"),
            ("2026-02-10", season("{name: a, from: 2026-02-01, through: 2026-02-09}")),
            // The second event is on the 10th in New Zealand. It calls for the new version. The third is on the 9th.
            events: [
                event("line.spoken", "2026-02-09T10:00:00Z", language: "es"),
                event("line.spoken", "2026-02-10T02:00:00+13:00"),
                event("line.spoken", "2026-02-09T14:00:00Z", language: "es"),
            ],
            at: "2026-02-09T15:00:00Z",
            language: "es",
            ["season.lines": 1]
        ),
        row(
            "a freeze that is granted while the rules have no streak is held",
            "metrics: {lines: {count: line.spoken}}",
            ("2026-02-10", "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1}"),
            events: [
                event("streak.repaired", "2026-02-08T10:00:00Z", ["date": "2026-02-08"]),
                event("freeze.granted", "2026-02-09T10:00:00Z"), line("10T10:00:00Z"),
            ],
            at: "2026-02-10T12:00:00Z",
            ["currentStreak": 2, "streakFreezes": 0]
        ),
        row(
            "a version in between without the season ends it",
            season("{name: a, from: 2026-02-01, through: 2026-02-20}"),
            ("2026-02-08", "metrics: {lines: {count: line.spoken}}"),
            ("2026-02-10", season("{name: a, from: 2026-02-01, through: 2026-02-20}")),
            events: [line("05T10:00:00Z"), line("11T10:00:00Z")],
            at: "2026-02-12T12:00:00Z",
            ["season.lines": 1, "metrics.lines": 2]
        ),
    ]

    private static func season(_ seasons: String) -> String {
        """
        seasons: [\(seasons)]
        metrics: {lines: {count: line.spoken}}
        achievements: [{id: a, value: season.lines, at_least: 9}]
        """
    }
}
