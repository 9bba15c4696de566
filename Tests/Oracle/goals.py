# SPDX-License-Identifier: Apache-2.0
"""Goals: their windows, the draw of pools, and the completions of a learner."""
from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from expressions import Lookup, holds, number
from game_rules import Goal
from hashing import hashed_twice
from instants import WEEKDAYS, civil, format_day, week_start
from rules import Rules


@dataclass(frozen=True)
class Window:
    """A window of a goal, with its first local day. `season` is none for days and weeks."""

    first: int
    name: str
    season: str | None = None

    def same(self, other: "Window") -> bool:
        return self.first == other.first or self.season is not None and self.season == other.season


def window(every: str, day: int, rules: Rules) -> Window | None:
    """The window that a local day is in; none for a season if the day is in no season."""
    if every == "day":
        return Window(day, format_day(day))
    if every == "week":
        first = week_start(day, rules.week_starts_on)
        return Window(first, week_name(first, rules.week_starts_on))
    season = rules.season_of(day)
    return Window(season.first, season.name, season.name) if season else None


def week_name(first: int, starts_on: int) -> str:
    """`2026-W06` if weeks start on Monday, else the first date."""
    if WEEKDAYS[starts_on] != "monday":
        return format_day(first)
    year, week, _ = date(*civil(first)).isocalendar()
    return f"{year:04}-W{week:02}"


def acting(rules: Rules, learner: str, day: int) -> list[tuple[Goal, Window]]:
    """The goals, with their windows, that a learner has on a local day, whatever their conditions."""
    windows = [(goal, window(goal.every, day, rules)) for goal in rules.goals]
    drawn = {goal.id for pool in rules.pools for goal in _drawn(pool, rules, learner, day)}
    return [
        (goal, now) for goal, now in windows
        if now is not None and goal.period.holds(day) and (goal.pool is None or goal.id in drawn)
    ]


def _drawn(pool: str, rules: Rules, learner: str, day: int) -> list[Goal]:
    """The goals of a pool that count for a learner in the pool's window; of equal hashes, the first in the file."""
    goals = [goal for goal in rules.goals if goal.pool == pool]
    now = window(goals[0].every, day, rules) if goals else None
    if now is None:
        return []
    return sorted(goals, key=lambda goal: hashed_twice(f"{learner}/{now.name}/{goal.id}"))[:rules.pools[pool]]


@dataclass
class Standing:
    """The completions of a goal, each with its window and its time."""

    completions: list[tuple[Window, int]] = field(default_factory=list)

    def completed_at(self, now: Window) -> int | None:
        return next((time for completed, time in self.completions if completed.same(now)), None)

    def is_open(self, now: Window) -> bool:
        """True if the goal may be completed in a window."""
        if self.completed_at(now) is not None:
            return False
        return not self.completions or self.completions[-1][0].first < now.first

    def try_out(self, goal: Goal, now: Window, look: Lookup, time: int) -> bool:
        """Evaluates a goal that may be completed; true if it now is."""
        if not self.is_open(now) or not holds(goal.when, look):
            return False
        value, target = number(goal.value, look), number(goal.target, look)
        if value is None or target is None or target <= 0 or value < target:
            return False
        self.completions.append((now, time))
        return True
