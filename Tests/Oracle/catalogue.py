# SPDX-License-Identifier: Apache-2.0
"""The event types (events.md#the-catalogue), with their fields and the valid values.

A checker gets a decoded JSON value (numbers as `Decimal`) and returns the value the fold works with, or raises
`Invalid`. Numbers come back as `float`, integers as `int`, dates and instants as the text they were written as.
"""
from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Callable

from instants import Invalid, parse_date, parse_time

Checker = Callable[[Any], Any]


@dataclass(frozen=True)
class Field:
    """One field of a type's data: its checker, its type in expressions, true if it is required, its default."""

    check: Checker
    kind: str
    required: bool = False
    default: Any = None


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise Invalid("not text")
    return value


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Invalid("not a boolean")
    return value


def finite(value: Any) -> float:
    if not isinstance(value, Decimal):
        raise Invalid("not a number")
    number = float(value)
    if not math.isfinite(number):
        raise Invalid("not a finite number")
    return number


def number(low: float, high: float = math.inf, above: bool = False) -> Checker:
    def check(value: Any) -> float:
        result = finite(value)
        if result < low or result > high or (above and result == low):
            raise Invalid("number out of range")
        return result
    return check


def integer(low: float = -math.inf, high: float = math.inf) -> Checker:
    def check(value: Any) -> int:
        result = finite(value)
        if value != value.to_integral_value():
            raise Invalid("not an integer")
        if result < low or result > high:
            raise Invalid("integer out of range")
        return int(value)
    return check


def choice(*names: str) -> Checker:
    def check(value: Any) -> str:
        if value not in names or not isinstance(value, str):
            raise Invalid("not one of " + ", ".join(names))
        return value
    return check


def texts(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Invalid("not a list")
    return [text(item) for item in value]


def numbers(*bounds: tuple[float, float]) -> Checker:
    def check(value: Any) -> list[float]:
        if not isinstance(value, list) or len(value) != len(bounds):
            raise Invalid(f"not a list of {len(bounds)} numbers")
        return [number(low, high)(item) for item, (low, high) in zip(value, bounds)]
    return check


def date(value: Any) -> str:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text(value)):
        raise Invalid("not a date")
    parse_date(value)
    return text(value)


def instant(value: Any) -> str:
    parse_time(text(value))
    return text(value)


TEXT = Field(text, "text")
MUST = Field(text, "text", required=True)
COUNT = Field(integer(0), "number")
SHARE = Field(number(0, 1), "number")
MODE = Field(choice("solo", "host", "client"), "text")
INSTANT = Field(instant, "instant")
DATE = Field(date, "date", required=True)

_WORD = {"word": MUST}
_ENTRY = {
    "text": TEXT, "translation": TEXT, "partOfSpeech": TEXT, "category": TEXT,
    "tags": Field(texts, "list"), "origin": TEXT,
}
_IMPORT = {
    "masteryLevel": Field(integer(0, 5), "number"),
    "easeFactor": Field(number(1.3), "number"),
    "intervalDays": Field(integer(1, 36_500), "number"),
    "stability": Field(number(0, above=True), "number"),
    "difficulty": Field(number(1, 10), "number"),
    "nextReviewAt": INSTANT, "lastReviewedAt": INSTANT,
    "totalReviews": COUNT, "correctReviews": COUNT,
}
_NAMED = {"achievement": MUST, "reason": TEXT}
_IDENTITY = {"source": MUST, "id": MUST}
_INTEGER = Field(integer(), "number")
_LOWEST: tuple[float, ...] = (0.001,) * 4 + (1, 0.001, 0.001, 0.001, 0, 0, 0.001, 0.001, 0.001, 0.001, 0, 0, 1, 0, 0, 0, 0.1)
_HIGHEST: tuple[float, ...] = (100,) * 4 + (10, 4, 4, 0.75, 4.5, 0.8, 3.5, 5, 0.25, 0.9, 4, 1, 6, 2, 2, 0.8, 0.8)
FSRS_BOUNDS = list(zip(_LOWEST, _HIGHEST))

