# SPDX-License-Identifier: Apache-2.0
"""The remembering of words: the numbers of the report on mastery about reviews."""
from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import calibration
from instants import format_day
from progress import plain
from ranges import Rows, bins, share
from rules import Rules
from words import GRADES


@dataclass
class Review:
    """A review, and the word's state before it."""

    day: int
    hour: int
    language: str
    grade: str
    seconds: float | None
    mastery: int
    interval: int
    days: int
    number: int
    lapses: int
    recall: float | None

    @property
    def remembered(self) -> bool:
        return self.grade != "again"

    @property
    def maturity(self) -> str:
        return "learning" if self.days < 1 else "young" if self.interval < 21 else "mature"


def desired_by(rules: Rules) -> float | None:
    return 100 * rules.mastery.retention if rules.mastery.scheduler == "fsrs" else None


def passed(reviews: list[Review]) -> float | None:
    return share([len(reviews), sum(review.remembered for review in reviews)])


def retention(spaced: list[Review], desired: float | None) -> Rows:
    parts = [("Young", [r for r in spaced if r.maturity == "young"]), ("Mature", [r for r in spaced if r.maturity == "mature"]),
             ("All", spaced)]
    return [[name, passed(reviews), desired] for name, reviews in parts if reviews]


def answers(log: list[Review]) -> Rows:
    return [[maturity.capitalize(), *(sum(r.grade == grade for r in found) for grade in GRADES)]
            for maturity in ("learning", "young", "mature") if (found := [r for r in log if r.maturity == maturity])]


def remembering(log: list[Review], desired: float | None, weeks: list[int]) -> list[list[Any]]:
    spaced = [review for review in log if review.days >= 1]
    times = [(name, [r.seconds for r in log if r.seconds is not None and r.grade in grades])
             for name, grades in [(grade.capitalize(), (grade,)) for grade in GRADES] + [("All", tuple(GRADES))]]
    by_hour = [[review for review in spaced if review.hour == hour] for hour in range(24)]
    return [
        ["True retention", retention(spaced, desired)],
        ["Answers", answers(log)],
        ["True retention by week", [
            [format_day(day), passed([r for r in spaced if day <= r.day < day + 7]), desired] for day in weeks]],
        ["True retention by mastery", [
            [f"Mastery {mastery}", passed([r for r in spaced if r.mastery == mastery]), desired]
            for mastery in sorted({r.mastery for r in spaced})]],
        ["Time per review", [[name, plain(math.fsum(found) / len(found))] for name, found in times if found]],
        ["Reviews by hour", [[hour, sum(r.hour == hour for r in log)] for hour in range(24)] if log else []],
        ["Remembered by hour", [[hour, passed(found) if len(found) >= 5 else None] for hour, found in enumerate(by_hour)]],
    ]


def measured(log: list[Review]) -> dict[str, Any]:
    return calibration.measures([
        (r.recall, r.remembered, calibration.bins(r.days, r.number, r.lapses)) for r in log if r.recall is not None])


STABILITIES = [(1, "Below a day"), (7, "1 day to a week"), (21, "1 to 3 weeks"), (60, "3 weeks to 2 months"),
               (180, "2 to 6 months"), (math.inf, "6 months and more")]


def memory(log: list[Review], words: list[Any]) -> list[list[Any]]:
    found = measured(log)
    steps: dict[int, list[Review]] = defaultdict(list)
    for review in log:
        if review.recall is not None:
            steps[min(19, int(20 * review.recall))].append(review)
    stabilities = [word.stability for word in words if word.stability is not None]
    bounds = [0.0] + [bound for bound, _ in STABILITIES]
    return [
        ["headline", [[found["predicted"], found["remembered"], found["logLoss"], found["rmse"], found["reviews"],
                       "0 is best, 0.693 a guess", "by interval, review and lapses"]] if found["reviews"] else []],
        ["Predicted and remembered", [
            [plain(100 * math.fsum(r.recall for r in reviews) / len(reviews)), passed(reviews), len(reviews)]  # type: ignore[misc]
            for _, reviews in sorted(steps.items())]],
        ["Stability", [[name, sum(least <= s < most for s in stabilities)]
                       for least, (most, name) in zip(bounds, STABILITIES)] if stabilities else []],
        ["Difficulty", bins([word.difficulty for word in words if word.difficulty is not None])],
    ]
