# SPDX-License-Identifier: Apache-2.0
"""Stories computed by hand: goals, their windows, and pools.

    python3 -m unittest
"""
from __future__ import annotations

import unittest
from typing import Any

from goals import week_name
from instants import parse_date
from test_games import updated
from test_oracle import event, told, tracks
from test_versions import END, lines, versions

LINES = "metrics: {lines: {count: line.spoken}}\n"


def listed(progress: dict[str, Any], wanted: str = "g") -> tuple[Any, ...] | None:
    """Value, target, progress, time of completion and times of a goal."""
    found = next((goal for goal in progress["*"]["goals"] if goal["id"] == wanted), None)
    if found is None:
        return None
    at = found["completedAt"]
    return found["value"], found["target"], found["progress"], at and at[5:16], found["times"]


class Windows(unittest.TestCase):
    def goal(self, body: str, events: list[dict[str, Any]], at: str, more: str = "") -> tuple[Any, ...] | None:
        return listed(tracks(f"{LINES}{more}\ngoals: [{{id: g, {body}}}]", events, f"2026-{at}"))

    def test_days(self) -> None:
        body, events = "every: day, value: day.lines, target: 2", lines("03-01", "2026-03-01T13:00:00Z", "2026-03-01T14:00:00Z", "03-02")
        for at, expected in (
            ("03-01T12:00:00Z", (1, 2, 0.5, None, 0)), ("03-01T13:00:00Z", (2, 2, 1, "03-01T13:00", 1)),
            ("03-01T20:00:00Z", (3, 2, 1, "03-01T13:00", 1)), ("03-02T00:00:00Z", (0, 2, 0, None, 1)), ("03-02T20:00:00Z", (1, 2, 0.5, None, 1)),
        ):
            self.assertEqual(self.goal(body, events, at), expected, at)

    def test_weeks_and_seasons(self) -> None:
        events = lines("03-01", "03-02", "03-08", "03-09", "03-20")
        self.assertEqual(self.goal("every: week, value: week.lines, target: 2", events, "03-21T00:00:00Z"), (1, 2, 0.5, None, 1))
        self.assertEqual(self.goal("every: week, value: week.lines, target: 2", events, "03-08T20:00:00Z"), (2, 2, 1, "03-08T12:00", 1))
        season = "seasons: [{name: spring, from: 2026-03-02, through: 2026-03-09}, {name: may, from: 2026-03-15, through: 2026-03-20}]"
        body = "every: season, value: season.lines, target: 2"
        self.assertEqual(self.goal(body, events, "03-09T20:00:00Z", season), (3, 2, 1, "03-08T12:00", 1))
        self.assertIsNone(self.goal(body, events, "03-10T20:00:00Z", season))
        self.assertEqual(self.goal(body, events, "03-20T20:00:00Z", season), (1, 2, 0.5, None, 1))

    def test_travel_completes_no_day_twice(self) -> None:
        """The second line is the next day's in Kiritimati; the third is the first day's again, farther west."""
        events = lines("2026-03-01T12:00:00Z", "2026-03-02T03:00:00+14:00", "2026-03-01T09:00:00-08:00")
        body = "every: day, value: day.lines, target: 1"
        self.assertEqual(self.goal(body, events, "03-01T20:00:00-08:00"), (1, 1, 1, "03-01T12:00", 2))
        self.assertEqual(self.goal(body, events[1:], "03-01T20:00:00-08:00"), (1, 1, 1, None, 1))

    def test_conditions_and_periods(self) -> None:
        events = lines("03-01", "03-02")
        body = "every: day, value: day.lines, target: 1, "
        self.assertEqual(self.goal(body + "when: 'false'", events, "03-02T20:00:00Z"), (1, 1, 1, None, 0))
        self.assertEqual(self.goal(body + "from: 2026-03-02", events, "03-02T20:00:00Z"), (1, 1, 1, "03-02T12:00", 1))
        self.assertIsNone(self.goal(body + "through: 2026-03-01", events, "03-02T20:00:00Z"))

    def test_targets_of_ones_own(self) -> None:
        rules = "events: {learner.updated: {own: number}}"
        events = lines("03-01") + [updated("2026-03-01T13:00:00Z", own=1), updated("2026-03-02T13:00:00Z", own=0)]
        body = 'every: day, value: day.lines, target: "default(learner.own, 20)"'
        self.assertEqual(self.goal(body, events, "03-01T12:30:00Z", rules), (1, 20, 0.05, None, 0))
        self.assertEqual(self.goal(body, events, "03-01T20:00:00Z", rules), (1, 1, 1, "03-01T13:00", 1))
        self.assertIsNone(self.goal(body, events, "03-02T20:00:00Z", rules))
        self.assertIsNone(self.goal("every: day, value: 1, target: 1 / 0", events, "03-02T20:00:00Z"))

    def test_read_as_of_an_instant(self) -> None:
        hearts = "currencies: {h: {hold: 5, refill: {every: 1h, by: 1}}}\nstreak: {when: 'true'}"
        at = "03-02T14:30:00Z"
        for value, expected in (
            ("balance.h", 5), ("streak.current", 0), ("local.day - day('2026-03-01')", 1), ("local.date == '2026-03-02' ? 1 : 2", 1),
            ("streak.days_since_active", 2), ("day.lines + total.lines", 1), ("1 / day.lines", 0),
        ):
            got = self.goal(f'every: day, value: "{value}", target: 100', lines("2026-02-28T10:30:00Z"), at, hearts)
            assert got is not None
            self.assertEqual(got[0], expected, value)