CATALOGUE: dict[str, dict[str, Field]] = {
    "learner.updated": {
        "displayName": TEXT, "nativeLanguage": TEXT,
        "dailyGoalMinutes": Field(integer(1, 1440), "number"), "cohort": TEXT,
        "leaderboard": Field(boolean, "boolean"), "leagues": Field(boolean, "boolean"),
    },
    "level.declared": {"level": Field(choice("A1", "A2", "B1", "B2", "C1", "C2"), "text", required=True)},
    "session.started": {"mode": MODE, "scenario": TEXT, "role": TEXT, "partner": TEXT, "kind": TEXT},
    "session.ended": {"durationMs": COUNT, "mode": MODE, "scenario": TEXT, "partner": TEXT},
    "session.discarded": {},
    "line.spoken": {
        "line": TEXT, "text": TEXT, "translation": TEXT, "role": TEXT, "accuracy": SHARE,
        "errors": COUNT, "words": COUNT, "durationMs": COUNT,
    },
    "line.skipped": {"line": TEXT},
    "word.added": _WORD | _ENTRY,
    "word.updated": _WORD | _ENTRY,
    "word.removed": _WORD,
    "word.encountered": _WORD | {"count": Field(integer(0), "number", default=1), "category": TEXT},
    "word.learned": _WORD,
    "word.unlearned": _WORD,
    "word.imported": _WORD | _ENTRY | _IMPORT,
    "review.graded": _WORD | {
        "grade": Field(choice("again", "hard", "good", "easy"), "text", required=True),
        "durationMs": COUNT, "mode": TEXT,
    },
    "error.detected": {"kind": TEXT, "original": TEXT, "corrected": TEXT, "line": TEXT},
    "error.corrected": {"kind": TEXT, "line": TEXT},
    "repair.made": {"helped": Field(boolean, "boolean", default=True), "line": TEXT, "partner": TEXT},
    "help.given": {"to": TEXT, "line": TEXT},
    "hint.used": {"level": TEXT},
    "scenario.completed": {"scenario": MUST, "errors": COUNT},
    "team.won": {"partner": TEXT},
    "object.scanned": {"label": MUST, "confidence": SHARE},
    "conversation.ended": {
        "character": TEXT, "messages": COUNT, "durationMs": COUNT, "wordsUsed": COUNT,
        "grammarErrors": COUNT, "averageResponseMs": COUNT,
    },
    "streak.repaired": {"date": DATE, "reason": TEXT},
    "streak.frozen": {"date": DATE, "reason": TEXT},
    "streak.paused": {"from": DATE, "through": DATE, "reason": TEXT},
    "freeze.granted": {"count": Field(integer(1, 100), "number", default=1), "reason": TEXT},
    "xp.adjusted": {"amount": Field(integer(), "number", required=True), "reason": TEXT},
    "xp.declared": {"total": Field(integer(0), "number", required=True)},
    "currency.adjusted": {
        "currency": MUST, "amount": Field(integer(-10**12, 10**12), "number", required=True), "reason": TEXT,
    },
    "item.bought": {"item": MUST, "count": Field(integer(1, 1000), "number", default=1)},
    "achievement.granted": _NAMED,
    "achievement.revoked": _NAMED,
    "group.joined": {"group": MUST, "kind": TEXT},
    "group.left": {"group": MUST},
    "league.finished": {
        "league": MUST, "week": MUST, "tier": MUST, "room": _INTEGER, "rank": _INTEGER, "of": _INTEGER,
        "xp": Field(finite, "number", required=True),
        "outcome": Field(choice("promoted", "stayed", "demoted"), "text", required=True), "next": MUST,
    },
    "flag.cleared": _IDENTITY,
    "scheduler.fitted": {
        "parameters": Field(numbers(*FSRS_BOUNDS), "list", required=True),
        "reviews": Field(integer(0), "number", required=True), "logLoss": Field(finite, "number", required=True),
    },
    "event.retracted": _IDENTITY,
}

ADMINISTERED = {
    "xp.adjusted", "xp.declared", "achievement.granted", "achievement.revoked", "streak.repaired", "streak.frozen",
    "streak.paused", "freeze.granted", "currency.adjusted", "level.declared", "league.finished", "group.joined", "group.left",
    "flag.cleared", "scheduler.fitted",
}
"""The types that only administrators send (events.md#who-may-send-what). `learner.updated` is one if it has certain fields."""

NEEDS_LANGUAGE = {"level.declared"}
NEEDS_SESSION = {"session.discarded"}
WORD_TYPES = {name for name, fields in CATALOGUE.items() if "word" in fields}
"""Types that are about one word. Only for these can `word.*` be other than null."""


def check_fields(event_type: str, data: dict[str, Any]) -> dict[str, Any]:
    """The catalogue's fields of a known type, checked and with defaults. Absent and null fields are left out."""
    result: dict[str, Any] = {}
    for name, field in CATALOGUE[event_type].items():
        value = data.get(name)
        if value is not None:
            try:
                result[name] = field.check(value)
            except Invalid as error:
                raise Invalid(f"{event_type}: {name}: {error}") from None
        elif field.required:
            raise Invalid(f"{event_type} needs {name}")
        elif field.default is not None:
            result[name] = field.default
    if event_type == "streak.paused":
        days = parse_date(result["through"]) - parse_date(result["from"]) + 1
        if not 1 <= days <= 366:
            raise Invalid(f"streak.paused: a span of {days} days")
    return result
