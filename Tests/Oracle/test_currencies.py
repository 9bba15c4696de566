# SPDX-License-Identifier: Apache-2.0
"""Stories computed by hand: currencies, refills, awards, purchases and gifts.

    python3 -m unittest
"""
from __future__ import annotations

import unittest
from typing import Any

from test_oracle import event, told, tracks
from test_versions import END, lines, versions

HEARTS = "currencies: {hearts: {start: 5, hold: 5, refill: {every: 4h, by: 1}, awards: [{id: slip, on: error.detected, award: -1}]}}"


def slip(time: str, **more: Any) -> dict[str, Any]:
    return event("error.detected", f"2026-03-{time}Z", more.pop("data", None), **more)


def adjusted(time: str, amount: int, currency: str = "hearts") -> dict[str, Any]:
    return event("currency.adjusted", f"2026-03-{time}Z", {"currency": currency, "amount": amount})


def bought(time: str, item: str, count: int | None = None, **more: Any) -> dict[str, Any]:
    return event("item.bought", f"2026-03-{time}Z", {"item": item, "count": count}, **more)


class Refills(unittest.TestCase):
    def hearts(self, events: list[dict[str, Any]], at: str, rules: str = HEARTS) -> tuple[int, str | None]:
        got = tracks(rules, events, f"2026-03-{at}Z")["*"]
        following = got["nextRefillAt"].get("hearts")
        return got["balances"]["hearts"], following and following[8:16]

    def test_periods_count_from_the_anchor(self) -> None:
        events = [slip("01T10:00:00"), slip("01T12:00:00")]
        for at, hearts in (
            ("01T09:00:00", (5, None)), ("01T10:00:00", (4, "01T14:00")), ("01T12:00:00", (3, "01T14:00")),
            ("01T14:00:00", (4, "01T18:00")), ("01T17:59:59", (4, "01T18:00")), ("01T18:00:00", (5, None)), ("09T00:00:00", (5, None)),
        ):
            self.assertEqual(self.hearts(events, at), hearts, at)

    def test_a_balance_that_was_full_has_a_new_anchor(self) -> None:
        events = [slip("01T10:00:00"), slip("01T15:00:00")]  # full again at 14:00
        self.assertEqual(self.hearts(events, "01T16:00:00"), (4, "01T19:00"))
        events = [slip("01T10:00:00"), adjusted("01T11:00:00", 1), adjusted("01T11:30:00", -3)]
        self.assertEqual(self.hearts(events, "01T12:00:00"), (2, "01T15:30"))

    def test_the_last_single_change_within_an_event(self) -> None:
        rules = HEARTS.replace("awards: [", "awards: [{id: plus, on: error.detected, award: 1}, ")
        events = [slip("01T10:00:00"), slip("01T11:00:00")]  # the second fills and takes at once
        self.assertEqual(self.hearts(events, "01T12:00:00", rules), (4, "01T15:00"))

    def test_begun_below(self) -> None:
        rules = HEARTS.replace("start: 5, ", "")
        self.assertEqual(self.hearts([], "09T00:00:00", rules), (0, None))
        self.assertEqual(self.hearts([slip("01T10:00:00")], "01T18:30:00", rules), (2, "01T22:00"))

    def test_above_hold(self) -> None:
        events = [adjusted("01T10:00:00", 3), slip("01T11:00:00"), slip("01T12:00:00")]
        self.assertEqual(self.hearts(events, "02T00:00:00"), (6, None))

    def test_a_late_event(self) -> None:
        events = [slip("01T10:00:00"), slip("01T12:00:00")]
        late = adjusted("01T09:00:00", -5)
        self.assertEqual(self.hearts(events + [late], "01T13:00:00"), (1, "01T17:00"))
        undo = event("event.retracted", "2026-03-02T00:00:00Z", {"source": "app", "id": late["id"]})
        self.assertEqual(self.hearts(events + [late, undo], "02T00:00:00"), self.hearts(events, "02T00:00:00"))

    def test_refilled_before_expressions(self) -> None:
        rules = HEARTS + "\nxp: [{id: x, on: '*', award: balance.hearts}]"
        events = [slip("01T10:00:00"), slip("01T10:00:01"), slip("01T14:00:00")]
        self.assertEqual(tracks(rules, events, END)["*"]["totalXP"], 5 + 4 + 4)