class Rewards(unittest.TestCase):
    def test_of_goals(self) -> None:
        rules = """
            metrics: {lines: {count: line.spoken}}
            currencies: {gems: {}}
            streak: {when: event.type == 'line.spoken', freezes: {hold: 5}}
            goals:
              - {id: rich, every: day, value: balance.gems, target: 3, xp: 100}
              - {id: g, every: day, value: day.lines, target: 1, xp: 10, gives: {gems: 3, freezes: 1}}
              - {id: seen, every: day, value: goals.g + goals.rich, target: 2, xp: 1000}
            achievements: [{id: a, value: goals.seen, at_least: 1, xp: 5}]
            """
        got = tracks(rules, lines("03-01", language="es"), "2026-03-01T20:00:00Z")
        self.assertEqual(got["*"]["xpBreakdown"], {"goals": 1110, "achievements": 5})
        self.assertEqual((got["*"]["balances"], got["*"]["streakFreezes"]), ({"gems": 3}, 1))
        self.assertEqual((got["es"]["totalXP"], got["es"]["streakFreezes"], "goals" in got["es"]), (0, 0, False))
        self.assertEqual((got["*"]["day"]["xp"], got["*"]["week"]["xp"]), (1115, 1115))

    def test_a_retraction_takes_all_along(self) -> None:
        rules = LINES + "currencies: {gems: {}}\ngoals: [{id: g, every: day, value: day.lines, target: 1, xp: 10, gives: {gems: 3}}]"
        events = lines("03-01", "03-02")
        undo = event("event.retracted", "2026-03-05T00:00:00Z", {"source": "app", "id": events[0]["id"]})
        got = tracks(rules, events + [undo], "2026-03-05T20:00:00Z")
        self.assertEqual((listed(got), got["*"]["totalXP"], got["*"]["balances"]), ((0, 1, 0, None, 1), 10, {"gems": 3}))

    def test_language_tracks_read_them_after_the_overall_step(self) -> None:
        rules = "metrics: {lines: {count: line.spoken}, seen: {last: goals.g, on: line.spoken}}\ngoals: [{id: g, every: day, value: day.lines, target: 1}]"
        got = tracks(rules, lines("03-01", language="es"), END)
        self.assertEqual((got["*"]["metrics"]["seen"], got["es"]["metrics"]["seen"]), (0, 1))


