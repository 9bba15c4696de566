# SPDX-License-Identifier: Apache-2.0
"""Random streams of events of several learners over some months, with everything that makes folding hard."""
from __future__ import annotations

import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from catalogue import ADMINISTERED, CATALOGUE, FSRS_BOUNDS
from instants import DAY_MS, format_day, format_instant, parse_date, parse_time, zone_offset
from random_expressions import DECLARED, EXTENDED, UNDECLARED
from random_lines import invalid_line, written, written_time
from rules import FSRS_WEIGHTS

LEARNERS = ["ana", "Борис", "李雷", "d/e f", "zoe\u0308", "zoë"]
LANGUAGES = ["es", "es", "es", "pt-BR", "pt-br", "ja", None]
ZONES = [
    "Africa/Cairo", "America/Santiago", "Asia/Kolkata", "Pacific/Apia", "Europe/Berlin", "America/New_York",
    "Australia/Lord_Howe", "Pacific/Kiritimati", "Etc/GMT+12", "America/St_Johns", "UTC",
]
# Days shortly before changes to and from summer time. In December 2011, Apia left out a day.
STARTS = ["2024-02-20", "2024-08-25", "2025-02-10", "2025-09-10", "2011-12-10", "2023-03-20"]
STYLES = ["zone", "zone", "zone", "zone+offset", "zone+other", "offset", "offset", "Z", "-00:00", "+00:00"]
ID_STARTS = ["e", "e", "e", "E", "é", "～", "😀"]  # the last two order differently in UTF-8 and in UTF-16
WORDS = [
    "hola", "casa", "perro", "gato", "café", "cafe\u0301", "日本", "猫", "👩‍👩‍👧", 'a"b\\c', "ß", "ss",
    "İ", "no", "null", "mañana", "tab\there", "adiós", "w1", "w2", "w3", "W3",
]
TEXTS = [
    "", "hola", "a b", "é", "e\u0301", "line\nbreak", "😀🏽", "\u0000", "\u2028", "</script>", "travel", "no", "1",
]
POOLS: dict[str, list[str]] = {
    "partner": ["bo", "Bo", "zoë", "zoe\u0308", "李"], "scenario": ["cafe", "airport", "café"],
    "category": ["travel", "no"],
    "kind": ["verb", "article", "side"], "label": ["cup", "Tasse", "杯"], "displayName": ["Ana", "Ánh 🦊", ""],
    "role": ["guest", "waiter"], "to": ["bo", "李"], "character": ["María"], "origin": ["deck"],
    "item": ["freeze", "hat", "pack", "no such"], "currency": ["gems", "hearts", "hearts", "coins", "Gold_1", "no such"],
}
NUMBERS: dict[str, list[Any]] = {
    "accuracy": [0, 0.5, 0.89, 0.9, 0.95, 1, 1.0], "confidence": [0, 0.25, 1], "masteryLevel": [0, 1, 2, 3, 4, 5],
    "easeFactor": [1.3, 1.9, 2.5, 2.36, 3.1], "intervalDays": [1, 2, 7, 30, 365, 36500],
    "stability": [0.05, 0.5, 3.3, 21, 60.5, 200], "difficulty": [1, 4.4, 7.25, 10], "errors": [0, 0, 1, 2, 7],
    "dailyGoalMinutes": [1, 5, 30, 1440], "count": [0, 1, 2, 5], "amount": [-500, -30, 0, 10, 50, 1500],
    "totalReviews": [0, 3, 40], "correctReviews": [0, 2, 30], "words": [0, 4, 11],
}
WEIGHTS = {
    "line.spoken": 24, "review.graded": 18, "session.started": 8, "session.ended": 9, "word.added": 5,
    "word.encountered": 4, "word.imported": 3, "word.removed": 2, "word.learned": 2, "word.unlearned": 1.5,
    "session.discarded": 0.5, "event.retracted": 0, "achievement.granted": 0.7, "achievement.revoked": 0.9,
    "streak.paused": 0, "freeze.granted": 0,
}
GAMES_WEIGHTS = {
    "streak.paused": 0.7, "freeze.granted": 1.2, "item.bought": 3, "currency.adjusted": 1.5, "learner.updated": 3,
    "error.detected": 3, "scenario.completed": 3,
}


def random_season(rng: Random) -> int:
    """The day on which a stream begins."""
    return parse_date(rng.choice(STARTS))


@dataclass
class Learner:
    """The state of a simulated learner."""

    name: str
    time: int
    zone: str
    style: str
    home: str
    sources: list[str]
    pace: float
    open_sessions: list[str] = field(default_factory=list)
    past_sessions: list[str] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)


