# SPDX-License-Identifier: Apache-2.0
"""The streak: the days that count, and the walk over them (numbers.md#streak)."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from instants import weekday
from rules import Streak
from versions import Versions


@dataclass
class StreakDays:
    """The active and the frozen days of a track, and the freezes granted on each day."""

    active: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)
    granted: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def grant(self, day: int, count: int) -> None:
        """Adds freezes that the walk takes before it judges the day."""
        self.granted[day] += count

    def days_since(self, day: int) -> float | None:
        """The days since the latest active day before a day."""
        earlier = [active for active in self.active if active < day]
        return float(day - max(earlier)) if earlier else None

    def walk(self, versions: Versions, day: int, weekly: bool = False) -> tuple[int, int, int]:
        """The current streak, the longest streak and the freezes held at a day, or at the latest active day if it is later.
        Each day, or each week, has the freezes and the rest days of the version in force on its first day."""
        spans = self._spans(versions, day, weekly)
        streak = longest = 0
        held = self._at_first(versions.on_day(spans[0].start).streak, spans[0])
        for span in spans if self.active else []:
            rules = versions.on_day(span.start).streak
            held = _raised(held, sum(self.granted.get(day, 0) for day in span), rules)
            if not self.active.isdisjoint(span):
                streak += 1
                longest = max(longest, streak)
                if rules and rules.earn_every and streak % rules.earn_every == 0:
                    held = _raised(held, 1, rules)
            elif span == spans[-1] or not self.frozen.isdisjoint(span) or _rests(span, rules, weekly):
                continue
            elif held > 0:
                held -= 1
            else:
                streak = 0
        return streak, longest, held

    def _spans(self, versions: Versions, day: int, weekly: bool) -> list[range]:
        """The days or the weeks of the walk; only the day's own before there is an active day."""
        end = max(day, *self.active) if self.active else day
        first = min(self.active, default=end)
        if not weekly:
            return [range(today, today + 1) for today in range(first, end + 1)]
        spans = [week_of(versions, first)]
        while spans[-1].stop <= end:
            spans.append(week_of(versions, spans[-1].stop))
        return spans

    def _at_first(self, rules: Streak | None, first: range) -> int:
        """The freezes with which the walk begins."""
        before = [count for day, count in self.granted.items() if day < first.start or not self.active]
        return _raised(min(rules.start, rules.hold) if rules else 0, sum(before), rules)


def _raised(held: int, count: int, rules: Streak | None) -> int:
    return max(held, min(held + count, rules.hold if rules else 1))


def _rests(span: range, rules: Streak | None, weekly: bool) -> bool:
    return not weekly and rules is not None and weekday(span.start) in rules.rest_days


def week_of(versions: Versions, day: int) -> range:
    """The week that a day is in. A week begins on each day on which the version in force on it begins one."""
    def begins(day: int) -> bool:
        return versions.on_day(day).week_starts_on == weekday(day)
    start, stop = day, day + 1
    while not begins(start):
        start -= 1
    while not begins(stop):
        stop += 1
    return range(start, stop)
