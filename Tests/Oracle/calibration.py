# SPDX-License-Identifier: Apache-2.0
"""The quality of FSRS's predictions, as log loss and RMSE (bins), from a log of reviews alone.

    python3 calibration.py --events FILE.ndjson --from 2026-01-05 --through 2026-03-29 [--retention 0.9]

Prints {learner: {reviews, predicted, remembered, logLoss, rmse, young, mature}} for reviews on these local days. Only
reviews a whole day (24 hours) or more after the previous one count. Shares are in percent, null if there is no such
review. The program uses the standard library only, nothing of Laurel, and nothing of the other scripts.

FSRS-6 is computed as in the `fsrs` package 6 for Python, without learning steps. The bins are those of `rmse_matrix` in the
`fsrs-optimizer` package (open-spaced-repetition/fsrs-optimizer, src/fsrs_optimizer/fsrs_optimizer.py). A review's bin is
the days since the previous review, the review's number, and the number of times that the word had been forgotten a day or
more after a review.
"""
from __future__ import annotations

import argparse
import datetime
import json
import math
import zoneinfo
from collections import defaultdict
from typing import Any, Iterator

W = (0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
     0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542)
GRADES = {"again": 1, "hard": 2, "good": 3, "easy": 4}
FACTOR = 0.9 ** (-1 / W[20]) - 1


class Card:
    """A word's memory: stability in days, difficulty 1 to 10."""

    def __init__(self) -> None:
        self.stability: float | None = None
        self.difficulty = 0.0
        self.last: datetime.datetime | None = None
        self.reviews = self.lapses = 0

    def recall(self, days: int) -> float | None:
        return None if self.stability is None else (1 + FACTOR * days / self.stability) ** -W[20]

    def grade(self, grade: int, days: int) -> None:
        s, d = self.stability, self.difficulty
        if s is None:
            self.stability, self.difficulty = W[grade - 1], min(10.0, max(1.0, first_difficulty(grade)))
            return
        if days < 1:
            growth = math.exp(W[17] * (grade - 3 + W[18])) * s ** -W[19]
            s *= growth if grade == 1 else max(1.0, growth)
        elif grade == 1:
            forgotten = W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * math.exp(W[14] * (1 - self.recall(days)))  # type: ignore[operator]
            s = min(forgotten, s / math.exp(W[17] * W[18]))
        else:
            growth = math.exp(W[8]) * (11 - d) * s ** -W[9] * (math.exp(W[10] * (1 - self.recall(days))) - 1)  # type: ignore[operator]
            s *= 1 + growth * {2: W[15], 3: 1.0, 4: W[16]}[grade]
        self.stability = max(s, 0.001)
        d += (10 - d) * -W[6] * (grade - 3) / 9
        self.difficulty = min(10.0, max(1.0, W[7] * first_difficulty(4) + (1 - W[7]) * d))

    def interval(self, retention: float) -> int:
        assert self.stability is not None
        return min(36_500, max(1, round(self.stability / FACTOR * (retention ** (-1 / W[20]) - 1))))


def first_difficulty(grade: int) -> float:
    return W[4] - math.exp(W[5] * (grade - 1)) + 1


def geometric(value: int, scale: float, factor: float, decimals: int) -> float:
    return round(scale * factor ** math.floor(math.log(value) / math.log(factor)), decimals) if value else 0.0


def bins(days: int, number: int, lapses: int) -> tuple[float, float, float]:
    return geometric(days, 2.48, 3.62, 2), geometric(number, 1.99, 1.89, 0), geometric(lapses, 1.65, 1.73, 0)


def log_loss(recall: float, remembered: bool) -> float:
    likelihood = min(max(recall, 2.0 ** -52), 1 - 2.0 ** -52)
    return -math.log(likelihood if remembered else 1 - likelihood)


