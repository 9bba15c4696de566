# SPDX-License-Identifier: Apache-2.0
"""Cases computed by hand, and FSRS compared with the PyPI package `fsrs` 6 if it is installed.

    python3 -m unittest
"""
from __future__ import annotations

import json
import random
import tempfile
import unittest
import zlib
from datetime import datetime, timedelta, timezone
from typing import Any

from events import Store
from expressions import parse
from instants import format_instant, parse_date, parse_time, week_start
from progress import At, all_tracks, words_of
from rules import FSRS_WEIGHTS, Rules, load
from streak import StreakDays
from versions import Versions
from words import FSRS, sm2_ease, sm2_interval

NOW = parse_time("2026-06-01T00:00:00Z")[0]
BAB = """
metrics:
  lines:     {count: line.spoken}
  errors:    {sum: "default(event.errors, 0)", on: line.spoken}
  new_words: {count: [word.added, review.graded], where: word.is_new}
  perfect:   {run: line.spoken, while: "event.accuracy >= 0.9"}
  practice:  {count: [line.spoken, review.graded, session.ended]}
  partners:  {count: session.ended, by: event.partner}
streak: {when: day.practice >= 1, freezes: {earn_every: 7, hold: 2}, rest_days: []}
xp:
  - {id: dialog, bucket: dialogCompletion, on: session.ended, award: 50}
  - {id: accuracy, bucket: accuracyBonus, on: session.ended, award: "(1 - session.errors / session.lines) * 30"}
  - {id: streak, bucket: streakBonus, on: session.ended, award: "earned * min(streak.current * 0.05, 0.5)"}
cefr: {score: words.learned, bands: {A1: 0, A2: 500, B1: 1000, B2: 2000, C1: 4000, C2: 8000}}
achievements:
  - {id: chatterbox, value: session.lines, at_least: [2, 4], xp: 10}
"""