class Awards(unittest.TestCase):
    def balance(self, body: str, events: list[dict[str, Any]]) -> int:
        return int(tracks(f"currencies: {{gems: {body}}}", events, END)["*"]["balances"]["gems"])

    def test_amounts(self) -> None:
        for body, balance in (
            ("{awards: [{id: a, on: line.spoken, award: 2.9}]}", 6), ("{start: 9, awards: [{id: a, on: line.spoken, award: -2.9}]}", 3),
            ("{start: 5, awards: [{id: a, on: line.spoken, award: -2.9}]}", 0), ("{awards: [{id: a, on: line.spoken, award: event.words}]}", 0),
            ("{hold: 5, awards: [{id: a, on: line.spoken, award: 2}]}", 5), ("{start: 9, hold: 5, awards: [{id: a, on: line.spoken, award: 2}]}", 9),
            ("{start: -3, awards: [{id: a, on: line.spoken, award: -2}, {id: b, on: line.spoken, award: 1}]}", 0),
            ("{awards: [{id: a, on: line.spoken, award: 2, when: local.date > '2026-03-01'}]}", 4),
            ("{awards: [{id: a, on: '*', award: 2, from: 2026-03-02, through: 2026-03-02}]}", 2),
        ):
            self.assertEqual(self.balance(body, lines("03-01", "03-02", "03-03")), balance, body)

    def test_all_are_evaluated_before_any_takes_effect(self) -> None:
        body = "{start: 1, awards: [{id: a, on: line.spoken, award: balance.gems}, {id: b, on: line.spoken, award: balance.gems + total.xp}]}"
        rules = f"{{currencies: {{gems: {body}}}, xp: [{{id: x, on: line.spoken, award: 10}}]}}"
        self.assertEqual(tracks(rules, lines("03-01"), END)["*"]["balances"], {"gems": 3})

    def test_daily_caps(self) -> None:
        # The cap limits what is asked for: the first day's 4 use up 4, though only 3 fit.
        events = lines("03-01", "2026-03-01T13:00:00Z", "03-02") + [adjusted("01T12:30:00", -3, "gems")]
        body = "{%sawards: [{id: a, on: line.spoken, award: 4, daily_cap: 6}, {id: b, on: line.spoken, award: -1, daily_cap: 1}]}"
        self.assertEqual(self.balance(body % "", events), (4 - 1 - 3) + (2 - 1) + (4 - 1))
        self.assertEqual(self.balance(body % "hold: 3, ", events), 2)

    def test_debt_stays_where_events_come_late(self) -> None:
        body = "{start: 2, awards: [{id: a, on: line.spoken, award: 1}]}"
        self.assertEqual(self.balance(body, lines("03-02") + [adjusted("01T00:00:00", -9, "gems")]), -6)


class Items(unittest.TestCase):
    RULES = """
        currencies: {gems: {start: 500}, hearts: {start: 1, hold: 5}}
        items:
          freeze: {price: {gems: 200}, gives: {freezes: 1}, limit: 2}
          hearts: {price: {gems: 30, hearts: 1}, gives: {hearts: 2}}
        streak: {when: event.type == 'line.spoken', freezes: {hold: 2}}
        """

    def test_bought(self) -> None:
        events = [bought("01T10:00:00", "freeze", 2), bought("01T11:00:00", "hearts", 3, language="es"), bought("01T12:00:00", "hat")]
        got = tracks(self.RULES, events, END)
        self.assertEqual(got["*"]["items"], {"freeze": 2, "hearts": 3})
        self.assertEqual(got["*"]["balances"], {"gems": 500 - 400 - 90, "hearts": 1 - 3 + 6})
        self.assertEqual([got[track]["streakFreezes"] for track in ("*", "es")], [2, 0])
        self.assertNotIn("balances", got["es"])

    def test_a_freeze_bought_on_the_missed_day(self) -> None:
        events = lines("03-01") + [bought("02T10:00:00", "freeze")]
        self.assertEqual(tracks(self.RULES, events, "2026-03-03T10:00:00Z")["*"]["currentStreak"], 1)

    def test_into_debt(self) -> None:
        events = [bought("01T10:00:00", "freeze", 3), bought("01T10:00:00", "hearts", 2)]
        self.assertEqual(tracks(self.RULES, events, END)["*"]["balances"], {"gems": -160, "hearts": 3})

    def test_a_discarded_session_leaves_purchases(self) -> None:
        events = [bought("01T10:00:00", "freeze", session="s"), event("session.discarded", "2026-03-01T11:00:00Z", session="s")]
        self.assertEqual(tracks(self.RULES, events, END)["*"]["items"]["freeze"], 1)


