# SPDX-License-Identifier: Apache-2.0
"""The state of one track of a learner (numbers.md#tracks)."""
from __future__ import annotations

from collections import Counter
import copy
from dataclasses import dataclass
from typing import Any

import unlocking
from events import Event
from expressions import Lookup, Value, holds
from games import Games
from instants import parse_date, week_start
from rules import Rules
from streak import StreakDays
from versions import Versions, local_day, local_offset
from windows import Windows
from words import Words

PRACTISED_ALONE = ("line.spoken", "review.graded", "conversation.ended")
"""Types whose duration is practice outside sessions."""


@dataclass
class Practice:
    """A finished session, for minutes and counts."""

    day: int
    duration: int
    mode: str | None


class Track:
    """All state of the overall track (`language` None) or of one language, in one of the versions. All tracks of a learner
    have the same `games`."""

    def __init__(self, versions: Versions, version: int, language: str | None, games: Games) -> None:
        self.versions = versions
        self.rules = rules = versions[version]
        self.language = language
        self.games = games
        self.windows = Windows()
        self.words = Words(rules.mastery, games.fits)
        self.streak = StreakDays()
        self.buckets: dict[str, int] = {}
        self.credits: list[tuple[int, int]] = []
        # The local day and the time of each event, and its XP that counts in leagues.
        self.fair: list[tuple[int, int, int]] = []
        self.unlockings = unlocking.begin(rules, language)
        self.sessions: list[Practice] = []
        self.minutes: list[tuple[int, int]] = []
        self.tallies = {"repairs": 0, "help": 0, "wins": 0}
        self.declared_level: str | None = None
        self.folded = 0
        self.flagged_events = 0
        self.flagged_xp = 0
        self.flagged_by_day: Counter[int] = Counter()
        self.latest: Event | None = None
        self.day = 0
        self.offset = 0

    def go_over(self, rules: Rules, day: int) -> None:
        """Goes over to the next version (numbers.md#rules-in-time) for an event on a local day. Everything that is not named
        here stays."""
        self.windows.go_over(self.rules, rules, rules.season_at(day))
        self.words.go_over(rules.mastery)
        self.unlockings = unlocking.go_over(self.unlockings, self.rules, rules, self.language)
        self.rules = rules

    # Reading, for expressions.

    def level(self) -> int:
        return self.rules.levels.level(self.windows.total.xp)

    def streak_at(self, day: int) -> tuple[int, int, int]:
        rules = self.rules.streak
        return self.streak.walk(self.versions, day, rules.weekly) if rules else (0, 0, 0)

    def value(self, name: str) -> Value:
        """The value of a name that does not depend on the event."""
        group, _, rest = name.partition(".")
        if name == "season.name":
            return self.rules.season_at(self.day)
        if group in ("total", "session", "day", "week", "season"):
            return self.windows.value(group, rest)
        if group in ("learner", "experiment", "balance", "goals", "league"):
            return self.games.value(name, self.day)
        if name == "streak.days_since_active":
            return self.streak.days_since(self.day) if self.rules.streak else None
        if group == "streak":
            return float(self.streak_at(self.day)[("current", "longest").index(rest)])
        if group == "words":
            return float(getattr(self.words, f"count_{rest}")())
        if group == "word":
            return self.words.value(rest)
        assert name == "level", name
        return float(self.level())

    def windows_of(self, day: int) -> tuple[int, int, str | None]:
        """The day, the week and the season that a local day is in."""
        return day, week_start(day, self.rules.week_starts_on), self.rules.season_at(day)

    def as_of(self, day: int) -> "Track":
        """The track as it is read on a local day: windows that the day is not in are empty."""
        result = copy.copy(self)
        result.day, result.windows = day, copy.copy(self.windows)
        result.windows.move(*self.windows_of(day))
        return result

    @property
    def unadjusted(self) -> int:
        """The XP without the bucket `adjustment`."""
        return sum(amount for bucket, amount in self.buckets.items() if bucket != "adjustment")

    # Writing.

    def credit(self, bucket: str, amount: int) -> None:
        """Adds XP of the current event, in every window that it is in. A total stops at 2 ** 53 and at - 2 ** 53."""
        total = sum(self.buckets.values())
        amount = max(-(2**53) - total, min(amount, 2**53 - total))
        self.buckets[bucket] = self.buckets.get(bucket, 0) + amount
        self.credits.append((self.day, amount))
        for window in self.windows.running():
            window.xp += amount

    def enter(self, event: Event) -> None:
        """Step 1, and the counts of progress that do not depend on rules."""
        self.latest = event
        self.offset = local_offset(event, self.rules)
        self.day = local_day(event.time, self.offset, self.rules)
        self.windows.enter(event, *self.windows_of(self.day))
        self.folded += 1

    def tally(self, event: Event, fields: dict[str, Any]) -> None:
        duration = int(fields.get("durationMs", 0))
        if event.type == "session.ended":
            self.sessions.append(Practice(self.day, duration, fields.get("mode")))
        elif event.type == "repair.made":
            self.tallies["repairs"] += fields["helped"]
        elif event.type == "help.given":
            self.tallies["help"] += 1
        elif event.type == "team.won":
            self.tallies["wins"] += 1
        elif event.type == "level.declared":
            self.declared_level = fields["level"]
        if event.type == "session.ended" or event.type in PRACTISED_ALONE and event.session is None:
            self.minutes.append((self.day, duration))

    def mark_days(self, event: Event, look: Lookup) -> None:
        """Step 4."""
        if self.rules.streak and holds(self.rules.streak.when, look):
            self.streak.active.add(self.day)
        if event.type == "streak.repaired" and parse_date(event.fields["date"]) <= self.day:
            self.streak.active.add(parse_date(event.fields["date"]))
        elif event.type == "streak.frozen":
            self.streak.frozen.add(parse_date(event.fields["date"]))
        elif event.type == "streak.paused":
            self.streak.frozen.update(range(parse_date(event.fields["from"]), parse_date(event.fields["through"]) + 1))
        elif event.type == "freeze.granted":
            self.streak.grant(self.day, event.fields["count"])
