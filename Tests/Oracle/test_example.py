# SPDX-License-Identifier: Apache-2.0
"""One learner under the rules of games.yaml, computed by hand.

    python3 -m unittest
"""
from __future__ import annotations

import os
import unittest
from typing import Any

from rules import load
from test_oracle import event, told
from versions import Versions

RULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "games.yaml")


def at(time: str, kind: str, data: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An event in Berlin, in 2026."""
    return event(kind, f"2026-{time}:00+01:00", data, **more)


EVENTS = [
    at("03-02T09:00", "learner.updated", {"dailyLines": 2, "plan": "pro"}),
    at("03-02T09:01", "line.spoken", language="es"),
    at("03-02T09:02", "error.detected", language="es"),
    at("03-02T09:03", "line.spoken", language="es"),
    at("03-02T09:04", "scenario.completed", {"scenario": "café"}),
    at("03-02T09:05", "scenario.completed", {"scenario": "hotel"}),
    at("03-02T22:00", "item.bought", {"item": "streak_freeze"}, source="laurel/shop"),
    at("03-03T09:00", "line.spoken", language="es"),
    at("03-03T09:01", "line.spoken", language="es"),
    at("03-11T09:00", "line.spoken"),
    at("03-11T09:01", "streak.paused", {"from": "2026-03-16", "through": "2026-03-18"}),
    at("03-11T09:02", "item.bought", {"item": "full_hearts", "count": 2}, source="laurel/shop"),
    at("03-22T22:00", "currency.adjusted", {"currency": "hearts", "amount": -3}),
]


class Story(unittest.TestCase):
    """`growthbook` 4.0.0 gives `ana` 0.5375 for the experiment, so the variant `bonus`. It draws the goal `careful` on 03-02, `talk`
    on 03-03 and 03-11, and `explore` on 03-23."""

    def read(self, time: str) -> dict[str, Any]:
        return told(Versions(load(RULES)), EVENTS, f"2026-{time}:00+01:00")

    def check(self, time: str, **expected: Any) -> None:
        got = self.read(time)["*"]
        goals = {goal["id"]: (goal["progress"], goal["times"]) for goal in got["goals"]}
        got |= {"goals": goals, "tiers": {item["id"]: item["tier"] for item in got["achievements"]}}
        got |= {"nextRefillAt": {name: instant[5:16] for name, instant in got["nextRefillAt"].items()}}
        self.assertEqual({name: got[name] for name in expected}, expected, time)

    def test_before_any_event(self) -> None:
        self.check("02-15T12:00", experiments={}, season={"xp": 0, "lines": 0}, balances={"gems": 0, "hearts": 5}, streakFreezes=1,
                   goals={"own": (0, 0), "festival": (0, 0), "explore": (0, 0)})
        self.check("02-19T12:00", goals={"own": (0, 0), "talk": (0, 0)})

    def test_the_first_day(self) -> None:
        # Each line earns 20, and 3 as an early one.
        self.check("03-02T09:02", xpBreakdown={"line": 20, "early": 3, "goals": 4}, experiments={"double": "bonus"},
                   balances={"gems": 0, "hearts": 4}, nextRefillAt={"hearts": "03-02T12:02"})
        # The goal `own` gives 10 gems, and `regular` in the track of Spanish 3 more, too late for `rich`.
        self.check("03-02T09:03", balances={"gems": 13, "hearts": 4}, tiers={"rich": 0, "full": 0}, metrics={"all": 4, "lines": 2, "careful": 1},
                   goals={"own": (1, 1), "weekly": (0.5, 0), "festival": (0.4, 0), "careful": (1, 1)})
        # 5 gems for the first scenario unlock both tiers of `rich`: 110 XP, hearts up to 5, a freeze. The second gives 3.
        self.check("03-02T09:05", xpBreakdown={"line": 40, "early": 6, "goals": 14, "achievements": 110}, balances={"gems": 21, "hearts": 5},
                   tiers={"rich": 2, "full": 0}, streakFreezes=2, nextRefillAt={})
        self.check("03-02T22:00", balances={"gems": 1, "hearts": 5}, streakFreezes=3, items={"streak_freeze": 1, "full_hearts": 0})

    def test_the_first_week(self) -> None:
        self.check("03-03T12:00", xpBreakdown={"line": 80, "early": 10, "goals": 14 + 1 + 10 + 100, "achievements": 110}, currentStreak=1,
                   goals={"own": (1, 2), "weekly": (1, 1), "festival": (0.8, 0), "talk": (1, 1)}, tiers={"rich": 2, "full": 1},
                   week={"xp": 325, "lines": 4}, season={"xp": 325, "lines": 4})
        spanish = self.read("03-03T12:00")["es"]
        self.assertEqual((spanish["totalXP"], spanish["streakFreezes"], spanish["achievements"][0]["tier"]), (90, 1, 1))

    def test_the_second_week(self) -> None:
        # Three events eight days after the last line earn 7 each. The hearts cost 20 gems, of which there are 11.
        self.check("03-11T12:00", xpBreakdown={"line": 100, "early": 10, "return": 21, "goals": 126, "achievements": 110}, currentStreak=2,
                   goals={"own": (0.5, 2), "weekly": (0.25, 1), "festival": (1, 1), "talk": (1, 2)}, streakFreezes=3,
                   balances={"gems": -9, "hearts": 5}, items={"streak_freeze": 1, "full_hearts": 2}, day={"xp": 42, "all": 3, "lines": 1, "careful": 3})

    def test_the_paused_week(self) -> None:
        self.check("03-23T06:30", currentStreak=2, longestStreak=2, streakFreezes=3, balances={"gems": -9, "hearts": 4},
                   nextRefillAt={"hearts": "03-23T09:00"}, goals={"own": (0, 2), "weekly": (0, 1), "festival": (1, 1), "explore": (0, 0)},
                   week={"xp": 0, "lines": 0}, day={"xp": 0, "all": 0, "lines": 0, "careful": 0})
        spanish = self.read("03-23T06:30")["es"]  # it has no pause, and one freeze for two missed weeks
        self.assertEqual((spanish["currentStreak"], spanish["longestStreak"], spanish["streakFreezes"]), (0, 1, 0))


if __name__ == "__main__":
    unittest.main()
