# SPDX-License-Identifier: Apache-2.0
"""Words and their schedulers (numbers.md#words)."""
from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from events import Event
from instants import DAY_MS, parse_time
from rules import Mastery

GRADES = {"again": 1, "hard": 2, "good": 3, "easy": 4}
DETAILS = {
    "text": "text", "translation": "translation", "part_of_speech": "partOfSpeech", "category": "category",
    "origin": "origin",
}
MAKES_KNOWN = {"word.added", "word.encountered", "word.imported", "word.learned", "review.graded"}
LONGEST_INTERVAL = 36_500
Fit = tuple[str | None, list[float]]
"""Fitted weights, and the language of the words that they are for; None for every language."""


@dataclass
class Word:
    """One word's state under either scheduler. Durations are in days, instants in milliseconds. `interval_given` is true if
    a review or an import gave the interval."""

    first_seen: int
    due: int
    interval: int
    interval_given: bool = False
    mastery: int = 0
    ease: float = 2.5
    stability: float | None = None
    difficulty: float | None = None
    reviews: int = 0
    correct: int = 0
    last_review: int | None = None
    last_day: int = 0  # the local day of the last review, or of the first event before any
    said_learned: bool = False
    details: dict[str, str] = field(default_factory=dict)

    def learned(self, rules: Mastery) -> bool:
        return self.said_learned or self.mastery >= rules.learned_at


# --- SM-2 ----------------------------------------------------------------------------------------------------------

