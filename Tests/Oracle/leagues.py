# SPDX-License-Identifier: Apache-2.0
"""Leagues (numbers.md#leagues): competitors, rooms, ranks, outcomes, and the settlement of weeks."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from events import Event, Store, lines_of
from fold import Fold
from game_rules import League
from goals import week_name
from hashing import hashed_twice
from instants import DAY_MS, format_instant, numeric_offset, parse_date
from progress import At, plain
from rules import Rules
from streak import week_of
from versions import Versions

SOURCE = "laurel/league"
OUTCOMES = ["demoted", "stayed", "promoted"]
"""The outcomes, from the worst."""
_WEST = DAY_MS // 2
"""The time by which UTC−12, where days end last, is behind UTC."""


@dataclass(frozen=True)
class Week:
    """A week of all leagues, with the rules in force on its first day."""

    days: range
    rules: Rules

    @staticmethod
    def of(versions: Versions, day: int) -> "Week":
        days = week_of(versions, day)
        return Week(days, versions.on_day(days.start))

    @property
    def name(self) -> str:
        return week_name(self.days.start, self.rules.week_starts_on)

    def settled_at(self, league: League) -> int:
        """The settlement's instant."""
        return self.days.stop * DAY_MS + self.rules.day_starts_ms + _WEST + league.settle_after


class Entrant:
    """A learner in one week of a league, by all known events."""

    def __init__(self, learner: str, events: list[Event], fold: Fold, league: League, week: Week) -> None:
        self.learner, self.fold, self._league, self._week = learner, fold, league, week
        self.room: int | None = None
        self.rank: int | None = None
        self.of: int | None = None
        self._retracted = {(e.fields["source"], e.fields["id"]) for e in events if e.type == "event.retracted"}
        mine = [e for e in events if e.type == "league.finished" and e.source == SOURCE]
        mine = [e for e in mine if (e.fields["league"], e.fields["week"]) == (league.name, week.name)]
        self.results = sorted(mine, key=lambda result: result.order)

    @property
    def standing_results(self) -> list[Event]:
        """The results of the week that are not retracted, in the order."""
        return [result for result in self.results if (result.source, result.id) not in self._retracted]

    @property
    def earlier(self) -> dict[str, Any]:
        """The latest result of the week, retracted or not; empty if there is none."""
        return self.results[-1].fields if self.results else {}

    @property
    def tier(self) -> str:
        if self.earlier:
            return self.earlier["tier"] if self.earlier["tier"] in self._league.tiers else self._league.tiers[0]
        return self.fold.games.tier(self._league)

    @property
    def has_opted_out(self) -> bool:
        return self.fold.games.profile.get("leagues") is False

    @cached_property
    def xp(self) -> int:
        return sum(amount for day, _, amount in self.fold.overall.fair if day in self._week.days)

    @property
    def competes(self) -> bool:
        return self.xp > 0 and not self.has_opted_out

    @property
    def shuffle(self) -> tuple[int, bytes]:
        """The place in the order in which learners come into rooms."""
        return hashed_twice(f"{self._week.name}/{self.tier}/{self.learner}"), self.learner.encode()

    @property
    def rank_order(self) -> tuple[int, float, bytes]:
        """The place in the order of a room: by XP, then by the time at which the learner had that much."""
        total, reached = 0, float("inf")
        for day, time, amount in self.fold.overall.fair:
            total += amount if day in self._week.days else 0
            if day in self._week.days and total >= self.xp:
                reached = time
                break
        return -self.xp, reached, self.learner.encode()

    @property
    def outcome(self) -> str:
        tiers = self._league.tiers
        is_lowest, is_top = self.tier == tiers[0], self.tier == tiers[-1]
        if self.rank is None or self.of is None:
            return "stayed" if self.has_opted_out or is_lowest else "demoted"
        if self.rank <= self._league.promote:
            return "stayed" if is_top else "promoted"
        return "demoted" if self.rank > self.of - self._league.demote and not is_lowest else "stayed"

    @property
    def next(self) -> str:
        tiers = self._league.tiers
        return tiers[tiers.index(self.tier) + OUTCOMES.index(self.outcome) - 1]

    @property
    def is_due_a_result(self) -> bool:
        """True if the week's first settlement writes a result. An imported result of the week stays."""
        return not self.results and (self.room is not None or self.tier != self._league.tiers[0])

    @property
    def is_better(self) -> bool:
        """True if another settlement writes a better result."""
        if len(self.standing_results) < len(self.results):
            return False
        return OUTCOMES.index(self.outcome) > OUTCOMES.index(self.earlier.get("outcome", "stayed"))

    def result(self) -> dict[str, Any]:
        """The event with the result, under the next free id."""
        taken, number = {result.id for result in self.results}, 1
        id = first = f"{self._league.name}/{self._week.name}"
        while id in taken:
            number += 1
            id = f"{first}/{number}"
        place = {"room": self.room, "rank": self.rank, "of": self.of} if self.room is not None else {}
        data = {"league": self._league.name, "week": self._week.name, "tier": self.tier, **place, "xp": self.xp}
        latest, time = self.fold.overall.latest, self._week.settled_at(self._league)
        zone = {"timezone": latest.timezone} if latest and latest.timezone is not None else {}
        offset = latest.offset if latest and not zone else "Z"
        return {
            "subject": self.learner, "source": SOURCE, "id": id, "type": "league.finished", "time": written(time, offset), **zone,
            "data": data | {"outcome": self.outcome, "next": self.next},
        }


