# SPDX-License-Identifier: Apache-2.0
"""The streak: the days that count, and the walk over them (numbers.md#streak)."""
from __future__ import annotations

from dataclasses import dataclass, field

from instants import weekday
from versions import Versions


@dataclass
class StreakDays:
    """The active and the frozen days of a track."""

    active: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)

    def walk(self, versions: Versions, day: int) -> tuple[int, int, int]:
        """The current streak, the longest streak and the freezes held at a day, or at the latest active day if it is later.
        Each day has the freezes and the rest days of the version in force on it."""
        streak = longest = held = 0
        if not self.active:
            return 0, 0, 0
        end = max(day, max(self.active))
        for today in range(min(self.active), end + 1):
            rules = versions.on_day(today).streak
            if today in self.active:
                streak += 1
                longest = max(longest, streak)
                if rules and rules.earn_every and streak % rules.earn_every == 0:
                    held = max(held, min(held + 1, rules.hold))
            elif today == end or today in self.frozen or rules and weekday(today) in rules.rest_days:
                continue
            elif held > 0:
                held -= 1
            else:
                streak = 0
        return streak, longest, held