def measures(reviews: list[tuple[float, bool, tuple[float, float, float]]]) -> dict[str, Any]:
    """The measures of predictions, given with the outcomes and the bins."""
    count = len(reviews)
    if count == 0:
        return {"reviews": 0, "predicted": None, "remembered": None, "logLoss": None, "rmse": None}
    groups: dict[tuple[float, float, float], list[float]] = defaultdict(list)
    for recall, remembered, group in reviews:
        groups[group].append(recall - remembered)
    return {
        "reviews": count,
        "predicted": 100 * math.fsum(recall for recall, _, _ in reviews) / count,
        "remembered": 100 * sum(remembered for _, remembered, _ in reviews) / count,
        "logLoss": math.fsum(log_loss(recall, remembered) for recall, remembered, _ in reviews) / count,
        "rmse": 100 * math.sqrt(math.fsum(math.fsum(group) ** 2 / len(group) for group in groups.values()) / count),
    }


def instant(event: dict[str, Any]) -> datetime.datetime:
    time = datetime.datetime.fromisoformat(event["time"])
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


def local_day(event: dict[str, Any]) -> str:
    time = instant(event)
    if "timezone" in event:
        time = time.astimezone(zoneinfo.ZoneInfo(event["timezone"]))
    return time.date().isoformat()


def histories(lines: Iterator[str]) -> dict[str, list[dict[str, Any]]]:
    """Each learner's events, once and in order, without events that a correction voids."""
    events: dict[str, dict[tuple[str, str], dict[str, Any]]] = defaultdict(dict)
    for line in lines:
        if line.strip():
            event = json.loads(line)
            events[event["subject"]].setdefault((event["source"], event["id"]), event)
    result = {}
    for learner, own in events.items():
        void = {(e["data"]["source"], e["data"]["id"]) for e in own.values() if e["type"] == "event.retracted"}
        gone = {e["session"] for key, e in own.items() if e["type"] == "session.discarded" and key not in void}
        kept = [e for key, e in own.items() if key not in void and e.get("session") not in gone]
        result[learner] = sorted(kept, key=lambda e: (instant(e), e["source"].encode(), e["id"].encode()))
    return result


def calibration(history: list[dict[str, Any]], first: str, last: str, retention: float) -> dict[str, Any]:
    cards: dict[tuple[str, str], Card] = defaultdict(Card)
    reviews: list[tuple[float, bool, tuple[float, float, float]]] = []
    spaced: dict[str, list[bool]] = {"young": [], "mature": []}
    for event in history:
        key = event.get("language", ""), event.get("data", {}).get("word", "")
        if event["type"] == "word.removed":
            cards.pop(key, None)
        if event["type"] != "review.graded":
            continue
        card, grade, time = cards[key], GRADES[event["data"]["grade"]], instant(event)
        days = (time - card.last) // datetime.timedelta(days=1) if card.last else 0
        card.reviews += 1
        if days >= 1:
            recall = card.recall(days)
            assert recall is not None
            if first <= local_day(event) <= last:
                reviews.append((recall, grade > 1, bins(days, card.reviews, card.lapses)))
                spaced["young" if card.interval(retention) < 21 else "mature"].append(grade > 1)
            card.lapses += grade == 1
        card.grade(grade, days)
        card.last = time
    shares = {name: 100 * sum(passed) / len(passed) if passed else None for name, passed in spaced.items()}
    return {**measures(reviews), **shares}


def main() -> None:
    parser = argparse.ArgumentParser(description="How well FSRS predicts what is remembered.")
    parser.add_argument("--events", required=True)
    parser.add_argument("--from", dest="first", required=True, help="the first local day")
    parser.add_argument("--through", dest="last", required=True, help="the last one")
    parser.add_argument("--retention", type=float, default=0.9, help="the desired one, by which intervals are set")
    options = parser.parse_args()
    with open(options.events, encoding="utf-8") as file:
        found = histories(iter(file))
    print(json.dumps({
        learner: calibration(history, options.first, options.last, options.retention) for learner, history in found.items()
    }))


if __name__ == "__main__":
    main()
