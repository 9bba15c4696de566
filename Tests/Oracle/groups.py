# SPDX-License-Identifier: Apache-2.0
"""Groups (numbers.md#groups): membership, the common streak, and goals that the members reach together."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterable

from goals import week_name
from instants import format_day, week_start

if TYPE_CHECKING:
    from events import Event
    from fold import Fold
    from progress import At
    from track import Track
    from versions import Versions


@dataclass
class GroupNotes:
    """What the fold notes of one learner for the learner's groups."""

    changes: list[tuple["Event", int]] = field(default_factory=list)
    """The joinings and leavings with their local days, in the order of the fold."""
    counts: dict[str, Counter[int]] = field(
        default_factory=lambda: {name: Counter() for name in ("lines", "reviews", "new_words", "learned_words")}
    )

    def note(self, event: "Event", track: "Track") -> None:
        """Notes an event that the overall track has just folded."""
        if event.type in ("group.joined", "group.left"):
            self.changes.append((event, track.day))
        happened = {
            "lines": event.type == "line.spoken", "reviews": event.type == "review.graded",
            "new_words": track.words.value("is_new") is True, "learned_words": track.words.value("learned_now") is True,
        }
        for name in happened:
            self.counts[name][track.day] += happened[name]


class Member:
    """A learner who joined a group at some time."""

    def __init__(self, learner: str, fold: "Fold", group: str, today: int) -> None:
        self.learner, self.fold, self.today = learner, fold, today
        self.spans: list[tuple[int, int | None]] = []
        self.kind: tuple[int, bytes, str] | None = None
        for event, day in fold.groups.changes:
            if event.fields["group"] != group:
                continue
            is_open = bool(self.spans) and self.spans[-1][1] is None
            if event.type == "group.joined" and not is_open:
                self.spans.append((day, None))
            elif event.type == "group.left" and is_open:
                self.spans[-1] = (self.spans[-1][0], day)
            if event.fields.get("kind") is not None:
                self.kind = (event.time, learner.encode(), event.fields["kind"])

    @property
    def is_present(self) -> bool:
        return bool(self.spans) and self.spans[-1][1] is None

    def is_member(self, day: int) -> bool:
        return any(first <= day and (end is None or day < end) for first, end in self.spans)

    def is_active(self, day: int) -> bool:
        return day in self.fold.overall.streak.active

    def amount(self, column: str, window: range) -> int:
        """The sum of a column over the days of a window on which the learner was a member. Minutes are in milliseconds."""
        days = {day for day in window if self.is_member(day)}
        track = self.fold.overall
        if column == "xp":
            return sum(amount for day, amount in track.credits if day in days) - sum(track.flagged_by_day[day] for day in days)
        if column == "minutes":
            return sum(duration for day, duration in track.minutes if day in days)
        if column == "active_days":
            return sum(map(self.is_active, days))
        return sum(self.fold.groups.counts[column][day] for day in days)


class Group:
    """A group as of an instant."""

    def __init__(self, name: str, folds: dict[str, "Fold"], versions: "Versions", at: "At") -> None:
        self.name, self.versions = name, versions
        everybody = [Member(learner, fold, name, _today(fold, versions, at)) for learner, fold in folds.items()]
        self.members = [member for member in everybody if member.spans]
        named = [member.kind for member in self.members if member.kind is not None]
        self.kind = max(named)[2] if named else None
        self.present = sorted((m for m in self.members if m.is_present), key=lambda m: m.learner.encode())
        nobody = versions.day_at(versions.at(at.time, at.offset, None), at.time, at.offset, None)
        earliest = min((member.today for member in self.present), default=nobody)
        active = {day for member in self.members for day in member.fold.overall.streak.active}
        self.day = max([earliest, *(day for day in active if self.counts(day))])

    def rules(self, day: int) -> dict[str, Any]:
        """The rules of a day for groups of this kind."""
        return self.versions.on_day(day).groups.get(self.kind) or {}

    def need(self, day: int) -> str | None:
        return (self.rules(day).get("streak") or {}).get("need")

    def _wanted(self, need: str, members: int) -> int:
        return members if need == "all" else 1 if need == "any" else int(need)

    def counts(self, day: int) -> bool | None:
        """True if the day counts for the streak; None if it neither counts nor ends it."""
        here, need = [member for member in self.members if member.is_member(day)], self.need(day)
        if need is None or len(here) < 2:
            return None
        return sum(member.is_active(day) for member in here) >= self._wanted(need, len(here))

    def streak(self) -> dict[str, Any] | None:
        need = self.need(self.day)
        if need is None:
            return None
        current = longest = 0
        for day in range(min(member.spans[0][0] for member in self.members), self.day + 1):
            counts = self.counts(day)
            if counts:
                current += 1
                longest = max(longest, current)
            elif counts is False and day < self.day:
                current = 0
        here = [member for member in self.members if member.is_member(self.day)]
        return {
            "current": current, "longest": longest, "need": need, "needed": self._wanted(need, len(here)),
            "practised": sum(member.is_active(self.day) for member in here), "isReached": bool(self.counts(self.day)),
        }

    def window(self, goal: dict[str, str]) -> range:
        if goal["every"] == "day":
            return range(self.day, self.day + 1)
        start = week_start(self.day, self.versions.on_day(self.day).week_starts_on)
        return range(start, start + 7)

    def total(self, goal: dict[str, str], members: Iterable[Member]) -> int:
        amount = sum(member.amount(goal["sum"], self.window(goal)) for member in members)
        return amount // 60_000 if goal["sum"] == "minutes" else amount

    def goal(self, goal: dict[str, str]) -> dict[str, Any]:
        value, target = self.total(goal, self.members), float(goal["target"])
        return {
            "id": goal["id"], "every": goal["every"], "window": self._name(goal), "sum": goal["sum"], "value": value,
            "target": target, "isComplete": value >= target,
        }

    def _name(self, goal: dict[str, str]) -> str:
        start = self.window(goal).start
        return format_day(start) if goal["every"] == "day" else week_name(start, self.versions.on_day(self.day).week_starts_on)

    def json(self) -> dict[str, Any]:
        goals = self.rules(self.day).get("goals") or []
        return {
            "id": self.name, "kind": self.kind, "day": format_day(self.day), "streak": self.streak(),
            "goals": [self.goal(goal) for goal in goals],
            "members": [
                {
                    "learner": member.learner, "displayName": member.fold.games.profile.get("displayName"),
                    "since": format_day(member.spans[-1][0]), "practisedToday": member.is_active(self.day),
                    "shares": {goal["id"]: self.total(goal, [member]) for goal in goals},
                }
                for member in self.present
            ],
        }


def _today(fold: "Fold", versions: "Versions", at: "At") -> int:
    return versions.day_at(fold.version, at.time, at.offset, fold.overall.latest)


def group_names(folds: dict[str, "Fold"]) -> list[str]:
    """The groups that learners ever joined, in byte order."""
    changes = [event for fold in folds.values() for event, _ in fold.groups.changes if event.type == "group.joined"]
    return sorted({event.fields["group"] for event in changes}, key=str.encode)


def all_groups(folds: dict[str, "Fold"], versions: "Versions", at: "At") -> list[dict[str, Any]]:
    """The groups that have members, in byte order."""
    groups = [Group(name, folds, versions, at) for name in group_names(folds)]
    return [group.json() for group in groups if group.present]
