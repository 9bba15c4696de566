// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Balances from one version of the rules to the next.
extension VersionTests {
    private static func hearts(_ more: String) -> String {
        "currencies: {hearts: {start: 5, \(more), awards: [{id: slip, on: error.detected, award: -1}]}}"
    }

    private static let refilled = hearts("hold: 5, refill: {every: 1d, by: 1}")

    private static func slip(_ time: String) -> Event { event("error.detected", "2026-02-\(time)") }

    static let currencies = [
        row(
            "a balance stays by its name, a new one starts",
            hearts("hold: 5"),
            ("2026-02-10", "currencies: {gems: {start: 7}, hearts: {start: 9}}"),
            events: [slip("09T10:00:00Z"), line("10T10:00:00Z")],
            ["balances": ["gems": 7, "hearts": 4]]
        ),
        row(
            "without events it starts as the version of the instant says",
            hearts("hold: 5"),
            ("2026-02-10", "currencies: {hearts: {start: 9}}"),
            events: [],
            ["balances.hearts": 9]
        ),
        row(
            "the old version refills up to the event that calls for the new one",
            refilled,
            ("2026-02-11", hearts("hold: 9, refill: {every: 7d, by: 1}")),
            events: [slip("08T10:00:00Z"), slip("08T10:00:01Z"), slip("08T10:00:02Z"), line("11T09:59:59Z")],
            at: "2026-02-17T09:59:59Z",
            ["balances.hearts": 4, "nextRefillAt.hearts": "2026-02-17T10:00:00.000Z"]
        ),
        row(
            "a full balance below the new hold is refilled from the first event of the new version",
            refilled,
            ("2026-02-11", hearts("hold: 6, refill: {every: 1d, by: 1}")),
            events: [slip("08T10:00:00Z"), line("11T12:00:00Z")],
            at: "2026-02-12T11:00:00Z",
            ["balances.hearts": 5, "nextRefillAt.hearts": "2026-02-12T12:00:00.000Z"]
        ),
        row(
            "a version without a refill ends the period",
            refilled,
            ("2026-02-09", hearts("hold: 5")),
            ("2026-02-11", refilled),
            events: [slip("08T10:00:00Z"), line("09T09:00:00Z"), line("11T12:00:00Z")],
            at: "2026-02-11T13:00:00Z",
            ["balances.hearts": 4, "nextRefillAt.hearts": "2026-02-12T12:00:00.000Z"]
        ),
        row(
            "what a version lacks is gone",
            hearts("hold: 5"),
            ("2026-02-09", "currencies: {gems: {}}"),
            ("2026-02-10", hearts("hold: 5")),
            events: [slip("08T10:00:00Z"), line("09T09:00:00Z"), line("10T12:00:00Z")],
            ["balances": ["hearts": 5]]
        ),
        row(
            "what a cap has used stays used by currency and award",
            "currencies: {gems: {awards: [{id: a, on: line.spoken, award: 8, daily_cap: 10}]}, coins: {}}",
            (
                "2026-02-10",
                "calendar: {day_starts_at: '04:00'}\ncurrencies: {coins: {awards: [{id: a, on: line.spoken, award: 8, daily_cap: 12}]}, "
                    + "gems: {awards: [{id: a, on: line.spoken, award: 8, daily_cap: 12}]}}"
            ),
            // By the old calendar, the first event is on the day of the others.
            events: [line("10T02:00:00Z"), line("10T05:00:00Z"), line("10T06:00:00Z")],
            ["balances": ["coins": 12, "gems": 12]]
        ),
    ]
}

/// Purchases and gifts from one version of the rules to the next.
extension VersionTests {
    private static func badge(_ more: String) -> String {
        """
        currencies: {gems: {}}
        items: {chest: {gives: {gems: 1}}, \(more)}
        metrics: {lines: {count: line.spoken}}
        """
    }

    private static func bought(_ time: String) -> Event {
        event("item.bought", "2026-02-\(time)", ["item": "chest"])
    }

