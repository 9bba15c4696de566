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
    ]
}