class Pools(unittest.TestCase):
    #: The goals drawn for `ana`, by the function `fnv1a32` of `growthbook` 4.0.0 for Python.
    DRAWN = {
        "2026-03-02": "ac", "2026-03-03": "ae", "2026-03-04": "ae", "2026-W10": "ce", "2026-W11": "ab", "spring": "cd", "summer": "bc",
    }

    def rules(self, every: str, more: str = "") -> str:
        goals = "".join(f"  - {{id: {name}, every: {every}, pool: p, value: total.lines, target: 1{more}}}\n" for name in "abcde")
        seasons = "[{name: spring, from: 2026-03-01, through: 2026-03-08}, {name: summer, from: 2026-03-09, through: 2026-03-31}]"
        return f"{LINES}seasons: {seasons}\npools: {{p: {{draw: 2}}}}\ngoals:\n{goals}"

    def test_drawn(self) -> None:
        for every, day, window in (
            ("day", "03-02", "2026-03-02"), ("day", "03-03", "2026-03-03"), ("day", "03-04", "2026-03-04"),
            ("week", "03-08", "2026-W10"), ("week", "03-09", "2026-W11"), ("season", "03-08", "spring"), ("season", "03-31", "summer"),
        ):
            got = tracks(self.rules(every), lines(day), f"2026-{day}T20:00:00Z")["*"]
            self.assertEqual("".join(goal["id"] for goal in got["goals"]), self.DRAWN[window], window)
            self.assertEqual([goal["times"] for goal in got["goals"]], [1, 1])

    def test_drawn_from_all_whatever_their_periods(self) -> None:
        got = tracks(self.rules("day", ", through: 2026-03-01"), lines("03-01", "03-02"), "2026-03-02T20:00:00Z")["*"]
        self.assertEqual(got["goals"], [])

    def test_names_of_weeks(self) -> None:
        for first, starts_on, name in (
            ("2026-02-02", 0, "2026-W06"), ("2024-12-30", 0, "2025-W01"), ("2026-12-28", 0, "2026-W53"), ("2026-02-01", 6, "2026-02-01"),
        ):
            self.assertEqual(week_name(parse_date(first), starts_on), name)


class InTime(unittest.TestCase):
    def test_completions_stay(self) -> None:
        body = LINES + "goals: [{id: g, every: %s, value: total.lines, target: %s}]"
        rules = versions(body % ("week", 1), ("2026-03-03", body % ("day", 2)))  # the week's first day is 03-02
        self.assertEqual(listed(told(rules, lines("03-02", "03-03"), "2026-03-03T20:00:00Z")), (2, 2, 1, "03-03T12:00", 2))
        self.assertEqual(listed(told(rules, lines("03-02", "03-03"), "2026-03-02T20:00:00Z")), (1, 1, 1, "03-02T12:00", 1))
        rules = versions(body % ("day", 1), ("2026-03-05", body % ("week", 1)))  # a day of the week before is no week
        self.assertEqual(listed(told(rules, lines("03-04", "03-05"), "2026-03-05T20:00:00Z")), (2, 1, 1, None, 1))

    def test_a_season_of_the_same_name_is_the_same_window(self) -> None:
        body = LINES + "seasons: [{name: %s, from: %s, through: 2026-03-31}]\ngoals: [{id: g, every: season, value: total.lines, target: 1}]"
        for name, first, times in (("spring", "2026-03-05", 1), ("lent", "2026-03-05", 2), ("lent", "2026-03-01", 1)):
            rules = versions(body % ("spring", "2026-03-01"), ("2026-03-05", body % (name, first)))
            got = listed(told(rules, lines("03-01", "03-05"), "2026-03-05T20:00:00Z"))
            self.assertEqual(got, (2, 1, 1, "03-05T12:00" if times == 2 else "03-01T12:00", times), (name, first))

    def test_gone(self) -> None:
        body = LINES + "goals: [{id: g, every: day, value: day.lines, target: 1}]"
        rules = versions(body, ("2026-03-02", LINES), ("2026-03-03", body))
        self.assertEqual(listed(told(rules, lines("03-01", "03-03"), "2026-03-03T20:00:00Z")), (1, 1, 1, "03-03T12:00", 1))


if __name__ == "__main__":
    unittest.main()
