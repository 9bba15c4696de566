# SPDX-License-Identifier: Apache-2.0
"""Leagues computed by hand.

    python3 -m unittest
"""
from __future__ import annotations

import json
import unittest
from typing import Any

from events import Store
from hashing import hashed_twice
from instants import parse_time
from leagues import Leagues
from progress import At
from test_oracle import event, load_text, tracks
from test_versions import versions
from versions import Versions

NOW = parse_time("2027-01-01T00:00:00Z")[0]
BODY = "tiers: [bronze, silver, gold], size: 3, promote: 1, demote: 1, settle_after: 14h"
XP = "xp: [{id: line, on: line.spoken, award: event.words}]"
FIRST_RUN, DUE = "2026-03-02T00:00:00Z", "2026-03-10T02:00:00Z"
"""The first instant of 2026-W10, and the instant at which 14 hours have gone since the week ended at UTC−12."""


def rules(body: str = BODY, more: str = XP) -> str:
    return f"leagues: {{weekly: {{{body}}}}}\n{more}"


def spoken(learner: str, words: int, time: str = "2026-03-04T10:00:00Z", **more: Any) -> dict[str, Any]:
    return event("line.spoken", time, {"words": words}, subject=learner, **more)


def placed(learner: str, tier: str, time: str = "2026-03-02T01:00:00Z") -> dict[str, Any]:
    data = {"league": "weekly", "week": "before", "tier": tier, "xp": 1, "rank": 4, "outcome": "stayed", "next": tier}
    return event("league.finished", time, data, subject=learner)


def retracted(learner: str, id: str, source: str = "laurel/league", time: str = "2026-03-09T00:00:00Z") -> dict[str, Any]:
    return event("event.retracted", time, {"source": source, "id": id}, subject=learner)


def out(learner: str, competes: bool = False, time: str = "2026-03-08T00:00:00Z") -> dict[str, Any]:
    return event("learner.updated", time, {"leagues": competes}, subject=learner)


class World:
    """Leagues whose first run was at the beginning of 2026-W10."""

    def __init__(self, known: Versions | str, *events: dict[str, Any], first_run: str | None = FIRST_RUN) -> None:
        self.leagues = Leagues(Store(), Versions(load_text(known)) if isinstance(known, str) else known)
        if first_run is not None:
            self.settle(first_run)
        self.take(*events)

    def take(self, *events: dict[str, Any]) -> "World":
        for item in events:
            self.leagues.store.take(json.dumps(item).encode(), 0, NOW)
        assert self.leagues.store.counts["refused"] == 0, self.leagues.store.reasons
        return self

    def settle(self, at: str = DUE) -> "World":
        self.leagues.settle(At.parse(at))
        return self

    def results(self) -> list[dict[str, Any]]:
        """The results that settlements wrote."""
        return [result for result in self.leagues.results() if result["data"]["week"] != "before"]

    def told(self, *names: str) -> list[tuple[Any, ...]]:
        """Fields of the results, after the learner."""
        return [(result["subject"], *(result["data"].get(name) for name in names)) for result in self.results()]

    def ids(self) -> list[tuple[str, str]]:
        return [(result["subject"], result["id"]) for result in self.results()]


class Competitors(unittest.TestCase):
    def test_week_of_local_days(self) -> None:
        world = World(
            rules(),
            spoken("a", 5, "2026-03-02T03:00:00+09:00"), spoken("a", 7, "2026-03-01T23:59:59Z"),
            spoken("a", 1, "2026-03-09T10:00:00-11:00"), spoken("b", 4, "2026-03-09T03:00:00Z", timezone="America/New_York"),
        )
        self.assertEqual(world.settle().told("xp", "rank", "of"), [("a", 5, 1, 2), ("b", 4, 2, 2)])

    def test_flagged_xp_and_adjustments_are_left_out(self) -> None:
        more = "plausible: {line.spoken: {at_most: 2, per: day}}\nxp:\n  - {id: line, on: line.spoken, award: 5}\n"
        more += "  - {id: hint, bucket: adjustment, on: hint.used, award: 9}"
        adjusted = event("xp.adjusted", "2026-03-04T12:00:00Z", {"amount": 100}, subject="a")
        lines = [spoken("a", hour, f"2026-03-04T{hour}:00:00Z") for hour in range(10, 14)]
        hint = event("hint.used", "2026-03-04T13:00:00Z", subject="b")
        self.assertEqual(World(rules(more=more), adjusted, hint, *lines).settle().told("xp"), [("a", 10)])

    def test_nobody_without_xp(self) -> None:
        self.assertEqual(World(rules(), spoken("a", 0)).settle().results(), [])

    def test_opting_out(self) -> None:
        world = World(
            rules(), spoken("a", 5), out("a"), spoken("b", 5), out("b"), out("b", True, "2026-03-09T00:00:00Z"),
            placed("c", "silver"), spoken("c", 7), out("c"), placed("d", "silver"),
        )
        self.assertEqual(world.settle().told("tier", "rank", "room", "of", "xp", "outcome", "next"), [
            ("b", "bronze", 1, 1, 1, 5, "promoted", "silver"), ("c", "silver", None, None, None, 7, "stayed", "silver"),
            ("d", "silver", None, None, None, 0, "demoted", "bronze"),
        ])