class Gifts(unittest.TestCase):
    def test_of_tiers(self) -> None:
        rules = """
            currencies: {gems: {}}
            metrics: {lines: {count: line.spoken}}
            streak: {when: 'false', freezes: {hold: 9}}
            achievements:
              - {id: a, value: total.lines, at_least: [1, 2, 3], xp: [1, 10, 100], gives: {gems: [5, 6, 7], freezes: 1}}
              - {id: b, value: balance.gems, at_least: 11, xp: 1000}
            """
        events = lines("03-01", "03-02")
        got = tracks(rules, events, END)["*"]
        self.assertEqual((got["totalXP"], got["balances"]["gems"], got["streakFreezes"]), (1011, 11, 2))
        revoked, granted = (event(f"achievement.{kind}", f"2026-03-0{day}T12:00:00Z", {"achievement": "a"}) for kind, day in (("revoked", 3), ("granted", 4)))
        got = tracks(rules, events + [revoked], END)["*"]
        self.assertEqual((got["totalXP"], got["balances"]["gems"], got["streakFreezes"]), (1000, 11, 2))
        got = tracks(rules, events + [revoked, granted], END)["*"]
        self.assertEqual((got["totalXP"], got["balances"]["gems"], got["streakFreezes"]), (1111, 18, 3))

    def test_per_language(self) -> None:
        rules = """
            currencies: {gems: {awards: [{id: line, on: line.spoken, award: 10}]}}
            metrics: {seen: {last: balance.gems, on: line.spoken}}
            streak: {when: 'false', freezes: {hold: 9}}
            achievements:
              - {id: first, scope: language, value: total.seen, at_least: 1, gives: {gems: 5, freezes: 2}}
              - {id: rich, scope: language, value: balance.gems, at_least: 15}
              - {id: all, value: balance.gems, at_least: 15}
            """
        got = told(versions(rules), lines("03-01", language="es"), END)
        self.assertEqual((got["*"]["metrics"]["seen"], got["es"]["metrics"]["seen"]), (0, 10))
        self.assertEqual((got["*"]["streakFreezes"], got["es"]["streakFreezes"], got["*"]["balances"]), (2, 2, {"gems": 15}))
        self.assertEqual([item["tier"] for item in got["es"]["achievements"] + got["*"]["achievements"]], [1, 1, 0])

    def test_a_tier_that_gave_nothing(self) -> None:
        body = "{currencies: {gems: {}}, metrics: {n: {count: line.spoken}}, achievements: [{id: a, value: total.n, at_least: %s}]}"
        rules = versions(body % "1", ("2026-03-03", body % "[1, 2], gives: {gems: [5, 7]}"))
        self.assertEqual(told(rules, lines("03-01", "03-03"), END)["*"]["balances"], {"gems": 7})


class InTime(unittest.TestCase):
    BODY = "{currencies: {hearts: {start: %s, %sawards: [{id: slip, on: error.detected, award: -1}]}, gems: {}}}"

    def test_each_version_gone_over_refills(self) -> None:
        slow, fast = self.BODY % (5, "hold: 5, refill: {every: 10h, by: 1}, "), self.BODY % (5, "hold: 5, refill: {every: 1h, by: 1}, ")
        slips = [slip(f"01T00:00:0{second}") for second in range(4)]  # 1 heart left
        rules = versions(slow, ("2026-03-02", fast), ("2026-03-03", slow))
        # Until 03-03 00:30: 48 h by the first version are 4 periods, so all is full.
        got = told(rules, slips + [slip("03T00:30:00")], "2026-03-03T00:30:00Z")["*"]
        self.assertEqual((got["balances"]["hearts"], got["nextRefillAt"]), (4, {"hearts": "2026-03-03T10:30:00.000Z"}))
        # From 01T00:00 until 02T01:15, two periods by the first; then from 01T20:00, all that is lacking by the second.
        got = told(rules, slips + [slip("02T01:15:00")], "2026-03-02T01:15:00Z")["*"]
        self.assertEqual((got["balances"]["hearts"], got["nextRefillAt"]), (4, {"hearts": "2026-03-02T02:15:00.000Z"}))

    def test_a_new_anchor(self) -> None:
        full = self.BODY % (5, "hold: 5, refill: {every: 1h, by: 1}, ")
        for first in (full, self.BODY % (5, "hold: 5, "), self.BODY % (5, "")):
            rules = versions(first, ("2026-03-02", self.BODY % (0, "hold: 9, refill: {every: 1h, by: 1}, ")))
            got = told(rules, lines("03-01", "03-02"), "2026-03-02T13:30:00Z")["*"]
            self.assertEqual((got["balances"]["hearts"], got["nextRefillAt"]), (6, {"hearts": "2026-03-02T14:00:00.000Z"}), first)

    def test_new_and_gone(self) -> None:
        without = "{currencies: {gems: {}}, items: {hat: {price: {gems: 1}}}}"
        whole = self.BODY % (3, "hold: 5, refill: {every: 1d, by: 1}, ")
        rules = versions(whole, ("2026-03-02", without), ("2026-03-03", whole))
        got = told(rules, [adjusted("01T00:00:00", 9), bought("02T00:00:00", "hat"), slip("03T12:00:00")], "2026-03-03T12:00:00Z")["*"]
        self.assertEqual((got["balances"], got["nextRefillAt"]), ({"hearts": 2, "gems": -1}, {"hearts": "2026-03-04T12:00:00.000Z"}))
        got = told(versions(self.BODY % (3, ""), ("2026-03-02", self.BODY % (4, ""))), [slip("02T12:00:00")], END)["*"]
        self.assertEqual(got["balances"]["hearts"], 3)  # the first event is under the second version, so its start counts

    def test_caps(self) -> None:
        body = "{calendar: {default_timezone: %s}, currencies: {%s: {awards: [{id: a, on: line.spoken, award: 10, daily_cap: 15}]}, gems: {}}}"
        for currency, balance in (("coins", 15), ("stars", 10)):
            rules = versions(body % ("Etc/GMT-12", "coins"), ("2026-03-03", body % ("UTC", currency)))
            got = told(rules, lines("2026-03-02T13:00:00Z", "2026-03-03T01:00:00Z"), END)["*"]
            self.assertEqual(got["balances"][currency], balance)


if __name__ == "__main__":
    unittest.main()
