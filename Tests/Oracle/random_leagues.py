# SPDX-License-Identifier: Apache-2.0
"""Random worlds of leagues: rules in versions, and learners who travel, tie, opt out and come late. Events arrive in stages,
between which weeks are settled.

    python3 random_leagues.py --seed N --out DIR
"""
from __future__ import annotations

import argparse
import json
import os
from itertools import pairwise
from random import Random
from typing import Any

from instants import DAY_MS, WEEKDAYS, format_day, format_instant, parse_date
from leagues import SOURCE, Week, written
from random_rules import write_rules
from rules import rules_of
from versions import Versions

LEARNERS = ["ana", "Борис", "d/e f", "zoe\u0308", "zoë", "李雷", "🦊", "\uff5e", "a"] + [f"learner-{number}" for number in range(16)]
LEAGUES = ["weekly", "Arena_2"]
TIERS = ["bronze", "silver", "gold", "diamond"]
CLOCKS = ["Z", "-00:00", "+00:00", "+14:00", "-12:00", "+05:30", "-03:30"]
ZONES = ["Europe/Berlin", "Pacific/Apia", "America/New_York", "Asia/Kolkata"]
HOUR_MS = 3_600_000
START = parse_date("2026-03-18")
DAYS = 27


# --- rules ---------------------------------------------------------------------------------------------------------

def rules_document(rng: Random) -> dict[str, Any]:
    """A rules file as plain data, with every scalar as text."""
    return with_readers(rng, {
        "version": "1", "calendar": _calendar(rng), "leagues": _leagues(rng, rng.choice([LEAGUES[:1], LEAGUES[:1], LEAGUES, []])),
        **({"plausible": {"line.spoken": {"at_most": str(rng.choice([1, 2, 3])), "per": rng.choice(["hour", "day"])}}} if rng.random() < 0.5 else {}),
    })


def with_readers(rng: Random, document: dict[str, Any]) -> dict[str, Any]:
    """Adds sections whose expressions read the leagues of the document."""
    names = list(document["leagues"])
    league, tier = rng.choice(names or [None]), rng.choice(TIERS)
    is_high = f"league.{league}.tier == '{tier}'" if league else "event.type == 'league.finished'"
    rank = f"default(league.{league}.rank, 0)" if league else "level"
    prizes = ["5", "event.outcome == 'promoted' ? 25 : 0", rank, "default(event.rank, 7)", f"{is_high} ? 2 : 1"]
    xp = [
        {"id": "line", "on": "line.spoken", "award": rng.choice(["10", "10", "event.words", f"{is_high} ? 12 : 10", f"10 + {rank}"])},
        {"id": "prize", "on": rng.choice(["league.finished", "league.finished", "*"]), "award": rng.choice(prizes)},
        {"id": "hint", "bucket": rng.choice(["hints", "adjustment"]), "on": "hint.used", "award": "4", "daily_cap": "6"},
    ]
    readers: dict[str, Any] = {
        "metrics": {
            "lines": {"count": "line.spoken"}, "high": {"count": rng.choice(["*", "line.spoken"]), "where": is_high},
            "prizes": {"count": "league.finished"},
        },
        "streak": {"when": rng.choice(["day.lines >= 1", "event.type == 'league.finished' || day.lines >= 2", is_high])},
        "xp": rng.sample(xp, rng.randint(1, 3)) + ([{"id": "streak", "on": "line.spoken", "award": "streak.current"}] if rng.random() < 0.3 else []),
        "achievements": [
            {"id": "climb", "value": f"{is_high} ? total.lines : 0", "at_least": ["1", "5"], "xp": ["3", "8"]},
            {"id": "prizes", "value": "total.prizes", "at_least": "2", "xp": "6"},
            {"id": "fluent", "scope": "language", "value": "total.high", "at_least": "3", "xp": "4"},
        ][:rng.randint(0, 3)],
    }
    return document | readers


def _calendar(rng: Random) -> dict[str, str]:
    return {
        "default_timezone": rng.choice(["UTC", "America/St_Johns", "Asia/Kolkata"]),
        "day_starts_at": rng.choice(["00:00", "00:00", "04:00", "23:59"]),
        "week_starts_on": rng.choice(["monday", "monday", "monday", "sunday", rng.choice(WEEKDAYS)]),
    }


