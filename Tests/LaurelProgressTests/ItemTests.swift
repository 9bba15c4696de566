// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Purchases of items, and what items and achievements give.
@Suite struct ItemTests {
    @Test(arguments: purchases + gifts) func items(row: Case) throws { try row.check() }

    private static func line(_ time: String, language: String? = nil) -> Event {
        event("line.spoken", "2026-02-\(time)", language: language)
    }

    private static func bought(_ time: String, _ item: String, _ count: Int? = nil) -> Event {
        var data: [String: JSONValue] = ["item": .string(item)]
        if let count { data["count"] = .count(count) }
        return event("item.bought", "2026-02-\(time)", data)
    }

    private static let end = "2026-02-28T00:00:00Z"

    private static let shop = """
        currencies:
          gems: {start: 100, awards: [{id: sale, on: item.bought, award: 1}]}
          hearts: {start: 1, hold: 5}
        items:
          potion: {price: {gems: 30, hearts: 1}, gives: {hearts: 2}, limit: 1}
          chest: {gives: {gems: 5}}
        """

    static let purchases = [
        Case("nothing bought", shop, [], at: end, ["items": ["potion": 0, "chest": 0]]),
        Case(
            "the price, and then what the item gives, after the awards",
            shop,
            [bought("09T10:00:00Z", "potion")],
            at: end,
            ["balances": ["gems": 71, "hearts": 2], "items": ["potion": 1, "chest": 0]]
        ),
        Case(
            "several at once, beyond the limit and the balance: only the command refuses",
            shop,
            [bought("09T10:00:00Z", "potion", 4)],
            at: end,
            ["balances": ["gems": -19, "hearts": 5], "items.potion": 4]
        ),
        Case("an item without a price", shop, [bought("09T10:00:00Z", "chest", 2)], at: end, ["balances.gems": 111]),
        Case(
            "an unknown item has no effect of its own",
            shop,
            [bought("09T10:00:00Z", "sword")],
            at: end,
            ["balances": ["gems": 101, "hearts": 1], "items": ["potion": 0, "chest": 0]]
        ),
        Case(
            "a retraction undoes it",
            shop,
            [
                bought("09T10:00:00Z", "potion"),
                event("event.retracted", "2026-02-11T10:00:00Z", ["source": "app", "id": "e00"]),
            ],
            at: end,
            ["balances": ["gems": 100, "hearts": 1], "items.potion": 0]
        ),
        Case(
            "a discarded session does not",
            shop,
            [
                event("item.bought", "2026-02-09T10:00:00Z", ["item": "chest"], session: "s"),
                event("session.discarded", "2026-02-09T10:01:00Z", session: "s"),
            ],
            at: end,
            ["items.chest": 1]
        ),
        Case(
            "freezes go to the overall track",
            "streak: {when: event.type == 'line.spoken', freezes: {hold: 3}}\nitems: {ice: {gives: {freezes: 2}}}",
            [line("09T10:00:00Z"), bought("09T11:00:00Z", "ice"), line("11T10:00:00Z")],
            at: "2026-02-11T12:00:00Z",
            ["currentStreak": 2, "streakFreezes": 1]
        ),
    ]

    private static func badge(_ more: String) -> String {
        """
        currencies: {gems: {}}
        metrics: {lines: {count: line.spoken}}
        achievements: [{id: a, value: total.lines, \(more)}]
        """
    }

    private static func by(_ kind: String, _ time: String, language: String? = nil) -> Event {
        event("achievement.\(kind)", "2026-02-\(time)", ["achievement": "a"], language: language)
    }

    private static let lines = [line("09T10:00:00Z"), line("09T10:01:00Z"), line("10T10:00:00Z")]

    static let gifts = [
        Case(
            "each tier gives what all give",
            badge("at_least: [1, 3], gives: {gems: 5}"),
            lines,
            at: end,
            ["balances.gems": 10]
        ),
        Case(
            "lists, one number per tier",
            badge("at_least: [1, 3, 9], xp: [10, 20, 40], gives: {gems: [5, 0, 9]}"),
            lines,
            at: end,
            ["balances.gems": 5, "totalXP": 30]
        ),
        Case(
            "a tier gives once, whatever is revoked and granted again",
            badge("at_least: [1, 3], xp: [10, 20], gives: {gems: [5, 7]}"),
            [
                line("09T10:00:00Z"), by("revoked", "09T11:00:00Z"), by("granted", "09T12:00:00Z"),
                by("revoked", "09T13:00:00Z"), by("granted", "09T14:00:00Z"),
            ],
            at: end,
            ["balances.gems": 12, "totalXP": 30, "achievements.a.tier": 2]
        ),
        Case(
            "per language, to the learner",
            badge("at_least: 1, scope: language, gives: {gems: 5}"),
            [line("09T10:00:00Z", language: "fr"), line("09T10:01:00Z", language: "de")],
            at: end,
            ["balances.gems": 10]
        ),
        Case(
            "what a language gave is read there in the same step",
            "currencies: {gems: {}}\nmetrics: {lines: {count: line.spoken}}\nachievements:\n"
                + "  - {id: rich, value: balance.gems, at_least: 5, scope: language}\n"
                + "  - {id: a, value: total.lines, at_least: 1, scope: language, gives: {gems: 5}}\n"
                + "  - {id: overall, value: balance.gems, at_least: 5}",
            [line("09T10:00:00Z", language: "fr"), line("09T10:01:00Z")],
            at: end,
            language: "fr",
            ["achievements.rich.unlockedAt": "2026-02-09T10:00:00.000Z"]
        ),
        Case(
            "and overall from the next event on",
            "currencies: {gems: {}}\nmetrics: {lines: {count: line.spoken}}\nachievements:\n"
                + "  - {id: a, value: total.lines, at_least: 1, scope: language, gives: {gems: 5}}\n"
                + "  - {id: overall, value: balance.gems, at_least: 5}",
            [line("09T10:00:00Z", language: "fr"), line("09T10:01:00Z")],
            at: end,
            ["achievements.overall.unlockedAt": "2026-02-09T10:01:00.000Z"]
        ),
        Case(
            "freezes of an achievement per language go to both tracks",
            "streak: {when: event.type == 'line.spoken', freezes: {hold: 3}}\nmetrics: {lines: {count: line.spoken}}\n"
                + "achievements: [{id: a, value: total.lines, at_least: 1, scope: language, gives: {freezes: 1}}]",
            [line("09T10:00:00Z", language: "fr")],
            at: "2026-02-09T12:00:00Z",
            language: "fr",
            ["streakFreezes": 1]
        ),
    ]
}
