# SPDX-License-Identifier: Apache-2.0
"""The achievements of one track: the unlocked tiers, and the XP that each has given (numbers.md#achievements)."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from expressions import Lookup, holds, number
from rules import Achievement, Rules


@dataclass
class Unlocking:
    """The state of an achievement in a track. `reached` has the times of all tiers ever reached, perhaps more than it has
    now. `given` is the XP that it gave and that was not taken back, `gave` the number of tiers that have had their gifts."""

    reached: list[int] = field(default_factory=list)
    best: float = 0.0
    revoked: bool = False
    given: int = 0
    gave: int = 0

    def tier(self, achievement: Achievement) -> int:
        return min(len(self.reached), len(achievement.thresholds))

    def complete(self, achievement: Achievement) -> bool:
        return self.tier(achievement) == len(achievement.thresholds)

    def unlocked_at(self, achievement: Achievement) -> int | None:
        return self.reached[self.tier(achievement) - 1] if self.reached else None

    def progress(self, achievement: Achievement) -> float:
        if self.complete(achievement):
            return 1.0
        return max(0.0, min(1.0, self.best / achievement.thresholds[self.tier(achievement)]))

    def raise_to(self, tiers: int, time: int) -> range:
        """Unlocks up to a number of tiers; returns the tiers that were locked."""
        fresh = range(len(self.reached), max(len(self.reached), tiers))
        self.reached += [time] * len(fresh)
        return fresh

    def try_out(self, achievement: Achievement, look: Lookup, time: int) -> range:
        """Evaluates an achievement that may unlock; returns the tiers unlocked."""
        if self.revoked or self.complete(achievement):
            return range(0)
        value = number(achievement.value, look) if holds(achievement.when, look) else None
        if value is None:
            return range(0)
        self.best = max(self.best, value)
        return self.raise_to(sum(value >= threshold for threshold in achievement.thresholds), time)


def begin(rules: Rules, language: str | None) -> dict[str, Unlocking]:
    """A track's achievements, all locked."""
    return {achievement.id: Unlocking() for achievement in rules.achievements_of(language)}


def go_over(held: dict[str, Unlocking], old: Rules, new: Rules, language: str | None) -> dict[str, Unlocking]:
    """Goes over to another version. Achievements with the same id and scope stay. `best` stays if it is measured as before."""
    result = begin(new, language)
    before = {achievement.id: achievement for achievement in old.achievements_of(language)}
    for achievement in new.achievements_of(language):
        if achievement.id in before:
            was = before[achievement.id]
            measured_alike = (was.value, was.when) == (achievement.value, achievement.when)
            standing = held[achievement.id]
            result[achievement.id] = replace(standing, best=standing.best if measured_alike else 0.0)
    return result
