# SPDX-License-Identifier: Apache-2.0
"""Random worlds of groups: learners who travel, join, leave and practise, with retractions, in any order of arrival.

    python3 random_groups.py --seed N --out DIR
"""
from __future__ import annotations

import argparse
import json
import os
from random import Random
from typing import Any

from instants import DAY_MS, format_day, format_instant, parse_date

LEARNERS = ["ana", "Борис", "d/e f", "zoe\u0308", "zoë", "李雷"]
GROUPS = ["blue", "blue", "blue", "blue", "Blue", "é 1"]
KINDS = ["friends", "team", "any two", "unknown"]
CLOCKS = ["Z", "+00:00", "+14:00", "-11:00", "+05:30", "-03:30"]
ZONES = ["Europe/Berlin", "Pacific/Apia", "America/New_York", "Asia/Kolkata"]
START = parse_date("2026-03-20")
DAYS = 18
SUMS = ["xp", "minutes", "lines", "reviews", "new_words", "learned_words", "active_days"]


def random_groups(rng: Random) -> dict[str, Any]:
    """A section `groups`."""
    groups: dict[str, Any] = {}
    for kind in rng.sample(KINDS[:3], rng.randint(1, 3)):
        body: dict[str, Any] = {}
        if rng.random() < 0.8:
            body["streak"] = {"need": rng.choice(["all", "any", 1, 2, 3])}
        if not body or rng.random() < 0.7:
            body["goals"] = [
                {
                    "id": f"g{number}", "every": rng.choice(["day", "week"]), "sum": rng.choice(SUMS),
                    "target": rng.choice([1, 2, 5, 12.5, 60]),
                }
                for number in range(rng.randint(1, 3))
            ]
        groups[kind] = body
    return groups


def rules_document(rng: Random) -> dict[str, Any]:
    return {
        "version": 1,
        "calendar": {
            "default_timezone": rng.choice(["UTC", "America/St_Johns", "Asia/Kolkata"]),
            "day_starts_at": rng.choice(["00:00", "00:00", "04:00"]),
            "week_starts_on": rng.choice(["monday", "monday", "sunday", "thursday"]),
        },
        "metrics": {"lines": {"count": "line.spoken"}, "reviews": {"count": "review.graded"}},
        "streak": {"when": rng.choice(["day.lines >= 1", "day.lines + day.reviews >= 2"])},
        "xp": [{"id": "line", "on": "line.spoken", "award": 10}, {"id": "review", "on": "review.graded", "award": 3}],
        "groups": random_groups(rng),
    }


class World:
    """The events of some learners."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.events: list[dict[str, Any]] = []
        for learner in rng.sample(LEARNERS, rng.randint(1, 5)):
            self._fill(learner)

    def _fill(self, learner: str) -> None:
        rng = self.rng
        clock = rng.choice(CLOCKS + ZONES)
        zeal = rng.choice([0.4, 0.8, 0.95])
        time = START * DAY_MS + rng.randrange(DAY_MS)
        self._add(learner, "group.joined", time, clock, self._joining())
        for day in range(START, START + DAYS):
            if rng.random() < 0.1:
                clock = rng.choice(CLOCKS + ZONES)
            if rng.random() < 0.12:
                self._add(learner, "group.left", self._moment(day), clock, {"group": rng.choice(GROUPS)})
            if rng.random() < 0.15:
                self._add(learner, "group.joined", self._moment(day), clock, self._joining())
            if rng.random() < zeal:
                for _ in range(rng.randint(1, 3)):
                    self._practise(learner, self._moment(day), clock)
        for event in rng.sample(self.events, min(len(self.events), rng.randint(0, 3))):
            if event["subject"] == learner:
                data = {"source": event["source"], "id": event["id"]}
                self._add(learner, "event.retracted", self._moment(START + rng.randrange(DAYS)), clock, data)

    def _joining(self) -> dict[str, Any]:
        data: dict[str, Any] = {"group": self.rng.choice(GROUPS)}
        if self.rng.random() < 0.7:
            data["kind"] = self.rng.choice(KINDS)
        return data

    def _moment(self, day: int) -> int:
        return day * DAY_MS + self.rng.choice([0, 1, DAY_MS - 1, self.rng.randrange(DAY_MS)])

    def _practise(self, learner: str, time: int, clock: str) -> None:
        rng = self.rng
        kind = rng.choice(["line.spoken"] * 4 + ["review.graded", "word.added", "word.learned", "streak.repaired", "xp.adjusted", "learner.updated"])
        word = rng.choice(["hola", "gato", "perro"])
        data: dict[str, Any] = {
            "line.spoken": {"durationMs": rng.choice([0, 29_999, 60_000, 250_000])},
            "review.graded": {"word": word, "grade": rng.choice(["again", "good", "easy"]), "durationMs": 40_000},
            "word.added": {"word": word}, "word.learned": {"word": word},
            "streak.repaired": {"date": format_day(time // DAY_MS - rng.randint(0, 4))},
            "xp.adjusted": {"amount": rng.choice([-20, 5, 100])},
            "learner.updated": {"displayName": rng.choice(["Ana", "Ánh 🦊", ""])},
        }[kind]
        self._add(learner, kind, time, clock, data)

    def _add(self, learner: str, kind: str, time: int, clock: str, data: dict[str, Any]) -> None:
        event: dict[str, Any] = {"id": f"e{len(self.events)}", "source": "app", "type": kind, "subject": learner}
        if clock in ZONES:
            event |= {"time": format_instant(time), "timezone": clock}
        else:
            minutes = 0 if clock == "Z" else int(clock[0] + "1") * (int(clock[1:3]) * 60 + int(clock[4:]))
            event["time"] = format_instant(time + minutes * 60_000)[:-1] + clock
        self.events.append(event | {"data": data})

    def lines(self) -> list[bytes]:
        """The events in an order of arrival that differs from that of their times; some come twice."""
        events = self.events + self.rng.sample(self.events, len(self.events) // 10)
        self.rng.shuffle(events)
        return [json.dumps(event, ensure_ascii=False).encode() for event in events]


def main() -> None:
    parser = argparse.ArgumentParser(description="A random world of groups.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True, help="folder for rules.yaml and events.ndjson")
    options = parser.parse_args()
    rng = Random(options.seed)
    os.makedirs(options.out, exist_ok=True)
    rules = rules_document(rng)
    written = {"rules.yaml": rules}
    if rng.random() < 0.4:
        later = START + rng.randrange(4, DAYS - 2)
        written[f"rules-{format_day(later)}.yaml"] = rules | {"groups": random_groups(rng)}
    for name, document in written.items():
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)
    with open(os.path.join(options.out, "events.ndjson"), "wb") as file:
        file.write(b"".join(line + b"\n" for line in World(rng).lines()))


if __name__ == "__main__":
    main()
