"""The fold (section 4): a learner's set of events and the rules, to the state of every track."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from catalogue import CATALOGUE
from events import Event
from expressions import Lookup, Value, holds, number
from instants import numeric_offset, parse_date, week_start, weekday, zone_offset, DAY_MS
from rules import Achievement, Rules, Streak
from windows import Session, Windows, measure
from words import Words


# --- which events count, in which order ----------------------------------------------------------------------------

def without_void(events: list[Event]) -> list[Event]:
    """The events that no retraction and no discarded session voids."""
    retracted = {(e.fields["source"], e.fields["id"]) for e in events if e.type == "event.retracted"}
    standing = [e for e in events if e.type == "event.retracted" or (e.source, e.id) not in retracted]
    discarded = {e.session for e in standing if e.type == "session.discarded"}
    return [e for e in standing if e.type == "event.retracted" or e.session is None or e.session not in discarded]


def local_offset(event: Event, rules: Rules) -> int:
    """Milliseconds east of UTC of the wall clock that the event happened under."""
    if event.timezone is not None:
        return zone_offset(event.timezone, event.time)
    written = numeric_offset(event.offset)
    return zone_offset(rules.timezone, event.time) if written is None else written


def local_day(instant: int, offset: int, rules: Rules) -> int:
    return (instant + offset - rules.day_starts_ms) // DAY_MS


# --- the streak ----------------------------------------------------------------------------------------------------

@dataclass
class StreakDays:
    """The active and the frozen days of a track, and the walk over them."""

    active: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)

    def walk(self, rules: Streak, day: int) -> tuple[int, int, int]:
        """Current streak, longest streak and freezes held at a day, or at the latest active one if that is later."""
        streak = longest = held = 0
        if not self.active:
            return 0, 0, 0
        end = max(day, max(self.active))
        for today in range(min(self.active), end + 1):
            if today in self.active:
                streak += 1
                longest = max(longest, streak)
                if rules.earn_every and streak % rules.earn_every == 0:
                    held = min(held + 1, rules.hold)
            elif today == end or weekday(today) in rules.rest_days or today in self.frozen:
                continue
            elif held > 0:
                held -= 1
            else:
                streak = 0
        return streak, longest, held


# --- tracks --------------------------------------------------------------------------------------------------------

@dataclass
class Unlocking:
    """Where an achievement stands in a track."""

    tier: int = 0
    unlocked_at: int | None = None
    best: float = 0.0
    revoked: bool = False


@dataclass
class Practice:
    """A finished practice session, for minutes and counts."""

    day: int
    duration: int
    mode: str | None


class Track:
    """All state of the overall track (`language` None) or of one language."""

    def __init__(self, rules: Rules, language: str | None) -> None:
        self.rules = rules
        self.language = language
        self.windows = Windows()
        self.words = Words(rules.mastery)
        self.streak = StreakDays()
        self.buckets: dict[str, int] = {}
        self.credits: list[tuple[int, int]] = []
        self.unlockings = {a.id: Unlocking() for a in rules.achievements if a.per_language == (language is not None)}
        self.practices: list[Practice] = []
        self.tallies = {"repairs": 0, "help": 0, "wins": 0}
        self.declared_level: str | None = None
        self.folded = 0
        self.day = 0
        self.last_offset: int | None = None

    # Reading, for expressions.

    def level(self) -> int:
        return self.rules.levels.level(self.windows.total.xp)

    def streak_at(self, day: int) -> tuple[int, int, int]:
        return self.streak.walk(self.rules.streak, day) if self.rules.streak else (0, 0, 0)

    def value(self, name: str) -> Value:
        """What a name stands for, of those that do not depend on the event."""
        group, _, rest = name.partition(".")
        if group in ("total", "session", "day", "week"):
            return self.windows.value(group, rest)
        if group == "streak":
            return float(self.streak_at(self.day)[("current", "longest").index(rest)])
        if group == "words":
            return float(getattr(self.words, f"count_{rest}")())
        if group == "word":
            return self.words.value(rest)
        assert name == "level", name
        return float(self.level())

    # Writing.

    def credit(self, bucket: str, amount: int) -> None:
        """Adds XP of the current event, in every window it is in."""
        self.buckets[bucket] = self.buckets.get(bucket, 0) + amount
        self.credits.append((self.day, amount))
        for window in self.windows.running():
            window.xp += amount

    def enter(self, event: Event) -> None:
        """Step 1, and what progress counts whatever the rules are."""
        self.last_offset = local_offset(event, self.rules)
        self.day = local_day(event.time, self.last_offset, self.rules)
        self.windows.enter(event, self.day, week_start(self.day, self.rules.week_starts_on))
        self.folded += 1

    def tally(self, event: Event, fields: dict[str, Any]) -> None:
        if event.type == "session.ended":
            self.practices.append(Practice(self.day, int(fields.get("durationMs", 0)), fields.get("mode")))
        elif event.type == "repair.made":
            self.tallies["repairs"] += fields["helped"]
        elif event.type == "help.given":
            self.tallies["help"] += 1
        elif event.type == "team.won":
            self.tallies["wins"] += 1
        elif event.type == "level.declared":
            self.declared_level = fields["level"]

    def mark_days(self, event: Event, look: Lookup) -> None:
        """Step 4."""
        if self.rules.streak and holds(self.rules.streak.when, look):
            self.streak.active.add(self.day)
        if event.type == "streak.repaired" and parse_date(event.fields["date"]) <= self.day:
            self.streak.active.add(parse_date(event.fields["date"]))
        elif event.type == "streak.frozen":
            self.streak.frozen.add(parse_date(event.fields["date"]))


# --- what expressions see of an event ------------------------------------------------------------------------------

def visible_fields(event: Event, session: Session | None, rules: Rules) -> dict[str, Any]:
    """The fields that the event's type has; those of `session.ended` completed from its `session.started`."""
    if event.type not in CATALOGUE:
        return _declared_fields(event, rules.declared.get(event.type, {}))
    fields = dict(event.fields)
    if event.type == "session.ended" and session and session.started is not None:
        for name in ("mode", "scenario", "partner"):
            if name not in fields and name in session.started:
                fields[name] = session.started[name]
        fields.setdefault("durationMs", event.time - session.started_at)
    return fields