def event(kind: str, time: str, data: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    serial = f"{kind} {time} {more} {data}"
    result = {"id": f"e{zlib.crc32(serial.encode())}", "source": "app", "type": kind, "subject": "ana", "time": time}
    return result | ({"data": data} if data is not None else {}) | more


def stored(events: list[dict[str, Any]]) -> Store:
    store = Store()
    for number, item in enumerate(events):
        store.take(json.dumps(item).encode(), number, NOW)
    return store


def load_text(text: str) -> Rules:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        return load(file.name)


def tracks(rules: str, events: list[dict[str, Any]], at: str) -> dict[str, Any]:
    return told(Versions(load_text(rules)), events, at)


def told(versions: Versions, events: list[dict[str, Any]], at: str) -> dict[str, Any]:
    store = stored(events)
    assert store.counts["refused"] == 0, store.reasons
    return all_tracks("ana", store.of_learner("ana"), versions, At.parse(at))


class Schedulers(unittest.TestCase):
    def sm2(self, grades: list[str]) -> list[int]:
        interval, ease, result = 1, 2.5, []
        for grade in grades:
            interval, ease = sm2_interval(interval, ease, grade), sm2_ease(ease, grade)
            result.append(interval)
        return result

    def test_sm2_grows(self) -> None:
        self.assertEqual(self.sm2(["good"] * 4 + ["easy"]), [2, 5, 12, 30, 97])

    def test_sm2_is_single_precision(self) -> None:
        self.assertEqual(self.sm2(["again", "hard", "hard", "good"])[-1], 1)

    def test_fsrs_vector(self) -> None:
        fsrs = FSRS(FSRS_WEIGHTS, 0.9)
        s, d = fsrs.first(1)
        for days, grade in [(1, 3), (3, 4), (7, 3)]:
            s, d = fsrs.later(s, d, days, grade)
        self.assertEqual((round(s, 4), round(d, 4)), (29.2084, 5.1751))

    def test_fsrs_against_the_package(self) -> None:
        try:
            import fsrs
        except ImportError:
            self.skipTest("pip install 'fsrs>=6,<7'")
        rng = random.Random(6)
        for _ in range(300):
            self.same_history(fsrs, rng)

    def same_history(self, package: Any, rng: random.Random) -> None:
        weights = FSRS_WEIGHTS
        if rng.random() < 0.5:
            bounds = zip(package.scheduler.LOWER_BOUNDS_PARAMETERS, package.scheduler.UPPER_BOUNDS_PARAMETERS)
            weights = [min(max(w * rng.uniform(0.7, 1.3), low), high) for w, (low, high) in zip(FSRS_WEIGHTS, bounds)]
        retention = rng.choice([0.9, 0.85, 0.95])
        theirs = package.Scheduler(weights, retention, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        card, ours, state = package.Card(), FSRS(weights, retention), None
        time = last = datetime(2025, 1, 1, tzinfo=timezone.utc)
        for _ in range(rng.randint(1, 25)):
            grade = rng.choice([1, 2, 3, 3, 3, 4])
            card, _log = theirs.review_card(card, package.Rating(grade), time)
            state = ours.later(*state, (time - last).days, grade) if state else ours.first(grade)
            self.assertAlmostEqual(card.stability / state[0], 1, delta=1e-12)
            self.assertAlmostEqual(card.difficulty / state[1], 1, delta=1e-12)
            self.assertEqual((card.due - time).days, ours.interval(state[0]))
            last = time
            time += timedelta(days=rng.choice([0, 0.3, 1, 2.7, rng.uniform(0, 40)]))


class Expressions(unittest.TestCase):
    def test_values(self) -> None:
        cases: list[tuple[str, Any]] = [
            ("1 + 2 * 3", 7.0), ("7 - 2 - 1", 4.0), ("-7 % 3", -1.0), ("1 / 0", None), ("5 % 0", None),
            ("round(-2.5)", -3.0), ("round(0.49999999999999994)", 0.0), ("1 < 2 == true", True),
            ("null == null", True), ("x == null", True), ("x == 1", None), ("x != null", False),
            ("false && x == 1", False), ("x == 1 || true", True), ("true && x == 1", None),
            ("x == 1 ? 1 : 2", 2.0), ("default(x, 4)", 4.0), ("has(x)", False), ("min(3)", 3.0), ("max(1, x)", None),
            ("2 in [1, 2]", True), ("x in [1]", None), ("'a' < 'é'", True), (r"'\u00e9' == 'é'", True),
            ("1e308 * 10", None), ("!(1 > 2)", True), ("true ? 1 : true ? 2 : 3", 1.0), ("1 - -1", 2.0),
        ]
        for text, expected in cases:
            got = parse(text)(lambda name: None)
            self.assertEqual((got, type(got)), (expected, type(expected)), text)


class Streaks(unittest.TestCase):
    def walk(self, active: list[int], day: int, rules: str = "", frozen: tuple[int, ...] = ()) -> tuple[int, int, int]:
        versions = Versions(load_text("streak: {when: 'true', %s}" % rules))
        return StreakDays(set(active), set(frozen)).walk(versions, day)

    def test_walks(self) -> None:
        self.assertEqual(self.walk([], 5), (0, 0, 0))
        self.assertEqual(self.walk([1, 2, 3], 4), (3, 3, 0))
        self.assertEqual(self.walk([1, 2, 3], 5), (0, 3, 0))
        self.assertEqual(self.walk([1, 2, 3], 5, frozen=(4,)), (3, 3, 0))
        self.assertEqual(self.walk([1, 2, 4], 4, "freezes: {earn_every: 2}"), (3, 3, 0))
        self.assertEqual(self.walk([1, 2, 3, 4], 6, "freezes: {earn_every: 2, hold: 2}"), (4, 4, 1))
        self.assertEqual(self.walk([1, 2], 0), (2, 2, 0))
        self.assertEqual(self.walk([1, 3], 3, "rest_days: [saturday]"), (2, 2, 0))  # day 2 is Saturday 1970-01-03


class Time(unittest.TestCase):
    def test_instants(self) -> None:
        self.assertEqual(parse_time("1970-01-01T01:00:00.0019+01:00"), (1, "+01:00"))
        self.assertEqual(format_instant(parse_time("9999-12-31T23:59:59.999Z")[0]), "9999-12-31T23:59:59.999Z")
        self.assertEqual(format_instant(parse_time("9999-12-31T23:59:59.999Z")[0] + 1), "10000-01-01T00:00:00.000Z")
        self.assertEqual(week_start(parse_date("2026-02-08"), 0), parse_date("2026-02-02"))


class WholeFolds(unittest.TestCase):
    LINES = [
        event("session.started", "2026-02-05T18:00:00+01:00", {"mode": "host"}, session="s", language="es"),
        event("line.spoken", "2026-02-05T18:00:10+01:00", {"accuracy": 1}, session="s", language="es"),
        event("line.spoken", "2026-02-05T18:00:20+01:00", {"accuracy": 0.5, "errors": 1}, session="s", language="es"),
        event("session.ended", "2026-02-05T18:10:20+01:00", session="s", language="es"),
    ]

    def test_bab_language(self) -> None:
        got = tracks(BAB, self.LINES, "2026-02-05T20:00:00Z")
        earned = {"dialogCompletion": 50, "accuracyBonus": 15, "streakBonus": 3}
        self.assertEqual(got["es"]["xpBreakdown"], earned)
        self.assertEqual(got["*"]["xpBreakdown"], earned | {"achievements": 10})
        for track in got.values():
            self.assertEqual(track["levelProgressPercent"], track["totalXP"])
            self.assertEqual((track["todayMinutes"], track["multiplayerSessions"], track["currentStreak"]), (10, 1, 1))
        self.assertEqual(got["*"]["achievements"][0]["tier"], 1)
        self.assertEqual(got["es"]["achievements"], [])
        self.assertEqual(got["es"]["estimatedCEFR"], "A1")

    def test_order_of_arrival_is_not_seen(self) -> None:
        got = tracks(BAB, self.LINES, "2026-02-05T20:00:00Z")
        self.assertEqual(got, tracks(BAB, self.LINES[::-1], "2026-02-05T20:00:00Z"))

    def test_discarded_and_retracted(self) -> None:
        discard = event("session.discarded", "2026-02-01T00:00:00Z", session="s")
        empty = tracks(BAB, self.LINES + [discard], "2026-02-05T20:00:00Z")
        self.assertEqual((list(empty), empty["*"]["events"]), (["*"], 0))
        undo = event("event.retracted", "2026-02-06T00:00:00Z", {"source": "app", "id": discard["id"]})
        got = tracks(BAB, self.LINES + [discard, undo], "2026-02-07T00:00:00Z")
        self.assertEqual((got["*"]["events"], got["*"]["totalXP"]), (5, 78))

    def test_what_a_discarded_session_leaves(self) -> None:
        """Administrators' events and purchases stay; a profile stays only if it has an administrator's field."""
        time = "2026-02-05T19:00:00Z"
        stays = [
            event("xp.adjusted", time, {"amount": 5}, session="s"), event("item.bought", time, {"item": "hat"}, session="s"),
            event("learner.updated", time, {"cohort": "a"}, session="s"),
        ]
        goes = [
            event("learner.updated", time, {"displayName": "Ana", "cohort": None}, session="s"),
            event("word.added", time, {"word": "a"}, session="s"),
        ]
        discard = event("session.discarded", "2026-02-01T00:00:00Z", session="s")
        got = tracks(BAB, self.LINES + stays + goes + [discard], "2026-02-05T20:00:00Z")["*"]
        self.assertEqual((got["events"], got["totalXP"], got["displayName"]), (3, 5, None))

    def test_duplicates_and_conflicts(self) -> None:
        first = event("line.spoken", "2026-02-05T18:00:00Z", {"accuracy": 1})
        same = first | {"time": "2026-02-05T18:00:00.0009Z", "data": {"accuracy": 1.0}, "session": None}
        other = first | {"time": "2026-02-05T18:00:00+00:00"}
        counts = stored([first, same, other, first | {"specversion": "2"}]).counts
        self.assertEqual(counts, {"read": 4, "stored": 1, "duplicates": 1, "conflicts": 1, "refused": 1})

    def test_day_cap_follows_the_wall_clock(self) -> None:
        rules = """
            calendar: {day_starts_at: "04:00"}
            xp:
              - {id: line, on: line.spoken, award: "9.9", daily_cap: 12}
              - {id: half, on: line.spoken, award: "earned / 2"}
            """
        lines = [event("line.spoken", time) for time in (
            "2026-02-05T23:00:00+01:00", "2026-02-06T03:59:59.999+01:00",  # one day: 9 + 4, then 3 + 1
            "2026-02-06T04:00:00+01:00", "2026-02-05T19:30:00-08:00",      # the next, then west into the one before
        )]
        got = tracks(rules, lines, "2026-02-07T00:00:00Z")["*"]
        self.assertEqual(got["xpBreakdown"], {"line": 9 + 3 + 9 + 9, "half": 4 + 1 + 4 + 4})

    def test_granted_and_revoked(self) -> None:
        rules = BAB.replace("at_least: [2, 4], xp: 10", "at_least: [2, 4], xp: 10, scope: language")
        grant, revoke, again = (event(f"achievement.{kind}", f"2026-02-0{day}T00:00:00Z", {"achievement": "chatterbox"},
                                      language="es") for kind, day in (("granted", 6), ("revoked", 7), ("granted", 8)))
        events = self.LINES + [grant, revoke, again]
        expected = {5: (1, 78, 0.5), 6: (2, 88, 1), 7: (0, 68, 0), 8: (2, 88, 1)}
        for day, (tier, xp, progress) in expected.items():
            got = tracks(rules, events, f"2026-02-0{day}T20:00:00Z")
            reached = got["es"]["achievements"][0]
            self.assertEqual((reached["tier"], got["es"]["totalXP"], got["*"]["totalXP"]), (tier, xp, xp))
            self.assertEqual(reached["progress"], progress)

    def test_sessions_end_after_a_day_of_silence(self) -> None:
        rules = "metrics: {lines: {count: line.spoken}, most: {max: session.lines, on: line.spoken}}"
        for last, most in (("2026-02-06T00:00:00Z", 2), ("2026-02-06T00:00:00.001Z", 1)):
            lines = [event("line.spoken", time, session="s") for time in ("2026-02-05T00:00:00Z", last)]
            self.assertEqual(tracks(rules, lines, "2026-02-07T00:00:00Z")["*"]["metrics"], {"lines": 2, "most": most})

    def test_words(self) -> None:
        rules = Versions(load_text(BAB))
        store = stored([
            event("word.imported", "2026-02-01T00:00:00Z", {"word": "a", "intervalDays": 3, "masteryLevel": 2}),
            event("review.graded", "2026-02-02T00:00:00Z", {"word": "a", "grade": "good"}),
            event("word.added", "2026-02-02T00:00:00Z", {"word": "b"}),
            event("word.removed", "2026-02-03T00:00:00Z", {"word": "b"}),
        ])
        got = words_of(store.of_learner("ana"), rules, At.parse("2026-02-09T00:00:00Z"))
        self.assertEqual(got, [{
            "word": "a", "language": "", "mastery": 3, "reviews": 1, "correct": 1, "intervalDays": 7,
            "easeFactor": 2.5, "nextReviewAt": "2026-02-09T00:00:00.000Z", "learned": True, "due": True}])


if __name__ == "__main__":
    unittest.main()
