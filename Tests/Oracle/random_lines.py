# SPDX-License-Identifier: Apache-2.0
"""Random spellings of an event as a line of JSON, and random invalid lines."""
from __future__ import annotations

import json
from random import Random
from typing import Any

from instants import DAY_MS, format_instant


def written_time(rng: Random, instant: int, zone: str) -> str:
    """RFC 3339 of an instant with a zone as written (`Z`, `-00:00`, `+05:30`), and a fraction of any length."""
    offset = 0 if zone == "Z" else int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[4:6])) * 60_000
    if not 0 <= instant + offset:
        return format_instant(instant)
    whole, fraction = format_instant(instant + offset)[:-1].split(".")
    digits = rng.choice([fraction, fraction + "000", fraction + str(rng.randrange(10_000))])
    if rng.random() < 0.5:
        digits = fraction.rstrip("0")
    if rng.random() < 0.05:
        whole = whole.replace("T", "t")
    zone = zone.lower() if zone == "Z" and rng.random() < 0.05 else zone
    return whole + ("." + digits if digits else "") + zone


def written(rng: Random, value: Any, respell: bool = False) -> str:
    """JSON of a value, with keys in random order and texts escaped or not. With `respell`, numbers have another spelling."""
    space = " " if rng.random() < 0.2 else ""
    return _json(rng, value, respell, rng.random() < 0.3, space)


def _json(rng: Random, value: Any, respell: bool, escaped: bool, space: str) -> str:
    if isinstance(value, dict):
        items = list(value.items())
        rng.shuffle(items)
        parts = (f"{_text(key, escaped)}:{space}{_json(rng, item, respell, escaped, space)}" for key, item in items)
        return "{" + f",{space}".join(parts) + "}"
    if isinstance(value, list):
        return "[" + f",{space}".join(_json(rng, item, respell, escaped, space) for item in value) + "]"
    if isinstance(value, str):
        return _text(value, escaped)
    if respell and isinstance(value, (int, float)) and not isinstance(value, bool):
        return rng.choice(_spellings(value))
    return json.dumps(value)


def _text(value: str, escaped: bool) -> str:
    result = json.dumps(value, ensure_ascii=escaped)
    return result.replace("/", "\\/") if escaped else result


def _spellings(number: int | float) -> list[str]:
    if isinstance(number, int):
        return [str(number), f"{number}.0", f"{number}e0", f"{number}.00E+0"] + ([f"{number}0e-1"] if number else [])
    plain = repr(number)
    return [plain] if "e" in plain else [plain, plain + "0", plain + "e0", plain + "E-0"]


# --- lines that are not valid --------------------------------------------------------------------------------------