class Rooms(unittest.TestCase):
    def test_slices_of_the_order(self) -> None:
        """Seven competitors need three rooms of at most three; the first has one more."""
        names = ["a", "b", "c", "d", "e", "🦊", "é"]
        world = World(rules(), *(spoken(name, 5) for name in names)).settle()
        order = sorted(names, key=lambda name: (hashed_twice(f"2026-W10/bronze/{name}"), name.encode()))
        rooms = {learner: (room, of) for learner, room, of in world.told("room", "of")}
        self.assertEqual([rooms[name] for name in order], [(1, 3)] * 3 + [(2, 2)] * 2 + [(3, 2)] * 2)

    def test_each_tier_has_rooms_of_its_own(self) -> None:
        world = World(rules(), spoken("a", 5), spoken("b", 9), placed("b", "gold"))
        self.assertEqual(world.settle().told("tier", "room", "rank"), [("a", "bronze", 1, 1), ("b", "gold", 1, 1)])

    def test_ties(self) -> None:
        """All have 9. Zoe and Ben had so much first, and Cy lost it again before he had it for good."""
        less = event("achievement.revoked", "2026-03-04T11:30:00Z", {"achievement": "x"}, subject="cy")
        more = XP + "\nachievements: [{id: x, value: total.xp, at_least: 5, when: event.session == 's', xp: 4}]"
        world = World(
            rules(BODY.replace("size: 3", "size: 4"), more), spoken("ana", 4, "2026-03-04T10:00:00Z"), spoken("ana", 5, "2026-03-04T12:00:00Z"),
            spoken("zoe", 9, "2026-03-04T11:00:00Z"), spoken("ben", 9, "2026-03-04T13:00:00+02:00"),
            spoken("cy", 9, "2026-03-04T11:00:30Z", session="s"), less,
        )
        self.assertEqual(sorted(world.settle().told("rank", "xp"), key=lambda row: int(row[1])), [
            ("ben", 1, 9), ("zoe", 2, 9), ("cy", 3, 9), ("ana", 4, 9),
        ])

    def test_outcomes(self) -> None:
        """The first of a room rises, the last falls, but not beyond the ends."""
        for tier, expected in (
            ("bronze", ["promoted silver", "stayed bronze", "stayed bronze"]),
            ("silver", ["promoted gold", "stayed silver", "demoted bronze"]),
            ("gold", ["stayed gold", "stayed gold", "demoted silver"]),
        ):
            world = World(rules(), *(placed(name, tier) for name in "abc"), *(spoken(name, 9 - i) for i, name in enumerate("abc")))
            told = world.settle().told("outcome", "next")
            self.assertEqual([f"{outcome} {following}" for _, outcome, following in told], expected, tier)

    def test_small_rooms(self) -> None:
        """Who is promoted is not demoted. In a league of one tier all stay."""
        body = BODY.replace("demote: 1", "demote: 3").replace("promote: 1", "promote: 2")
        events = [spoken(name, 9 - i) for i, name in enumerate("abc")]
        world = World(rules(body), *(placed(name, "silver") for name in "abc"), *events)
        self.assertEqual([row[1] for row in world.settle().told("outcome")], ["promoted", "promoted", "demoted"])
        world = World(rules(body.replace(", silver, gold", "")), *events)
        self.assertEqual([row[1] for row in world.settle().told("outcome")], ["stayed"] * 3)


