// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import Testing

/// Balances of currencies: awards, refills and adjustments.
@Suite struct CurrencyTests {
    @Test(arguments: awards + refills + adjustments + readings) func balances(row: Case) throws { try row.check() }

    private static func line(_ time: String, language: String? = nil) -> Event {
        event("line.spoken", "2026-02-\(time)", language: language)
    }

    private static func adjusted(_ time: String, _ currency: String, _ amount: Int) -> Event {
        event("currency.adjusted", "2026-02-\(time)", ["currency": .string(currency), "amount": .count(amount)])
    }

    private static func slip(_ time: String) -> Event { event("error.detected", "2026-02-\(time)") }

    private static let end = "2026-02-28T00:00:00Z"
    private static let lines = [line("09T10:00:00Z"), line("09T10:01:00Z"), line("10T10:00:00Z")]

    private static func gems(_ more: String, start: String = "") -> String {
        "currencies: {gems: {\(start)awards: [{id: line, on: line.spoken, \(more)}]}}"
    }

    static let awards = [
        Case("start without events", "currencies: {gems: {start: 7}}", [], at: end, ["balances.gems": 7]),
        Case("awards add up", gems("award: 5"), lines, at: end, ["balances.gems": 15, "totalXP": 0]),
        Case("start is added to", gems("award: 5", start: "start: 2, "), lines, at: end, ["balances.gems": 17]),
        Case("truncated towards zero", gems("award: 1.9"), lines, at: end, ["balances.gems": 3]),
        Case("null is 0", gems("award: event.accuracy"), lines, at: end, ["balances.gems": 0]),
        Case("a daily cap", gems("award: 5, daily_cap: 8"), lines, at: end, ["balances.gems": 13]),
        Case(
            "a cap limits what awards ask for, before hold",
            "currencies: {gems: {hold: 3, awards: [{id: a, on: line.spoken, award: 5, daily_cap: 8}, "
                + "{id: b, on: error.detected, award: -3}]}}",
            [
                line("09T10:00:00Z"), slip("09T10:01:00Z"), line("09T10:02:00Z"), slip("09T10:03:00Z"),
                line("09T10:04:00Z"),
            ],
            at: end,
            ["balances.gems": 0]
        ),
        Case("a period", gems("award: 5, from: 2026-02-10"), lines, at: end, ["balances.gems": 5]),
        Case(
            "awards never make a debt, and truncate towards zero",
            "currencies: {hearts: {start: 3, awards: [{id: slip, on: error.detected, award: -2.9}]}}",
            [slip("09T10:00:00Z"), slip("09T10:01:00Z")],
            at: end,
            ["balances.hearts": 0]
        ),
        Case(
            "all awards are evaluated before one takes effect",
            "currencies: {gems: {start: 1, awards: [{id: a, on: line.spoken, award: balance.gems}, "
                + "{id: b, on: line.spoken, award: balance.gems}]}}",
            lines,
            at: end,
            ["balances.gems": 27]
        ),
        Case(
            "XP rules see the balance before the event, earned is XP alone",
            "currencies: {gems: {awards: [{id: a, on: line.spoken, award: earned + 1}]}}\n"
                + "xp: [{id: line, on: line.spoken, award: 1 + balance.gems}]",
            lines,
            at: end,
            ["totalXP": .count(1 + 3 + 7), "balances.gems": .count(2 + 4 + 8)]
        ),
        Case(
            "a retraction takes the award along",
            gems("award: 5"),
            lines + [event("event.retracted", "2026-02-11T10:00:00Z", ["source": "app", "id": "e01"])],
            at: end,
            ["balances.gems": 10]
        ),
    ]

    private static let hearts =
        "currencies: {hearts: {start: 5, hold: 5, refill: {every: 4h, by: 1}, "
        + "awards: [{id: slip, on: error.detected, award: -1}, {id: line, on: line.spoken, award: 3}]}}"