    static let gifts = [
        row(
            "purchases stay by the item's name",
            badge(""),
            ("2026-02-10", "items: {sword: {}, chest: {}}"),
            events: [bought("09T10:00:00Z"), bought("10T10:00:00Z")],
            ["items": ["sword": 0, "chest": 2]]
        ),
        row(
            "a tier unlocked before counts as having given",
            goal("value: total.lines, at_least: [1, 9]"),
            ("2026-02-10", "currencies: {gems: {}}\n" + goal("value: total.lines, at_least: [1, 9], gives: {gems: 5}")),
            events: [
                line("09T10:00:00Z"), by("revoked", "09T11:00:00Z"), line("10T10:00:00Z"),
                by("granted", "10T11:00:00Z"),
            ],
            ["balances.gems": 5, "achievements.g.tier": 2]
        ),
    ]
}

/// Goals from one version of the rules to the next.
extension VersionTests {
    private static func daily(_ more: String) -> String {
        "metrics: {lines: {count: line.spoken}}\ngoals: [{id: g, value: day.lines, target: 1, \(more)}]"
    }

    static let goals = [
        row(
            "completions stay by the goal's id, and its XP",
            daily("every: day, xp: 3"),
            ("2026-02-10", daily("every: day")),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z")],
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 2, "xpBreakdown": ["goals": 3]]
        ),
        row(
            "windows are compared by their first day, whatever their length is now",
            daily("every: day"),
            // Wednesday's completion is later than the first day of the week.
            ("2026-02-12", daily("every: week")),
            events: [line("11T10:00:00Z"), line("12T10:00:00Z"), line("16T10:00:00Z")],
            at: "2026-02-16T12:00:00Z",
            ["goals.g.times": 2]
        ),
        row(
            "another goal begins anew",
            daily("every: day"),
            ("2026-02-10", "metrics: {}\ngoals: [{id: other, every: day, value: level, target: 5}]"),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z")],
            ["goals.other.times": 0]
        ),
    ]
}

/// Seasons' goals from one version of the rules to the next.
extension VersionTests {
    private static func seasonal(_ season: String) -> String {
        "seasons: [{\(season)}]\nmetrics: {lines: {count: line.spoken}}\n"
            + "goals: [{id: g, value: total.lines, target: 1, every: season}]"
    }

    static let seasonGoals = [
        row(
            "a season of the same name is the same window, whatever its dates",
            seasonal("name: winter, from: 2026-02-01, through: 2026-02-20"),
            ("2026-02-10", seasonal("name: winter, from: 2026-02-05, through: 2026-02-20")),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z")],
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 1, "goals.g.completedAt": "2026-02-09T10:00:00.000Z"]
        ),
        row(
            "a season that begins on an early day finds the completion of that day",
            daily("every: day"),
            ("2026-02-10", seasonal("name: winter, from: 2026-02-01, through: 2026-02-20")),
            events: (1...6).map { line("0\($0)T10:00:00Z") } + [line("10T10:00:00Z")],
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 6, "goals.g.completedAt": "2026-02-01T10:00:00.000Z"]
        ),
        row(
            "a season is completed once, even if the goal was completed on many days since",
            seasonal("name: winter, from: 2026-02-01, through: 2026-02-20"),
            ("2026-02-03", daily("every: day")),
            ("2026-02-09", seasonal("name: winter, from: 2026-02-08, through: 2026-02-20")),
            events: (2...7).map { line("0\($0)T10:00:00Z") } + [line("09T10:00:00Z")],
            at: "2026-02-09T12:00:00Z",
            ["goals.g.times": 6, "goals.g.completedAt": "2026-02-02T10:00:00.000Z"]
        ),
        row(
            "a season of another name is another",
            seasonal("name: winter, from: 2026-02-01, through: 2026-02-20"),
            ("2026-02-10", seasonal("name: carnival, from: 2026-02-05, through: 2026-02-20")),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z")],
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 2]
        ),
    ]
}