class Settlement(unittest.TestCase):
    def test_due(self) -> None:
        world = World(rules(), spoken("a", 5))
        self.assertEqual(world.settle("2026-03-10T01:59:59.999Z").results(), [])
        first = world.settle().results()
        self.assertEqual((first[0]["id"], first[0]["time"]), ("weekly/2026-W10", "2026-03-10T02:00:00.000Z"))
        self.assertEqual(world.settle().results(), first)

    def test_day_starts_at_and_week_starts_on(self) -> None:
        calendar = "calendar: {day_starts_at: '04:00', week_starts_on: sunday}\n"
        world = World(rules(more=calendar + XP), spoken("a", 5, "2026-03-08T03:59:59Z"), spoken("a", 1, "2026-03-01T05:00:00Z"))
        result = world.settle("2026-03-09T06:00:00Z").results()[0]
        self.assertEqual((result["id"], result["time"]), ("weekly/2026-03-01", "2026-03-09T06:00:00.000Z"))
        self.assertEqual(result["data"]["xp"], 6)

    def test_clock_of_the_result(self) -> None:
        """It is that of the latest event, also if the event is later than the result."""
        for time, more, expected in (
            ("2026-03-12T10:00:00Z", {"timezone": "Asia/Tokyo"}, ("2026-03-10T02:00:00.000Z", "Asia/Tokyo")),
            ("2026-03-12T10:00:00+05:30", {}, ("2026-03-10T07:30:00.000+05:30", None)),
            ("2026-03-12T10:00:00-00:00", {}, ("2026-03-10T02:00:00.000Z", None)),
            ("2026-03-12T10:00:00+00:00", {}, ("2026-03-10T02:00:00.000+00:00", None)),
        ):
            result = World(rules(), spoken("a", 5), spoken("a", 1, time, **more)).settle().results()[0]
            self.assertEqual((result["time"], result.get("timezone")), expected, time)

    def test_imported_result(self) -> None:
        """A result that came from another store stays, and tells the tier."""
        data = {"league": "weekly", "week": "2026-W10", "tier": "silver", "xp": 3, "outcome": "stayed", "next": "silver"}
        result = event("league.finished", DUE, data, subject="a", source="laurel/league", id="weekly/2026-W10")
        world = World(rules(), result, spoken("a", 5), spoken("b", 4), placed("b", "silver")).settle()
        self.assertEqual(world.told("xp", "rank"), [("a", 3, None), ("b", 4, 2)])

    def test_weeks_in_order(self) -> None:
        """Without XP in the second week, Ana falls again."""
        world = World(rules(), spoken("a", 5)).settle("2026-03-17T02:00:00Z")
        self.assertEqual(world.told("week", "tier", "outcome"), [
            ("a", "2026-W10", "bronze", "promoted"), ("a", "2026-W11", "silver", "demoted"),
        ])
        known = versions(rules(BODY.replace("14h", "9d")), ("2026-03-09", rules()))
        world = World(known, spoken("a", 5), spoken("a", 6, "2026-03-11T10:00:00Z"))
        self.assertEqual(world.settle("2026-03-17T02:00:00Z").results(), [])
        self.assertEqual(world.settle("2026-03-18T12:00:00Z").told("week"), [("a", "2026-W10"), ("a", "2026-W11")])

    def test_first_week(self) -> None:
        """The first version's leagues begin with the week of the first run, others with the first whole week."""
        events = [spoken("a", 5, f"2026-03-{day:02}T10:00:00Z") for day in (1, 4, 11, 18)]
        end, weeks = "2026-03-30T00:00:00Z", ["2026-W09", "2026-W10", "2026-W11", "2026-W12"]
        for known, first_run, expected in (
            (versions(rules()), "2026-03-08T23:59:59Z", weeks[1:]), (versions(rules()), "2026-03-09T00:00:00Z", weeks[2:]),
            (versions(XP, ("2026-03-02", rules())), None, weeks[1:]), (versions(XP, ("2026-03-03", rules())), None, weeks[2:]),
            (versions(rules(), ("2026-03-04", XP), ("2026-03-12", rules())), "2026-03-08T00:00:00Z", [weeks[1], weeks[3]]),
            (versions(rules(), ("2026-03-04", XP), ("2026-03-12", rules())), None, [weeks[3]]),
        ):
            world = World(known, *events, first_run=first_run).settle(end)
            self.assertEqual([row[1] for row in world.told("week")], expected, first_run)

    def test_versions(self) -> None:
        """The rules of a week's first day decide, also about a tier that they lack."""
        known = versions(rules(), ("2026-03-05", rules(BODY.replace("bronze, silver", "iron, bronze"))))
        world = World(known, spoken("a", 5), placed("a", "silver"), spoken("a", 5, "2026-03-11T10:00:00Z"))
        self.assertEqual(world.settle("2026-03-18T00:00:00Z").told("tier", "next"), [("a", "silver", "gold"), ("a", "gold", "gold")])
        world = World(known, spoken("a", 5), spoken("a", 5, "2026-03-11T10:00:00Z"), retracted("a", "weekly/2026-W10"))
        world.take(placed("a", "silver", "2026-03-16T00:00:00Z"))
        self.assertEqual(world.settle("2026-03-18T00:00:00Z").told("tier", "next"), [("a", "silver", "gold"), ("a", "iron", "bronze")])

    def test_result_earns_xp(self) -> None:
        """A result's XP belongs to the week of its own local day, and to other leagues' weeks, too."""
        more = f"{XP[:-1]}, {{id: prize, on: league.finished, award: 3}}]"
        known = rules(more=more).replace("leagues: {", f"leagues: {{other: {{{BODY}}}, ")
        world = World(known, spoken("a", 5)).settle("2026-03-17T02:00:00Z")
        self.assertEqual(world.told("xp"), [("a", 5), ("a", 6), ("a", 5), ("a", 6)])