    static let refills = [
        Case("full without events", hearts, [], at: end, ["balances.hearts": 5, "nextRefillAt": [:]]),
        Case(
            "whole periods since the balance left hold",
            hearts,
            [slip("09T10:00:00Z"), slip("09T11:00:00Z")],
            at: "2026-02-09T13:59:59.999Z",
            ["balances.hearts": 3, "nextRefillAt.hearts": "2026-02-09T14:00:00.000Z"]
        ),
        Case(
            "the next period begins where the last ended",
            hearts,
            [slip("09T10:00:00Z"), slip("09T10:00:01Z"), slip("09T15:00:00Z")],
            at: "2026-02-09T18:00:00Z",
            ["balances.hearts": 4, "nextRefillAt.hearts": "2026-02-09T22:00:00.000Z"]
        ),
        Case(
            "up to hold",
            hearts,
            [slip("09T10:00:00Z"), slip("09T10:00:01Z")],
            at: end,
            ["balances.hearts": 5, "nextRefillAt": [:]]
        ),
        Case(
            "an award fills up to hold and ends the refill",
            hearts,
            [slip("09T10:00:00Z"), line("09T12:00:00Z"), slip("09T13:00:00Z")],
            at: "2026-02-09T13:00:00Z",
            ["balances.hearts": 4, "nextRefillAt.hearts": "2026-02-09T17:00:00.000Z"]
        ),
        Case(
            "a balance that starts below hold refills from the first event",
            "currencies: {hearts: {start: 1, hold: 3, refill: {every: 1d, by: 1}}}",
            [line("09T10:00:00Z")],
            at: "2026-02-10T10:00:00Z",
            ["balances.hearts": 2, "nextRefillAt.hearts": "2026-02-11T10:00:00.000Z"]
        ),
    ]

    static let adjustments = [
        Case(
            "amounts as they are",
            gems("award: 5"),
            lines + [adjusted("11T10:00:00Z", "gems", -40)],
            at: end,
            ["balances.gems": -25]
        ),
        Case(
            "after the event's awards, and above hold",
            "currencies: {gems: {hold: 10, awards: [{id: a, on: currency.adjusted, award: 8}]}}",
            [adjusted("11T10:00:00Z", "gems", 40)],
            at: end,
            ["balances.gems": 48]
        ),
        Case(
            "an unknown currency",
            gems("award: 5"),
            [adjusted("11T10:00:00Z", "x", 9)],
            at: end,
            ["balances.gems": 0]
        ),
        Case(
            "an award below hold keeps what is above it",
            "currencies: {gems: {hold: 10, awards: [{id: a, on: line.spoken, award: 8}]}}",
            [adjusted("08T10:00:00Z", "gems", 40), line("09T10:00:00Z")],
            at: end,
            ["balances.gems": 40]
        ),
    ]

    private static let rich = "achievements: [{id: rich, value: balance.gems, at_least: 10"

    static let readings = [
        Case(
            "achievements see the event's awards",
            gems("award: 5") + "\n" + rich + "}]",
            lines,
            at: end,
            ["achievements.rich.unlockedAt": "2026-02-09T10:01:00.000Z"]
        ),
        Case(
            "a language reads the learner's balance",
            gems("award: 5") + "\n" + rich + ", scope: language}]",
            [line("09T10:00:00Z", language: "fr"), line("09T10:01:00Z"), line("09T10:02:00Z", language: "de")],
            at: end,
            language: "de",
            ["achievements.rich.unlockedAt": "2026-02-09T10:02:00.000Z", "achievements.rich.progress": 1]
        ),
        Case(
            "a language's metric reads it after the overall track's step",
            gems("award: 5") + "\nmetrics: {seen: {last: balance.gems, on: line.spoken}}",
            [line("09T10:00:00Z", language: "fr"), line("09T10:01:00Z", language: "fr")],
            at: end,
            language: "fr",
            ["metrics.seen": 10]
        ),
        Case(
            "the CEFR score reads it as of the instant",
            hearts + "\ncefr: {score: balance.hearts, bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}",
            [event("error.detected", "2026-02-09T10:00:00Z", language: "fr")],
            at: "2026-02-09T11:00:00Z",
            language: "fr",
            ["estimatedCEFR": "C1"]
        ),
    ]

    @Test func withoutCurrenciesNothingIsShown() throws {
        let progress = try #require(try Story("", CurrencyTests.lines).progress(at: CurrencyTests.end))
        guard case .object(let members) = publicJSON(of: progress) else {
            Issue.record("no object")
            return
        }
        #expect(members["balances"] == nil && members["nextRefillAt"] == nil)
    }
}