def _declared_fields(event: Event, declared: dict[str, str]) -> dict[str, Any]:
    """The declared fields of an unknown type that hold what was declared."""
    result: dict[str, Any] = {}
    for name, kind in declared.items():
        value = event.data.get(name)
        if kind == "boolean" and isinstance(value, bool) or kind == "text" and isinstance(value, str):
            result[name] = value
        elif kind == "number" and value is not None and not isinstance(value, (bool, str, list, dict)):
            result[name] = float(value)
    return result


def _event_value(event: Event, fields: dict[str, Any], name: str) -> Value:
    if name in ("type", "session", "language"):
        return {"type": event.type, "session": event.session, "language": event.language}[name]
    value = fields.get(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    return value


def _local_value(event: Event, offset: int, name: str) -> float:
    minutes = (event.time + offset) // 60_000
    if name == "hour":
        return float(minutes // 60 % 24)
    return float(minutes % 60) if name == "minute" else float(weekday(minutes // 1440) + 1)


def lookup(track: Track, event: Event, fields: dict[str, Any]) -> Lookup:
    """All names of section 6 but `n` and `earned`, as of now."""
    def look(name: str) -> Value:
        group, _, rest = name.partition(".")
        if group == "event":
            return _event_value(event, fields, rest)
        if group == "local":
            assert track.last_offset is not None
            return _local_value(event, track.last_offset, rest)
        return track.value(name)
    return look


# --- the fold ------------------------------------------------------------------------------------------------------

class Fold:
    """One learner's tracks."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.overall = Track(rules, None)
        self.languages: dict[str, Track] = {}
        self.profile: dict[str, Any] = {}

    def run(self, events: list[Event]) -> "Fold":
        """Folds a learner's whole set of events, in whatever order they come."""
        for event in sorted(without_void(events), key=lambda event: event.order):
            self._fold(event)
        return self

    def _fold(self, event: Event) -> None:
        if event.type == "learner.updated":
            self.profile.update(event.fields)
        tracks = [self.overall]
        if event.language is not None:
            tracks.append(self.languages.setdefault(event.language, Track(self.rules, event.language)))
        awards: list[tuple[str, int]] = []
        for track in tracks:
            look = self._until_streak(track, event)
            if track is self.overall:
                awards = self._awards(event, look)
            for bucket, amount in awards:
                track.credit(bucket, amount)
            self._achieve(track, event, look)
            track.windows.leave(event)

    def _until_streak(self, track: Track, event: Event) -> Lookup:
        """Steps 1 to 4."""
        track.enter(event)
        fields = visible_fields(event, track.windows.session, self.rules)
        track.tally(event, fields)
        track.words.apply(event)
        look = lookup(track, event, fields)
        for metric in self.rules.metrics:
            measure(metric, event, look, track.windows)
        track.mark_days(event, look)
        return look

    # Step 5.

    def _awards(self, event: Event, look: Lookup) -> list[tuple[str, int]]:
        """What the event earns, by bucket; not credited yet, so that every rule sees the XP before the event."""
        result: list[tuple[str, int]] = []
        earned = 0
        for rule in self.rules.xp:
            def see(name: str) -> Value:
                return float(earned) if name == "earned" else look(name)
            if event.type in rule.types and holds(rule.when, see):
                amount = self._capped(rule.id, rule.daily_cap, _whole(number(rule.award, see)))
                earned += amount
                result.append((rule.bucket, amount))
        if event.type == "xp.adjusted":
            result.append(("adjustment", event.fields["amount"]))
        return result

    def _capped(self, rule: str, cap: int | None, amount: int) -> int:
        today = self.overall.windows.awarded_today
        if cap is not None:
            amount = min(amount, cap - today.get(rule, 0))
        today[rule] = today.get(rule, 0) + amount
        return amount

    # Step 6.

    def _achieve(self, track: Track, event: Event, look: Lookup) -> None:
        if event.type in ("achievement.granted", "achievement.revoked"):
            achievement = self.rules.achievement(event.fields["achievement"])
            if achievement and achievement.id in track.unlockings:
                self._decree(track, event, achievement)
        while any([self._try(track, event, item, look) for item in self.rules.achievements]):
            pass

    def _decree(self, track: Track, event: Event, achievement: Achievement) -> None:
        standing = track.unlockings[achievement.id]
        if event.type == "achievement.granted":
            standing.revoked = False
            tiers = len(achievement.thresholds)
            self._unlock(track, event, achievement, min(tiers, event.fields.get("tier") or tiers))
        else:
            self._reward(track, achievement, -standing.tier)
            track.unlockings[achievement.id] = Unlocking(revoked=True)

    def _try(self, track: Track, event: Event, achievement: Achievement, look: Lookup) -> bool:
        """Evaluates one achievement; whether it unlocked a tier."""
        standing = track.unlockings.get(achievement.id)
        if standing is None or standing.revoked or not self._requirements_met(track, achievement):
            return False
        value = number(achievement.value, look) if holds(achievement.when, look) else None
        if value is None:
            return False
        standing.best = max(standing.best, value)
        return self._unlock(track, event, achievement, sum(value >= t for t in achievement.thresholds))

    def _requirements_met(self, track: Track, achievement: Achievement) -> bool:
        return all(self._complete(track, required) for required in achievement.requires)

    def _complete(self, track: Track, required: str) -> bool:
        achievement = self.rules.achievement(required)
        assert achievement
        where = track if achievement.per_language else self.overall
        return where.unlockings[required].tier == len(achievement.thresholds)

    def _unlock(self, track: Track, event: Event, achievement: Achievement, tiers: int) -> bool:
        """Unlocks tiers up to a number of them, with rewards; whether any of them was locked."""
        standing = track.unlockings[achievement.id]
        fresh = tiers - standing.tier
        if fresh <= 0:
            return False
        standing.tier, standing.unlocked_at = tiers, event.time
        self._reward(track, achievement, fresh)
        return True

    def _reward(self, track: Track, achievement: Achievement, tiers: int) -> None:
        amount = achievement.xp * tiers
        for credited in [track] if track is self.overall else [track, self.overall]:
            credited.credit("achievements", amount)


def _whole(award: float | None) -> int:
    """max(0, floor(award)); nothing for null."""
    return 0 if award is None else max(0, math.floor(award))