class LateEvents(unittest.TestCase):
    LATE = BODY + ", late: promote-only"

    def test_final(self) -> None:
        world = World(rules(), spoken("a", 5)).settle().take(spoken("b", 9)).settle()
        self.assertEqual(world.ids(), [("a", "weekly/2026-W10")])

    def test_better_outcomes(self) -> None:
        """Ben overtakes Ana, who keeps her outcome."""
        world = World(rules(self.LATE), spoken("a", 5), spoken("b", 4)).settle()
        world.take(spoken("b", 4, "2026-03-05T10:00:00Z"), spoken("b", 4, "2026-03-11T00:00:00Z", timezone="Asia/Tokyo"))
        world.settle("2026-03-12T00:00:00Z").settle()
        self.assertEqual(world.ids(), [("a", "weekly/2026-W10"), ("b", "weekly/2026-W10"), ("b", "weekly/2026-W10/2")])
        again = world.results()[2]
        self.assertEqual((again["time"], again["timezone"]), ("2026-03-10T02:00:00.000Z", "Asia/Tokyo"))
        self.assertEqual(world.told("rank", "of", "xp", "outcome", "next")[2], ("b", 1, 2, 8, "promoted", "silver"))

    def test_until_a_later_week(self) -> None:
        """A run settles the earlier week again before it settles the later one."""
        late = spoken("b", 9)
        world = World(rules(self.LATE), spoken("a", 5)).settle().take(late).settle("2026-03-17T02:00:00Z")
        self.assertEqual(world.told("week")[2:], [("b", "2026-W10"), ("b", "2026-W11")])
        world = World(rules(self.LATE), spoken("a", 5)).settle().settle("2026-03-17T02:00:00Z").take(late).settle("2026-03-17T02:00:00Z")
        self.assertEqual([row for row in world.told("week") if row[0] == "b"], [])

    def test_members_stay(self) -> None:
        """Ana, whose line was retracted, and Ben, who opted out, keep their places; Ben is first now."""
        line = spoken("a", 5, id="l")
        world = World(rules(self.LATE), line, spoken("b", 4)).settle()
        world.take(retracted("a", "l", "app"), out("b")).settle()
        self.assertEqual(world.told("rank", "of", "xp", "outcome"), [
            ("a", 1, 2, 5, "promoted"), ("b", 2, 2, 4, "stayed"), ("b", 1, 2, 4, "promoted"),
        ])

    def test_latecomers(self) -> None:
        """Rooms of 2, 2 and 1: latecomers fill the last, then the first. Only those who are promoted get a result."""
        names = ["a", "b", "c", "d", "e"]
        world = World(rules(self.LATE.replace("size: 3", "size: 2")), *(spoken(name, 5) for name in names)).settle()
        late = sorted(["u", "v", "w"], key=lambda name: hashed_twice(f"2026-W10/bronze/{name}"))
        world.take(*(spoken(name, 9 + i) for i, name in enumerate(late))).settle()
        told = {row[0]: row[1:] for row in world.told("room", "rank", "of", "outcome") if row[0] in late}
        self.assertEqual(told, {late[0]: (3, 1, 2, "promoted"), late[1]: (1, 1, 3, "promoted"), late[2]: (2, 1, 3, "promoted")})
        world = World(rules(self.LATE)).settle().take(spoken("a", 1), spoken("b", 2)).settle()
        self.assertEqual(world.told("room", "rank", "of"), [("b", 1, 1, 2)])

    def test_non_competitors(self) -> None:
        """Ana practised after all, Ben opted out, Cy had opted out, and Dee was placed late."""
        world = World(rules(self.LATE), *(placed(name, "silver") for name in "abc"), out("c")).settle()
        world.take(spoken("a", 1), out("b"), out("c", True, "2026-03-09T00:00:00Z"), placed("d", "silver")).settle()
        self.assertEqual([row for row in world.told("outcome", "rank", "next")], [
            ("a", "demoted", None, "bronze"), ("a", "promoted", 1, "gold"), ("b", "demoted", None, "bronze"),
            ("b", "stayed", None, "silver"), ("c", "stayed", None, "silver"),
        ])

    def test_three_results(self) -> None:
        world = World(rules(self.LATE), *(placed(name, "silver") for name in "abc"), *(spoken(name, 9) for name in "ab")).settle()
        world.take(spoken("c", 3), out("c")).settle().take(out("c", True, "2026-03-09T00:00:00Z"), spoken("c", 20, "2026-03-04T11:00:00Z"))
        self.assertEqual([id for name, id in world.settle().ids() if name == "c"], [
            "weekly/2026-W10", "weekly/2026-W10/2", "weekly/2026-W10/3",
        ])

    def test_retracted_results(self) -> None:
        """Ben gets no other result, but keeps his place before Cy."""
        world = World(rules(self.LATE), spoken("a", 5), spoken("b", 4), spoken("c", 3)).settle()
        world.take(retracted("b", "weekly/2026-W10"), spoken("b", 9, "2026-03-05T10:00:00Z"), spoken("c", 3, "2026-03-05T10:00:00Z"))
        self.assertEqual(len(world.settle().results()), 3)
        self.assertEqual([m["learner"] for m in world.leagues.standings("2026-W10")[0]["tiers"][0]["rooms"][0]["members"]], ["a", "c"])