_REPLACED: list[dict[str, Any]] = [
    {"id": ""}, {"id": "x" * 129}, {"id": 7}, {"id": None}, {"id": "é" * 65}, {"source": "s" * 257}, {"source": None},
    {"source": ["a"]}, {"subject": ""}, {"subject": None}, {"type": "Line.Spoken"}, {"type": "line..spoken"},
    {"type": "a" * 65}, {"type": None}, {"type": "line.spoken-"}, {"time": "2024-02-30T10:00:00Z"},
    {"time": "2024-01-01T10:00:60Z"}, {"time": "2024-01-01 10:00:00Z"}, {"time": "2024-01-01T10:00:00"},
    {"time": "1969-12-31T23:59:59.999Z"}, {"time": "9998-01-01T00:00:00Z"}, {"time": "2024-13-01T10:00:00Z"},
    {"time": "2024-01-01T24:00:00Z"}, {"time": "2024-01-01T10:00Z"}, {"time": "2024-01-01T10:00:00.Z"},
    {"time": "2024-01-01T10:00:00+0100"}, {"time": 1704100000000}, {"time": None}, {"specversion": "0.3"},
    {"specversion": 1.0}, {"language": 5}, {"session": "s" * 129}, {"session": ""}, {"timezone": "Mars/Olympus"},
    {"timezone": 2}, {"data": []}, {"data": "text"}, {"data": 5}, {"data": {"accuracy": 1.5}},
    {"data": {"accuracy": -0.01}}, {"data": {"accuracy": "1"}}, {"data": {"errors": -1}}, {"data": {"errors": 1.5}},
    {"data": {"errors": True}}, {"data": {"line": 5}}, {"data": {"durationMs": "10"}}, {"data": {"text": {"a": 1}}},
    {"data": {"pad": "x" * 70_000}},
]
_TYPED: list[tuple[str, dict[str, Any] | None]] = [
    ("review.graded", {"word": "a"}), ("review.graded", {"word": "a", "grade": "ok"}), ("review.graded", None),
    ("review.graded", {"grade": "good"}), ("word.added", {}), ("word.added", {"word": None}),
    ("word.added", {"word": "a", "tags": "x"}),
    ("word.added", {"word": "a", "tags": [1]}), ("word.imported", {"word": "a", "masteryLevel": 6}),
    ("word.imported", {"word": "a", "easeFactor": 1.29}), ("word.imported", {"word": "a", "intervalDays": 0}),
    ("word.imported", {"word": "a", "intervalDays": 36501}), ("word.imported", {"word": "a", "stability": 0}),
    ("word.imported", {"word": "a", "difficulty": 10.5}), ("word.imported", {"word": "a", "nextReviewAt": "soon"}),
    ("word.imported", {"word": "a", "intervalDays": 2.5}), ("repair.made", {"helped": "yes"}),
    ("repair.made", {"helped": 1}), ("xp.adjusted", {"amount": 1.5}), ("xp.adjusted", {"amount": "5"}),
    ("xp.adjusted", {}),
    ("streak.frozen", {"date": "2024-02-30"}), ("streak.repaired", {"date": "20240201"}), ("streak.repaired", {}),
    ("achievement.granted", {}), ("event.retracted", {"id": "x"}), ("event.retracted", {"source": "x"}),
    ("session.started", {"mode": "duo"}), ("learner.updated", {"dailyGoalMinutes": 0}),
    ("learner.updated", {"dailyGoalMinutes": 1441}), ("object.scanned", {"confidence": 0.5}),
    ("object.scanned", {"label": "cup", "confidence": 2}), ("scenario.completed", {"errors": 1}),
    ("word.encountered", {"word": "a", "count": -2}), ("session.discarded", {}),
    ("learner.updated", {"leagues": 1}), ("streak.repaired", {"date": "2024-02-01", "reason": 1}),
    ("streak.paused", {"from": "2024-02-02", "through": "2024-02-01"}), ("streak.paused", {"from": "2024-02-02"}),
    ("streak.paused", {"from": "2024-02-01", "through": "2025-02-01"}), ("freeze.granted", {"count": 0}),
    ("freeze.granted", {"count": 101}), ("item.bought", {}), ("item.bought", {"item": "hat", "count": 1001}),
    ("currency.adjusted", {"currency": "gems", "amount": 10**12 + 1}), ("currency.adjusted", {"amount": 1}),
    ("group.joined", {"kind": "team"}), ("group.left", {}), ("flag.cleared", {"id": "x"}),
    ("league.finished", {"league": "w", "week": "2024-W06", "tier": "a", "xp": 1, "outcome": "left", "next": "a"}),
    ("league.finished", {"league": "w", "week": "2024-W06", "tier": "a", "outcome": "stayed", "next": "a"}),
    ("scheduler.fitted", {"parameters": [1] * 21, "reviews": 9, "logLoss": 0.3}),
    ("scheduler.fitted", {"parameters": [0.1], "reviews": 9, "logLoss": 0.3}),
    ("scheduler.fitted", {"parameters": "w", "reviews": 9, "logLoss": 0.3}),
]


def invalid_line(rng: Random, serial: int, instant: int) -> bytes:
    """A line that must be refused, regardless of its neighbours."""
    event: dict[str, Any] = {
        "id": f"bad{serial}", "source": "bad", "type": "line.spoken", "subject": "ana", "time": format_instant(instant),
    }
    form = rng.randrange(10)
    if form < 5:
        return written(rng, event | rng.choice(_REPLACED)).encode()
    if form < 8:
        kind, data = rng.choice(_TYPED)
        return written(rng, event | {"type": kind, "data": data}).encode()
    return _broken(rng, json.dumps(event), instant)


def _broken(rng: Random, line: str, instant: int) -> bytes:
    no_language = line.replace("line.spoken", "level.declared")[:-1] + ', "data": {"level": "B1"}}'
    with_data = line[:-1] + ', "data": %s}'
    return rng.choice([
        line[:-1].encode(), (line + "}").encode(), b"hello", b'"text"', b"5", b"null", line.replace('"', "'").encode(),
        line.encode().replace(b"ana", b"an\xff"), (line[:-1] + ', "id": "again"}').encode(),
        (with_data % '{"line": "a", "line": "b"}').encode(), (with_data % '{"accuracy": NaN}').encode(),
        (with_data % ('{"deep": ' + "[" * 200 + "]" * 200 + "}")).encode(), no_language.encode(),
        line.replace("ana", "a\tna").encode(), (with_data % '{"errors": 01}').encode(),
        line.replace(format_instant(instant), format_instant(instant + 40_000 * DAY_MS)).encode(),
    ])