class Stream:
    """One random stream; `lines` gives it as NDJSON."""

    def __init__(
        self, rng: Random, size: int, season: int, achievements: list[str], conflicts: bool, invalid: bool, games: bool
    ) -> None:
        self.rng = rng
        self.season = season
        self.size = size
        self.achievements = achievements + ["no-such-goal"]
        self.conflicts = conflicts
        self.invalid = invalid
        self.games = games
        self.serial = 0
        self.types = list(CATALOGUE) + list(DECLARED) + UNDECLARED
        weights = WEIGHTS | GAMES_WEIGHTS if games else WEIGHTS
        self.weights = [weights.get(kind, 1.2) for kind in self.types]
        self.extended = EXTENDED | ({"learner.updated": EXTENDED["learner.updated"] | {"pace": "number"}} if games else {})

    def lines(self) -> list[bytes]:
        rng = self.rng
        learners = [self._learner(name) for name in rng.sample(LEARNERS, min(len(LEARNERS), 1 + self.size // 250))]
        for _ in range(int(self.size * 0.9)):
            learner = rng.choice(learners)
            learner.sent.append(self._next(learner))
        for learner in learners:
            if self.games:
                self._clear(learner)
            self._retract(learner)
        events = [event for learner in learners for event in learner.sent]
        lines = [written(rng, event).encode() for event in events]
        lines += [written(rng, self._again(event), respell=True).encode() for event in events if rng.random() < 0.05]
        self._disorder(lines)
        if self.conflicts:
            lines = self._with_conflicts(lines, events)
        return self._with_invalid(lines, events) if self.invalid else lines

    # --- time and place --------------------------------------------------------------------------------------------

    def _learner(self, name: str) -> Learner:
        rng = self.rng
        first_day = self.season if rng.random() < 0.7 else random_season(rng)
        start = first_day * DAY_MS + 7 * 3_600_000 + rng.randrange(DAY_MS)
        home = rng.choice(ZONES)
        sources = rng.sample(["phone", "tablet", "web-é", "Ω", "～"], 3)
        return Learner(name, start, home, rng.choice(STYLES), home, sources, pace=rng.choice([0, 0.4, 0.7]))

    def _advance(self, learner: Learner) -> None:
        """Advances the clock: mostly within a sitting, often to another hour or day, sometimes not at all or by exactly a day."""
        rng = self.rng
        roll = rng.uniform(0, 0.72 if rng.random() < learner.pace else 1)
        if roll < 0.07:
            step = 0
        elif roll < 0.72:
            step = rng.randrange(500, 240_000)
        elif roll < 0.82:
            step = rng.randrange(DAY_MS // 4)
        elif roll < 0.95:
            step = DAY_MS - learner.time % DAY_MS + rng.randrange(DAY_MS) if roll < 0.92 else DAY_MS * 3 // 4
        elif roll < 0.98:
            step = DAY_MS + rng.choice([0, 1, -1])
        else:
            step = rng.randrange(2, 6) * DAY_MS
        learner.time += step
        if step > DAY_MS // 2 and rng.random() < 0.6:
            learner.open_sessions.clear()  # never ended
        if rng.random() < 0.02:
            learner.zone = rng.choice([learner.home, rng.choice(ZONES)])
        if rng.random() < 0.05:
            learner.style = rng.choice(STYLES)

    def _place(self, learner: Learner, time: int) -> dict[str, str]:
        """`time` and perhaps `timezone`, in the learner's present style."""
        rng = self.rng
        minutes = round(zone_offset(learner.zone, time) / 60_000)
        offset = "%s%02d:%02d" % ("-" if minutes < 0 else "+", abs(minutes) // 60, abs(minutes) % 60)
        if learner.style == "zone":
            return {"time": written_time(rng, time, "Z"), "timezone": learner.zone}
        if learner.style == "zone+offset":
            return {"time": written_time(rng, time, offset), "timezone": learner.zone}
        if learner.style == "zone+other":
            return {"time": written_time(rng, time, rng.choice(["+00:00", "-09:30"])), "timezone": learner.zone}
        return {"time": written_time(rng, time, offset if learner.style == "offset" else learner.style)}

    # --- events ----------------------------------------------------------------------------------------------------

    def _next(self, learner: Learner) -> dict[str, Any]:
        rng = self.rng
        self._advance(learner)
        kind = rng.choices(self.types, self.weights)[0]
        event = self._envelope(learner, kind, learner.time)
        session = self._session(learner, kind)
        if session is not None:
            event["session"] = session
        language = rng.choice(LANGUAGES) or ("ja" if kind == "level.declared" else None)
        if language is not None:
            event["language"] = language
        data = self._data(learner, kind)
        if data or rng.random() < 0.5:
            event["data"] = data
        self._decorate(event, kind)
        return event

    def _envelope(self, learner: Learner, kind: str, time: int) -> dict[str, Any]:
        rng = self.rng
        self.serial += 1
        event = {"id": rng.choice(ID_STARTS) + str(self.serial), "source": rng.choice(learner.sources), "type": kind}
        event |= {"subject": learner.name, **self._place(learner, time)}
        if rng.random() < 0.8:
            event["specversion"] = "1.0"
        return event

    def _decorate(self, event: dict[str, Any], kind: str) -> None:
        """Adds null attributes, extension attributes, and unknown fields of data."""
        rng = self.rng
        for name in ("language", "session", "timezone", "data"):
            if name not in event and rng.random() < 0.04:
                event[name] = None
        if rng.random() < 0.1:
            event |= rng.choice([
                {"datacontenttype": "application/json"}, {"traceparent": "00-ab"}, {"sequence": 7}, {"sampled": True},
            ])
        if rng.random() < 0.1 and isinstance(event.get("data"), dict):
            event["data"] |= rng.choice([
                {"extra": {"a": [1, {"b": None}], "é": "\u0001\"\\"}}, {"note": "😀 \u2028"},
                {"big": 12345678901, "tiny": 1e-7}, self._misplaced(kind),
            ])

    def _misplaced(self, kind: str) -> dict[str, Any]:
        """A field that other types have, but not this type. Its value must be ignored."""
        known = CATALOGUE.get(kind, DECLARED.get(kind, {})).keys() | EXTENDED.get(kind, {}).keys()
        others = {"accuracy": 0.5, "errors": "many", "partner": 5, "won": True, "score": 99, "mode": {}, "amount": 3}
        return {name: value for name, value in others.items() if name not in known}

    def _session(self, learner: Learner, kind: str) -> str | None:
        rng, running = self.rng, learner.open_sessions
        if kind == "session.discarded":
            return rng.choice(running + learner.past_sessions[-3:] or ["nothing"])
        if kind == "item.bought" or kind in ADMINISTERED:
            return rng.choice(running + learner.past_sessions[-3:] + [None])
        if kind == "session.started" and rng.random() < 0.85 or rng.random() < 0.03:
            again = learner.past_sessions and rng.random() < 0.15
            running.append(rng.choice(learner.past_sessions) if again else f"{learner.name}-{self.serial}")
            learner.past_sessions.append(running[-1])
            return running[-1]
        if len(running) > 3:
            running.pop(0)
        if not running or rng.random() < 0.25:
            return None
        session = rng.choice(running)
        if kind == "session.ended" and rng.random() < 0.9:
            running.remove(session)
        return session

    def _data(self, learner: Learner, kind: str) -> dict[str, Any]:
        if kind in DECLARED:
            return self._declared(DECLARED[kind])
        data = self._declared(self.extended.get(kind, {}))
        for name, spec in CATALOGUE.get(kind, {}).items():
            if spec.required or self.rng.random() < 0.55:
                data[name] = self._value(learner, kind, name, spec.kind)
            elif self.rng.random() < 0.08:
                data[name] = None
        if kind == "session.ended" and self.rng.random() < 0.5:
            data.pop("durationMs", None)
        return data

    def _declared(self, fields: dict[str, str]) -> dict[str, Any]:
        """Declared fields, mostly of the right type, else of another type, null or absent."""
        rng, data = self.rng, {}
        for name, wanted in fields.items():
            right = {"number": rng.choice([-2, 0, 1, 2.5, 7]), "text": rng.choice(TEXTS), "boolean": rng.random() < 0.5}
            roll = rng.random()
            if roll < 0.75:
                data[name] = right[wanted]
            elif roll < 0.9:
                data[name] = rng.choice(["5", 1, 0, True, None, [1], {"a": 1}, "verb"])
        return data

    def _value(self, learner: Learner, kind: str, name: str, wanted: str) -> Any:
        rng = self.rng
        if name == "word":
            return rng.choice(WORDS)
        if name == "grade":
            return rng.choice(["again", "hard", "good", "good", "good", "easy"])
        if name == "mode":
            return rng.choice(["practice", "difficult"] if kind == "review.graded" else ["solo", "host", "client"])
        if name == "level" and kind == "level.declared":
            return rng.choice(["A1", "A2", "B1", "B2", "C1", "C2"])
        if name == "achievement":
            return rng.choice(self.achievements)
        if kind == "streak.paused":
            return format_day(learner.time // DAY_MS + (rng.randint(-9, 0) if name == "from" else rng.randint(0, 9)))
        if name == "count" and kind in ("freeze.granted", "item.bought"):
            return rng.choice([1, 1, 1, 2, 3, 100])
        if name == "outcome":
            return rng.choice(["promoted", "stayed", "demoted"])
        if name == "parameters":
            near = [(low, min(high, 3 * usual + 0.1)) for (low, high), usual in zip(FSRS_BOUNDS, FSRS_WEIGHTS)]
            return [round(rng.uniform(low, high), 3) for low, high in near]
        if wanted == "date":
            return format_day(learner.time // DAY_MS + rng.randint(-5, 2 if kind == "streak.repaired" else 5))
        return self._plain_value(learner, name, wanted)

    def _plain_value(self, learner: Learner, name: str, wanted: str) -> Any:
        rng = self.rng
        if wanted == "instant":
            time = learner.time + rng.randint(-20, 20) * DAY_MS
            return written_time(rng, time, rng.choice(["Z", "+02:00", "-00:00"]))
        if wanted == "boolean":
            return rng.random() < 0.7
        if wanted == "list":
            return [rng.choice(TEXTS) for _ in range(rng.randint(0, 3))]
        if wanted == "text":
            return rng.choice(POOLS.get(name, TEXTS))
        if name == "total":
            return rng.choice([0, 10, 100, self.serial * 10, self.serial * 30])
        if name in NUMBERS:
            return rng.choice(NUMBERS[name])
        return rng.choice([0, 1, 29_999, 60_000, 599_999, 1_234_567]) if name.endswith("Ms") else rng.randint(0, 9)

    # --- corrections, repetitions, disorder ------------------------------------------------------------------------

    def _retract(self, learner: Learner) -> None:
        """Retracts ordinary events, discards (often), retractions, and events that do not exist."""
        rng = self.rng
        for target in list(learner.sent):
            if rng.random() < (0.4 if target["type"] == "session.discarded" else 0.025):
                learner.sent.append(self._retraction(learner, target))
                if rng.random() < 0.2:
                    learner.sent.append(self._retraction(learner, learner.sent[-1]))
        if learner.sent and rng.random() < 0.5:
            learner.sent.append(self._retraction(learner, learner.sent[-1] | {"source": "nowhere"}))

    def _clear(self, learner: Learner) -> None:
        """Clears the flags of events, some of which have none."""
        for target in list(learner.sent):
            if self.rng.random() < 0.06:
                learner.sent.append(self._naming(learner, "flag.cleared", target))

    def _retraction(self, learner: Learner, target: dict[str, Any]) -> dict[str, Any]:
        return self._naming(learner, "event.retracted", target)

    def _naming(self, learner: Learner, kind: str, target: dict[str, Any]) -> dict[str, Any]:
        """A correction of an event, before, at or after it."""
        rng = self.rng
        time = max(0, parse_time(target["time"])[0] + rng.choice([-DAY_MS, -1, 0, 1, 60_000, DAY_MS, 9 * DAY_MS]))
        event = self._envelope(learner, kind, time)
        event["data"] = {"source": target["source"], "id": target["id"]}
        for name in ("language", "session"):
            if target.get(name) is not None and rng.random() < 0.5:
                event[name] = target[name]
        return event

    def _again(self, event: dict[str, Any]) -> dict[str, Any]:
        """The same event, with another spelling of its time's fraction and of its null attributes."""
        result = copy.deepcopy(event)
        time, zone = parse_time(event["time"])
        result["time"] = written_time(self.rng, time, zone)
        for name in ("session", "dataschema"):
            if result.get(name) is None:
                result[name] = None
        if result.get("language") and self.rng.random() < 0.3:
            result["language"] = self.rng.choice([str.upper, str.lower])(result["language"])
        return result

    def _disorder(self, lines: list[bytes]) -> None:
        form = self.rng.randrange(3)
        if form == 0:
            self.rng.shuffle(lines)
        elif form == 1:
            for start in range(0, len(lines), 20):
                part = lines[start:start + 20]
                self.rng.shuffle(part)
                lines[start:start + 20] = part

    def _with_conflicts(self, lines: list[bytes], events: list[dict[str, Any]]) -> list[bytes]:
        """Adds events with other contents under the same identities, before or after the first."""
        rng = self.rng
        for event in rng.sample(events, max(1, len(events) // 40)):
            other = copy.deepcopy(event)
            time, _ = parse_time(event["time"])
            change = rng.randrange(3)
            if change == 0:
                other["time"] = format_instant(time + 1)
            elif change == 1:
                other["language"] = "fr"
            else:
                other["comment"] = "changed"
            lines.insert(rng.randint(0, len(lines)), written(rng, other).encode())
        return lines

    def _with_invalid(self, lines: list[bytes], events: list[dict[str, Any]]) -> list[bytes]:
        rng = self.rng
        for serial in range(max(5, len(lines) // 20)):
            time, _ = parse_time(rng.choice(events)["time"])
            lines.insert(rng.randint(1, len(lines)), invalid_line(rng, serial, time))
        return lines