def _leagues(rng: Random, names: list[str]) -> dict[str, Any]:
    return {name: _league(rng, rng.sample(TIERS, rng.choice([1, 2, 3, 3, 4]))) for name in names}


def _league(rng: Random, tiers: list[str]) -> dict[str, Any]:
    size = rng.randint(2, 5)
    body: dict[str, Any] = {
        "tiers": tiers, "size": str(size), "promote": str(rng.randint(1, size - 1)), "demote": str(rng.randint(0, size - 1)),
        "settle_after": rng.choice(["14h", "14h", "30m", "3d", "9d", "11d"]),
    }
    late = rng.choice(["final", "promote-only", "promote-only", "promote-only", None])
    return body | ({"late": late} if late else {})


def later_documents(rng: Random, first: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Later versions by their days. Each brings, changes or drops leagues, or has another calendar."""
    result, before = {}, first
    for day in sorted(rng.sample(range(START - 1, START + DAYS - 5), rng.choice([0, 0, 1, 1, 2, 2]))):
        leagues = {name: body for name, body in before["leagues"].items() if rng.random() < 0.75}
        for name in leagues:
            if rng.random() < 0.5:
                leagues[name] = _league(rng, rng.sample(TIERS, rng.choice([1, 2, 3, 3, 4])))
        if rng.random() < 0.5:
            leagues |= {name: body for name, body in _leagues(rng, LEAGUES[:rng.randint(1, 2)]).items() if name not in leagues}
        before = with_readers(rng, before | {"leagues": leagues})
        if rng.random() < 0.3:
            before["calendar"] = _calendar(rng)
        result[day] = before
    return result


# --- events --------------------------------------------------------------------------------------------------------

class World:
    """The events of some learners, and the stages in which they arrive."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        first = rules_document(rng)
        self.documents = {None: first, **later_documents(rng, first)}
        self.versions = Versions(rules_of(first, "rules"))
        for day, document in self.documents.items():
            if day is not None:
                self.versions.apply(rules_of(document, "rules"), day)
        self.weeks = self._weeks()
        self.events: list[tuple[int, dict[str, Any]]] = []
        self.lateness: dict[str, float] = {}
        for learner in rng.sample(LEARNERS, rng.choice([1, 3, 5, 6, 8, 8, 12, 25])):
            self.lateness[learner] = rng.choice([0.0, 0.1, 0.8])
            self._fill(learner)
        self.stages, self.batches = self._stages()

    def _weeks(self) -> list[Week]:
        weeks = [Week.of(self.versions, START)]
        while weeks[-1].days.stop < START + DAYS:
            weeks.append(Week.of(self.versions, weeks[-1].days.stop))
        return weeks

    def _fill(self, learner: str) -> None:
        rng = self.rng
        clock, zeal = rng.choice(CLOCKS + ZONES), rng.choice([0.05, 0.1, 0.3, 0.6])
        mine = len(self.events)
        if rng.random() < 0.6:
            self._place(learner, START, clock)
        for day in range(START, START + DAYS):
            if rng.random() < 0.1:
                clock = rng.choice(CLOCKS + ZONES)
            for _ in range(rng.randint(1, 3) if rng.random() < zeal else 0):
                self._practise(learner, day, clock)
            if rng.random() < 0.03:
                self._place(learner, day, clock)
            if rng.random() < 0.08:
                self._add(learner, "learner.updated", day, clock, {"leagues": rng.random() < 0.5})
        for _, event in rng.sample(self.events[mine:], min(len(self.events) - mine, rng.randint(0, 2))):
            self._retract(learner, event["source"], event["id"], clock)
        if rng.random() < 0.3:
            number = rng.choice(["", "", "/2"])
            self._retract(learner, SOURCE, f"{rng.choice(LEAGUES)}/{rng.choice(self.weeks).name}{number}", clock)

    def _place(self, learner: str, day: int, clock: str) -> None:
        """An administrator's result, which puts a learner into a tier."""
        tier = self.rng.choice([*TIERS, "legend"])
        data = {"league": self.rng.choice(LEAGUES), "week": "placed", "tier": tier, "xp": 0, "outcome": "stayed", "next": tier}
        self._add(learner, "league.finished", day, clock, data | ({"rank": self.rng.randint(1, 4)} if self.rng.random() < 0.5 else {}))

    def _practise(self, learner: str, day: int, clock: str) -> None:
        rng = self.rng
        kind = rng.choice(["line.spoken"] * 9 + ["hint.used", "xp.adjusted", "xp.declared", "achievement.granted", "achievement.revoked"])
        data: dict[str, Any] = {
            "line.spoken": {"words": rng.choice([0, 5, 10, 10])}, "hint.used": {}, "xp.adjusted": {"amount": rng.choice([-20, 5, 100])},
            "xp.declared": {"total": rng.choice([20, 100])},
        }.get(kind, {"achievement": rng.choice(["climb", "prizes"])})
        self._add(learner, kind, day, clock, data, **({"language": "de"} if rng.random() < 0.3 else {}))

    def _retract(self, learner: str, source: str, id: str, clock: str) -> None:
        self._add(learner, "event.retracted", START + self.rng.randrange(DAYS), clock, {"source": source, "id": id})

    def _add(self, learner: str, kind: str, day: int, clock: str, data: dict[str, Any], **more: str) -> None:
        time = day * DAY_MS + self.rng.choice([0, DAY_MS // 2, DAY_MS - 1, self.rng.randrange(DAY_MS)])
        zone = {"time": format_instant(time), "timezone": clock} if clock in ZONES else {"time": written(time, clock)}
        event = {"id": f"e{len(self.events)}", "source": "app", "type": kind, "subject": learner, **zone, **more, "data": data}
        self.events.append((time, event))

    def _stages(self) -> tuple[list[dict[str, str]], list[list[dict[str, Any]]]]:
        """The stages, and the events of each that takes events in. After some settlements more events arrive, and the same
        weeks are settled again."""
        rng, instants = self.rng, self._instants()
        arrivals: list[list[dict[str, Any]]] = [[] for _ in instants]
        for time, event in self.events:
            is_late = rng.random() < self.lateness[event["subject"]]
            due = sum(instant < time for instant in instants) + (rng.randint(1, 6) if is_late else 0)
            arrivals[min(due, len(instants) - 1)].append(event)
        stages: list[dict[str, str]] = []
        batches: list[list[dict[str, Any]]] = []
        for instant, events in zip(instants, arrivals):
            rng.shuffle(events)
            ends = [0, *sorted(rng.randint(0, len(events)) for _ in range(rng.randint(0, 3))), len(events)]
            for part in [events[start:end] for start, end in pairwise(ends)]:
                if part or not stages:
                    stages.append({"ingest": f"events-{len(batches)}.ndjson"})
                    batches.append(part + rng.sample(part, len(part) // 20))
                if part or rng.random() < 0.5:
                    stages.append({"settle": format_instant(instant)})
        return stages, batches

    def _instants(self) -> list[int]:
        """The instants of the job, many of them those at which a week is due, ascending."""
        rng = self.rng
        result = [START * DAY_MS + rng.randrange(3 * DAY_MS)]
        for week in self.weeks:
            for league in week.rules.leagues.values():
                if rng.random() < 0.6:
                    result.append(week.settled_at(league) + rng.choice([0, 0, -1, rng.randrange(9) * HOUR_MS]))
        result += [(START + rng.randrange(DAYS + 9)) * DAY_MS for _ in range(7)]
        return sorted(instant for instant in result if instant < (START + DAYS + 14) * DAY_MS)

    def write(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        for day, document in self.documents.items():
            write_rules(document, os.path.join(folder, "rules.yaml" if day is None else f"rules-{format_day(day)}.yaml"))
        for number, events in enumerate(self.batches):
            with open(os.path.join(folder, f"events-{number}.ndjson"), "w", encoding="utf-8") as file:
                file.writelines(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
        with open(os.path.join(folder, "stages.json"), "w", encoding="utf-8") as file:
            json.dump(self.stages, file, indent=1)


def main() -> None:
    parser = argparse.ArgumentParser(description="A random world of leagues.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True, help="folder for the rules, the events and stages.json")
    options = parser.parse_args()
    World(Random(options.seed)).write(options.out)


if __name__ == "__main__":
    main()