def written(time: int, offset: str) -> str:
    """An instant with an offset, or with `Z` if the offset does not tell the local time."""
    minutes = numeric_offset(offset)
    return format_instant(time) if minutes is None else format_instant(time + minutes)[:-1] + offset


def deal(entrants: list[Entrant], size: int) -> None:
    """Gives the competitors of one tier their rooms, in the week's first settlement."""
    order = sorted((entrant for entrant in entrants if entrant.competes), key=lambda entrant: entrant.shuffle)
    rooms, start = -(-len(order) // size), 0
    for room in range(1, rooms + 1):
        end = start + len(order) // rooms + (room <= len(order) % rooms)
        for entrant in order[start:end]:
            entrant.room = room
        start = end


def join(entrants: list[Entrant]) -> None:
    """Puts the members of one tier's rooms back, and then the latecomers into the smallest rooms."""
    members: dict[int, int] = {}
    for entrant in entrants:
        entrant.room = entrant.earlier.get("room")
        if entrant.room is not None:
            members[entrant.room] = members.get(entrant.room, 0) + 1
    latecomers = [entrant for entrant in entrants if entrant.room is None and entrant.competes]
    for entrant in sorted(latecomers, key=lambda entrant: entrant.shuffle):
        entrant.room = min(members, key=lambda room: (members[room], room), default=1)
        members[entrant.room] = members.get(entrant.room, 0) + 1


def rank(entrants: list[Entrant]) -> None:
    """Ranks the members of each room of one tier."""
    for room in {entrant.room for entrant in entrants} - {None}:
        members = sorted((entrant for entrant in entrants if entrant.room == room), key=lambda entrant: entrant.rank_order)
        for place, entrant in enumerate(members, start=1):
            entrant.rank, entrant.of = place, len(members)


class Leagues:
    """The leagues of a store, with the weeks that were settled."""

    def __init__(self, store: Store, versions: Versions) -> None:
        self.store, self.versions = store, versions
        self.first_run: int | None = None
        self.settled: dict[str, list[int]] = {}
        self._folds: dict[str, tuple[int, Fold]] = {}

    def settle(self, at: At) -> None:
        """Settles all weeks that are due at an instant, in their order."""
        today = self.versions.day_at(self.versions.at(at.time, at.offset, None), at.time, at.offset, None)
        if self.first_run is None:
            self.first_run = Week.of(self.versions, today).days.start
        starts = [version.since for version in self.versions.all[1:] if version.since is not None] + [self.first_run]
        week, waiting = Week.of(self.versions, min(starts)), set[str]()
        while week.days.start <= today:
            for league in week.rules.leagues.values():
                if self._is_played(league, week) and league.name not in waiting:
                    if week.settled_at(league) > at.time:
                        waiting.add(league.name)  # no later week is settled before this one
                    else:
                        self._settle(league, week)
            week = Week.of(self.versions, week.days.stop)

    def _is_played(self, league: League, week: Week) -> bool:
        """True unless the week is too early for a league that the first version brought."""
        index = max(i for i, version in enumerate(self.versions.all) if version.since is None or version.since <= week.days.start)
        while index > 0 and league.name in self.versions[index - 1].leagues:
            index -= 1
        return index > 0 or self.first_run is not None and week.days.start >= self.first_run

    def _settle(self, league: League, week: Week) -> None:
        settled = self.settled.setdefault(league.name, [])
        is_again = week.days.start in settled
        if is_again and (week.days.start != settled[-1] or not league.promotes_late):
            return
        entrants = self.entrants(league, week, is_again)
        for entrant in entrants:
            if entrant.is_better if is_again else entrant.is_due_a_result:
                line = json.dumps(entrant.result(), ensure_ascii=False).encode()
                self.store.take(line, 0, week.settled_at(league))
        if not is_again:
            settled.append(week.days.start)

    def entrants(self, league: League, week: Week, is_again: bool) -> list[Entrant]:
        """All learners, with their rooms and ranks by a settlement of the week now."""
        histories: dict[str, list[Event]] = {}
        for event in self.store.events.values():
            histories.setdefault(event.learner, []).append(event)
        entrants = [Entrant(name, events, self._fold(name, events), league, week) for name, events in histories.items()]
        for tier in league.tiers:
            here = [entrant for entrant in entrants if entrant.tier == tier]
            join(here) if is_again else deal(here, league.size)
            rank(here)
        return entrants

    def _fold(self, learner: str, events: list[Event]) -> Fold:
        """The fold of all events of a learner; the same as before if none was added."""
        count, fold = self._folds.get(learner, (0, None))
        if fold is None or count != len(events):
            fold = Fold(self.versions, learner).run(events)
            self._folds[learner] = len(events), fold
        return fold

    # Answers.

    def results(self) -> list[dict[str, Any]]:
        """All events `league.finished`, by learner and id."""
        found = [event for event in self.store.events.values() if event.type == "league.finished"]
        return [
            {
                "subject": event.learner, "id": event.id, "time": written(event.time, event.offset),
                **({"timezone": event.timezone} if event.timezone is not None else {}),
                "data": event.fields | {"xp": plain(event.fields["xp"])},
            }
            for event in sorted(found, key=lambda event: (event.learner.encode(), event.id.encode()))
        ]

    def standings(self, name: str) -> list[dict[str, Any]]:
        """The rooms of each league in a week: by its results if it was settled, else as a settlement now would have them. If no
        week has the name, there is no league."""
        day = _first_day(name)
        if day is None:
            return []
        week = Week.of(self.versions, day)
        return [
            {
                "league": league.name, "week": week.name,
                "tiers": [{"tier": tier, "rooms": self._rooms(league, week, tier)} for tier in league.tiers],
            }
            for league in week.rules.leagues.values() if week.name == name
        ]

    def _rooms(self, league: League, week: Week, tier: str) -> list[dict[str, Any]]:
        is_settled = week.days.start in self.settled.get(league.name, [])
        entrants = [entrant for entrant in self.entrants(league, week, False) if entrant.tier == tier]
        members: dict[int, list[dict[str, Any]]] = {}
        for entrant in sorted(entrants, key=lambda entrant: entrant.learner.encode()):
            if is_settled:
                data = entrant.standing_results[-1].fields if entrant.standing_results else {}
            else:
                data = entrant.result()["data"]
            if data.get("room") is not None:
                member = {"rank": data["rank"], "learner": entrant.learner, "xp": plain(data["xp"])}
                members.setdefault(data["room"], []).append(member | {name: data[name] for name in ("outcome", "next")})
        for room in members.values():
            room.sort(key=lambda member: member["rank"])
        return [{"room": room, "members": members[room]} for room in sorted(members)]


def _first_day(name: str) -> int | None:
    """The first day of a week, by the week's name; None if the name is no week's."""
    try:
        year, separator, week = name.partition("-W")
        return parse_date(date.fromisocalendar(int(year), int(week), 1).isoformat()) if separator else parse_date(name)
    except ValueError:
        return None


def play(leagues: Leagues, folder: str, now: int) -> None:
    """Goes through all stages of a world's `stages.json`, given the ingest clock."""
    with open(os.path.join(folder, "stages.json"), encoding="utf-8") as file:
        stages = json.load(file)
    for stage in stages:
        if "settle" in stage:
            leagues.settle(At.parse(stage["settle"]))
            continue
        with open(os.path.join(folder, stage["ingest"]), "rb") as file:
            for number, line in lines_of(file.read()):
                leagues.store.take(line, number, now)