def single(x: float) -> float:
    """The nearest IEEE single. Products and sums of two singles are exact enough in doubles to be rounded once."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


_SHORTEST_EASE = single(1.3)
_HARD_FACTOR, _EASY_FACTOR = single(1.2), single(1.3)
_STEPS = {"again": single(0.2), "hard": single(0.15), "easy": single(0.15)}


def sm2_interval(interval: int, ease: float, grade: str) -> int:
    days = single(float(interval))
    if grade == "again":
        return 1
    if grade == "hard":
        product = single(days * _HARD_FACTOR)
    else:
        product = single(days * ease)
    if grade == "easy":
        product = single(product * _EASY_FACTOR)
    return int(max(1.0, min(product, float(LONGEST_INTERVAL))))


def sm2_ease(ease: float, grade: str) -> float:
    if grade in ("again", "hard"):
        ease = single(ease - _STEPS[grade])
    elif grade == "easy":
        ease = single(ease + _STEPS[grade])
    return max(ease, _SHORTEST_EASE)


def _review_sm2(word: Word, grade: str) -> None:
    word.interval = sm2_interval(word.interval, word.ease, grade)
    word.ease = sm2_ease(word.ease, grade)
    change = {"again": -1, "hard": 0, "good": 1, "easy": 1}[grade]
    word.mastery = min(5, max(0, word.mastery + change))


# --- FSRS-6, in the order of operations of the Python package `fsrs` ------------------------------------------------

def _power(base: float, exponent: float) -> float:
    try:
        return float(base ** exponent)
    except OverflowError:
        return math.inf


class FSRS:
    """FSRS-6 without learning steps and fuzz. `grade` is 1 again … 4 easy."""

    def __init__(self, weights: list[float], retention: float) -> None:
        self.w = weights
        self.retention = retention
        self.decay = -weights[20]
        self.factor: float = 0.9 ** (1 / self.decay) - 1

    def first(self, grade: int) -> tuple[float, float]:
        return max(self.w[grade - 1], 0.001), _clamp(self._first_difficulty(grade))

    def _first_difficulty(self, grade: int) -> float:
        return self.w[4] - _power(math.e, self.w[5] * (grade - 1)) + 1

    def later(self, stability: float, difficulty: float, days: int, grade: int) -> tuple[float, float]:
        if days < 1:
            following = stability * self._short_term(stability, grade)
        else:
            retrievability = (1 + self.factor * days / stability) ** self.decay
            long_term = self._forget if grade == 1 else self._recall
            following = long_term(stability, difficulty, retrievability, grade)
        return max(following, 0.001), self._next_difficulty(difficulty, grade)

    def _short_term(self, stability: float, grade: int) -> float:
        increase: float = math.e ** (self.w[17] * (grade - 3 + self.w[18])) * _power(stability, -self.w[19])
        return increase if grade == 1 else max(increase, 1.0)

    def _forget(self, s: float, d: float, r: float, grade: int) -> float:
        w = self.w
        long_term: float = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * math.e ** ((1 - r) * w[14])
        short_term: float = s / math.e ** (w[17] * w[18])
        return min(long_term, short_term)

    def _recall(self, s: float, d: float, r: float, grade: int) -> float:
        growth: float = math.e ** self.w[8] * (11 - d) * _power(s, -self.w[9]) * (math.e ** ((1 - r) * self.w[10]) - 1)
        hard, easy = (self.w[15] if grade == 2 else 1), (self.w[16] if grade == 4 else 1)
        return s * (1 + growth * hard * easy)

    def _next_difficulty(self, difficulty: float, grade: int) -> float:
        damped = difficulty + (10.0 - difficulty) * -(self.w[6] * (grade - 3)) / 9.0
        return _clamp(self.w[7] * self._first_difficulty(4) + (1 - self.w[7]) * damped)

    def interval(self, stability: float) -> int:
        days: float = stability / self.factor * (self.retention ** (1 / self.decay) - 1)
        return round(max(1.0, min(days, float(LONGEST_INTERVAL))))  # Python rounds half to even


def _clamp(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)


# --- the words of a track ------------------------------------------------------------------------------------------

class Words:
    """All words of one track, by (language, word), and the last event's change to its word."""

    def __init__(self, rules: Mastery, fits: list[Fit]) -> None:
        self.rules = rules
        self.fits = fits
        self.fsrs = self.curve("")
        self.known: dict[tuple[str, str], Word] = {}
        self.touched: Word | None = None
        self.is_new = False
        self.mastery_before = 0
        self.learned_before = False

    def go_over(self, rules: Mastery) -> None:
        """Goes over to another version: to its scheduler, and to its mastery days (numbers.md#rules-in-time)."""
        was_fsrs = self.fsrs is not None
        self.rules = rules
        self.fsrs = self.curve("")
        for word in self.known.values():
            if self.fsrs and not was_fsrs:
                self._to_fsrs(word)
            elif was_fsrs and not self.fsrs:
                word.ease, word.interval = 2.5, max(word.interval, 1)
                word.stability = word.difficulty = None
            elif self.fsrs:
                self._set_fsrs_mastery(word)

    def curve(self, language: str) -> FSRS | None:
        """The scheduler of a language's words, by the parameters that were fitted last; None under `sm2`."""
        if self.rules.scheduler != "fsrs":
            return None
        fitted = [weights for of, weights in self.fits if of is None or of == language]
        return FSRS(fitted[-1] if fitted else self.rules.weights, self.rules.retention)

    def _to_fsrs(self, word: Word) -> None:
        hints = [float(word.interval)] if word.interval_given else []
        if word.mastery > 0:
            hints.append(self.rules.mastery_days[word.mastery - 1])
        if hints:
            word.stability, word.difficulty = max(hints), 5.0
            word.last_review = word.first_seen if word.last_review is None else word.last_review
        else:
            word.interval = 0
        self._set_fsrs_mastery(word)

    def apply(self, event: Event, day_of: Callable[[int], int]) -> None:
        """Step 2 of the fold, for any event; `day_of` gives local days by the event's clock."""
        self.touched = None
        if "word" not in event.fields:
            return
        key = (event.language or "", event.fields["word"])
        self.fsrs = self.curve(key[0])
        word = self.known.get(key)
        self.is_new = word is None
        self.mastery_before = word.mastery if word else 0
        self.learned_before = word is not None and word.learned(self.rules)
        if word is None and event.type in MAKES_KNOWN:
            word = self.known[key] = self._new(event.time, day_of(event.time))
        if event.type == "word.removed":
            self.known.pop(key, None)
            word = None
        if word is not None:
            self._change(word, event, day_of)
        self.touched = word

    def _new(self, time: int, day: int) -> Word:
        return Word(first_seen=time, due=time, interval=0 if self.fsrs else 1, last_day=day)

    def _change(self, word: Word, event: Event, day_of: Callable[[int], int]) -> None:
        for field_name in DETAILS.values():
            if isinstance(event.data.get(field_name), str):
                word.details[field_name] = event.data[field_name]
        if event.type in ("word.learned", "word.unlearned"):
            word.said_learned = event.type == "word.learned"
        elif event.type == "review.graded":
            self._review(word, event.fields["grade"], event.time, day_of(event.time))
        elif event.type == "word.imported":
            self._import(word, event.fields, event.time, day_of)

    def _review(self, word: Word, grade: str, time: int, day: int) -> None:
        if self.fsrs:
            self._review_fsrs(word, GRADES[grade], days_since(word, self.rules, time, day))
        else:
            _review_sm2(word, grade)
        word.interval_given = True
        word.reviews += 1
        word.correct += grade != "again"
        word.last_review, word.last_day = time, day
        word.due = time + word.interval * DAY_MS

    def _review_fsrs(self, word: Word, grade: int, days: int) -> None:
        assert self.fsrs
        if word.stability is None:
            word.stability, word.difficulty = self.fsrs.first(grade)
        else:
            assert word.difficulty is not None
            word.stability, word.difficulty = self.fsrs.later(word.stability, word.difficulty, days, grade)
        word.interval = self.fsrs.interval(word.stability)
        self._set_fsrs_mastery(word)

    def _set_fsrs_mastery(self, word: Word) -> None:
        word.mastery = 0
        if word.stability is not None:
            word.mastery = sum(days <= word.stability for days in self.rules.mastery_days)

    def _import(self, word: Word, fields: dict[str, Any], time: int, day_of: Callable[[int], int]) -> None:
        word.reviews = fields.get("totalReviews", word.reviews)
        word.correct = fields.get("correctReviews", word.correct)
        if "lastReviewedAt" in fields:
            word.last_review = parse_time(fields["lastReviewedAt"])[0]
            word.last_day = day_of(word.last_review)
        elif word.last_review is None and ("intervalDays" in fields or "stability" in fields):
            word.last_review, word.last_day = time, day_of(time)
        if self.fsrs:
            self._import_fsrs(word, fields)
        else:
            word.mastery = fields.get("masteryLevel", word.mastery)
            word.ease = single(fields["easeFactor"]) if "easeFactor" in fields else word.ease
        if "intervalDays" in fields:
            word.interval, word.interval_given = fields["intervalDays"], True
        if "nextReviewAt" in fields:
            word.due = parse_time(fields["nextReviewAt"])[0]
        elif "intervalDays" in fields:
            since = time if word.last_review is None else word.last_review
            word.due = since + word.interval * DAY_MS

    def _import_fsrs(self, word: Word, fields: dict[str, Any]) -> None:
        assert self.fsrs
        stands_in = fields.get("intervalDays")
        stability = fields.get("stability", None if stands_in is None else float(stands_in))
        word.difficulty = fields.get("difficulty", word.difficulty)
        if stability is None:
            return
        word.stability = stability
        word.interval, word.interval_given = self.fsrs.interval(stability), True
        word.difficulty = 5.0 if word.difficulty is None else word.difficulty
        self._set_fsrs_mastery(word)

    # Values for expressions and progress.

    def value(self, name: str) -> None | bool | float | str:
        """`word.NAME` after the last event; null if the event was not about a word that is known now."""
        word = self.touched
        if word is None:
            return None
        if name in DETAILS:
            return word.details.get(DETAILS[name])
        learned_now = word.learned(self.rules) and not self.learned_before
        return {
            "is_new": self.is_new, "mastery": float(word.mastery), "mastery_before": float(self.mastery_before),
            "reviews": float(word.reviews), "interval_days": float(word.interval), "learned_now": learned_now,
        }[name]

    def count_known(self) -> int:
        return len(self.known)

    def count_learned(self) -> int:
        return sum(word.learned(self.rules) for word in self.known.values())

    def count_mastered(self) -> int:
        return sum(word.mastery == 5 for word in self.known.values())

    def count_due(self, at: int) -> int:
        return sum(word.due <= at for word in self.known.values())

    def buckets(self) -> dict[str, int]:
        result = {"new": 0, "learning": 0, "reviewing": 0, "mastered": 0}
        for word in self.known.values():
            result[_bucket(word)] += 1
        return result


def days_since(word: Word | None, rules: Mastery, time: int, day: int) -> int:
    """The days since the last review, as the scheduler counts them; 0 before the first review."""
    if word is None or word.last_review is None:
        return 0
    by_calendar = rules.by_calendar and rules.scheduler == "fsrs"
    return day - word.last_day if by_calendar else (time - word.last_review) // DAY_MS


def _bucket(word: Word) -> str:
    if word.mastery == 5:
        return "mastered"
    if word.mastery >= 3:
        return "reviewing"
    return "learning" if word.mastery >= 1 or word.reviews > 0 else "new"