class Names(unittest.TestCase):
    XP = """
metrics: {silver: {count: "*", where: league.weekly.tier == "silver"}}
xp: [{id: x, on: "*", award: "default(league.weekly.rank, 100)"}]
achievements: [{id: a, value: "league.weekly.tier == 'silver' ? 1 : 0", at_least: 1, scope: language, xp: 1000}]
"""

    def test_tier_and_rank(self) -> None:
        """The event of the result sees them already, and language tracks do. Unknown tiers are the lowest."""
        line = spoken("ana", 1, "2026-03-03T00:00:00Z", language="de")
        for tier, expected in (("silver", 2), ("none", 0)):
            progress = tracks(rules(more=self.XP), [spoken("ana", 1, FIRST_RUN), placed("ana", tier), line], DUE)
            self.assertEqual(progress["*"]["metrics"]["silver"], expected)
            self.assertEqual(progress["*"]["totalXP"], 108 + 1000 * (expected > 0))
            self.assertEqual(progress["de"]["totalXP"], 4 + 1000 * (expected > 0))

    def test_latest_in_the_order(self) -> None:
        """A result without a rank takes the earlier rank away."""
        data = {"league": "weekly", "week": "w", "tier": "silver", "xp": 0, "outcome": "demoted", "next": "bronze"}
        later = event("league.finished", "2026-03-02T02:00:00Z", data)
        progress = tracks(rules(more=self.XP), [later, placed("ana", "silver")], DUE)["*"]
        self.assertEqual((progress["metrics"]["silver"], progress["totalXP"]), (1, 104))


class Standings(unittest.TestCase):
    def test_before_and_after_settlement(self) -> None:
        """A later line counts until the week is settled."""
        world = World(rules(), spoken("a", 5), spoken("b", 6), spoken("c", 1), placed("c", "gold"))
        def member(rank: int, learner: str, xp: int, outcome: str, following: str) -> dict[str, Any]:
            return {"rank": rank, "learner": learner, "xp": xp, "outcome": outcome, "next": following}
        expected = [{"league": "weekly", "week": "2026-W10", "tiers": [
            {"tier": "bronze", "rooms": [{"room": 1, "members": [member(1, "b", 6, "promoted", "silver"), member(2, "a", 5, "stayed", "bronze")]}]},
            {"tier": "silver", "rooms": []},
            {"tier": "gold", "rooms": [{"room": 1, "members": [member(1, "c", 1, "stayed", "gold")]}]},
        ]}]
        self.assertEqual(world.leagues.standings("2026-W10"), expected)
        world.settle().take(spoken("a", 9, "2026-03-05T10:00:00Z"))
        self.assertEqual(world.leagues.standings("2026-W10"), expected)


if __name__ == "__main__":
    unittest.main()
