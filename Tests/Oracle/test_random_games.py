# SPDX-License-Identifier: Apache-2.0
"""Properties of random games, and a count of the features that random games use.

    python3 -m unittest
"""
from __future__ import annotations

import unittest
from collections import Counter
from random import Random
from typing import Any

from events import Event, Store
from fold import without_void
from instants import format_instant, parse_time
from progress import At, all_tracks
from random_events import Stream, random_season
from random_games import with_games
from random_rules import rules_document
from random_versions import later_versions
from rules import Rules, rules_of
from versions import Versions

NOW = parse_time("2027-01-01T00:00:00Z")[0]
SEEDS = range(1, 6)


class Case:
    """Random rules with games, in several versions if asked for, and the events of some learners."""

    def __init__(self, seed: int, versions: bool) -> None:
        rng = Random(seed)
        season = random_season(rng)
        first = with_games(rng, rules_document(rng, season), season)
        self.versions = Versions(rules_of(first, "first"))
        for day, later in later_versions(rng, first, season, True) if versions else []:
            self.versions.apply(rules_of(later, "later"), day)
        self.store = Store()
        ids = [body["id"] for body in first["achievements"]]
        for number, line in enumerate(Stream(rng, 120, season, ids, False, False, True).lines()):
            self.store.take(line, number, NOW)

    def readings(self, at: int, offset: str = "Z") -> list[tuple[list[Event], dict[str, Any]]]:
        """The events and the overall track of each learner."""
        read = At(at, offset)
        histories = [(name, self.store.of_learner(name)) for name in self.store.learners()]
        return [(events, all_tracks(name, events, self.versions, read)["*"]) for name, events in histories]

    def instants(self) -> list[int]:
        times = sorted(event.time for event in self.store.events.values())
        return [times[len(times) // 4], times[len(times) // 2] + 3_600_000, times[-1]]


class Properties(unittest.TestCase):
    def test_of_one_version(self) -> None:
        for seed in SEEDS:
            case = Case(seed, versions=False)
            rules = case.versions[0]
            for at in case.instants():
                for events, got in case.readings(at):
                    with self.subTest(seed=seed, at=format_instant(at)):
                        folded = [e for e in without_void(events, set(rules.administered)) if e.time <= at]
                        self.items(rules, folded, got)
                        self.goals(rules, got)
                        self.refills(rules, at, got, bool(got["events"]))

    def items(self, rules: Rules, events: list[Event], got: dict[str, Any]) -> None:
        bought: Counter[str] = Counter()
        for event in events:
            if event.type == "item.bought":
                bought[event.fields["item"]] += event.fields["count"]
        self.assertEqual(got["items"], {item: bought[item] for item in rules.items})

    def goals(self, rules: Rules, got: dict[str, Any]) -> None:
        listed = {goal["id"]: goal for goal in got["goals"]}
        for pool, draw in rules.pools.items():
            self.assertLessEqual(sum(goal.id in listed for goal in rules.goals if goal.pool == pool), draw)
        for goal in listed.values():
            self.assertEqual(goal["progress"] == 1, goal["completedAt"] is not None or (goal["value"] or 0) >= goal["target"])
            self.assertGreaterEqual(goal["times"], goal["completedAt"] is not None)
        earned = sum(goal.xp * listed[goal.id]["times"] for goal in rules.goals if goal.id in listed)
        self.assertGreaterEqual(got["xpBreakdown"].get("goals", 0), earned)

    def refills(self, rules: Rules, at: int, got: dict[str, Any], begun: bool) -> None:
        for name, currency in rules.currencies.items():
            waiting = begun and currency.refill is not None and got["balances"][name] < (currency.hold or 0)
            self.assertEqual(name in got["nextRefillAt"], waiting, name)
            if waiting and currency.refill:
                following = parse_time(got["nextRefillAt"][name])[0]
                self.assertTrue(at < following <= at + currency.refill.every)

    def test_the_order_of_arrival_is_not_seen(self) -> None:
        for seed in (1, 2):
            case = Case(seed, versions=True)
            at = case.instants()[1]
            before = [got for _, got in case.readings(at, "+05:30")]
            case.store.events = dict(reversed(case.store.events.items()))
            self.assertEqual([got for _, got in case.readings(at, "+05:30")], before, seed)


class Coverage(unittest.TestCase):
    def test_every_feature_shows(self) -> None:
        seen: Counter[str] = Counter()
        for seed in SEEDS:
            case = Case(seed, versions=True)
            seen["weeks"] += any(version.rules.streak and version.rules.streak.weekly for version in case.versions.all)
            for at in case.instants():
                for _, got in case.readings(at):
                    goals = got.get("goals", [])
                    seen["experiments"] += len(got["experiments"])
                    seen["season"] += got["season"]["xp"] != 0
                    seen["completed"] += sum(goal["completedAt"] is not None for goal in goals)
                    seen["times"] += sum(goal["times"] > 1 for goal in goals)
                    seen["XP of goals"] += "goals" in got["xpBreakdown"]
                    seen["balances"] += sum(balance > 0 for balance in got["balances"].values())
                    seen["debts"] += sum(balance < 0 for balance in got["balances"].values())
                    seen["refills"] += len(got["nextRefillAt"])
                    seen["items"] += sum(got["items"].values())
                    seen["freezes"] += got["streakFreezes"] > 0
                    seen["flagged events"] += got.get("flaggedEvents", 0)
                    seen["flagged XP"] += got.get("flaggedXP", 0) != 0
        self.assertEqual([feature for feature, count in seen.items() if count == 0], [])


if __name__ == "__main__":
    unittest.main()
