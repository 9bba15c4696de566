# SPDX-License-Identifier: Apache-2.0
"""The workload under other desired retentions (numbers.md#workload), by a simulation of a learner's words."""
from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hashing import fnv1a
from words import FSRS

DAYS = 365
RETENTIONS = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97)
BITS = 2 ** 64


def chances(seed: int) -> Iterator[float]:
    """The numbers of SplitMix64, from 0 up to 1."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) % BITS
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % BITS
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % BITS
        yield ((mixed ^ mixed >> 31) >> 11) / 2 ** 53


@dataclass
class Start:
    """A word at the beginning of the year."""

    language: str
    name: str
    stability: float
    difficulty: float
    elapsed: int


def year(word: Start, run: int, fsrs: FSRS, hard: float, good: float) -> tuple[int, float]:
    """The number of reviews of a word, and the probability of recall at the end."""
    luck = chances(fnv1a(f"{word.language}\0{word.name}") + run)
    stability, difficulty, reviews = word.stability, word.difficulty, 0
    last = -max(0, word.elapsed)
    day = max(0, last + fsrs.interval(stability))
    while day < DAYS:
        grade = 1
        if next(luck) < (1 + fsrs.factor * (day - last) / stability) ** fsrs.decay:
            chance = next(luck)
            grade = 2 if chance < hard else 3 if chance < hard + good else 4
        stability, difficulty = fsrs.later(stability, difficulty, day - last, grade)
        reviews += 1
        last, day = day, day + fsrs.interval(stability)
    return reviews, (1 + fsrs.factor * (DAYS - last) / stability) ** fsrs.decay


def workload(
    words: list[Start], language: str | None, weights: Any, desired: float, grades: list[str], seconds: list[float],
) -> list[list[Any]]:
    """Rows of retention in percent, reviews a day, milliseconds a day, and words recalled at the end.

    `words` are those of all languages, and `language` selects those to count. `weights` gives a language's parameters.
    `grades` are those of reviews a day or more after the one before in which the word was recalled; `seconds` are the known
    lengths of all reviews.
    """
    chosen = [word for word in words if language in (None, word.language)]
    if not chosen:
        return []
    hard, good = (grades.count("hard") / len(grades), grades.count("good") / len(grades)) if grades else (0.0, 1.0)
    length = statistics.median(seconds) if seconds else 4.0
    runs = max(1, math.ceil(1000 / len(words)))
    rows = []
    for retention in sorted({*RETENTIONS, desired}):
        schedulers = {word.language: FSRS(weights(word.language), retention) for word in chosen}
        years = [year(word, run, schedulers[word.language], hard, good) for word in chosen for run in range(runs)]
        reviews = sum(count for count, _ in years) / runs / DAYS
        rows.append([100 * retention, reviews, 1000 * length * reviews, math.fsum(recall for _, recall in years) / runs])
    return rows
