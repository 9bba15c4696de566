# SPDX-License-Identifier: Apache-2.0
"""Stories computed by hand: the names, the streaks, the experiments and the seasons of games.

    python3 -m unittest
"""
from __future__ import annotations

import random
import unittest
from typing import Any

from expressions import parse
from game_rules import Experiment
from hashing import fnv1a, hashed_twice
from reading import Period
from test_oracle import event, told, tracks
from test_versions import END, lines, versions


def updated(time: str, **data: Any) -> dict[str, Any]:
    return event("learner.updated", time, data)


def read(names: str, events: list[dict[str, Any]], more: str = "", at: str = END) -> list[Any]:
    """The values of some numeric expressions at the latest `hint.used`."""
    metrics = "".join(f"  m{i}: {{last: \"{name}\", on: hint.used}}\n" for i, name in enumerate(names.split("; ")))
    return list(tracks(f"{more}\nmetrics:\n{metrics}", events, at)["*"]["metrics"].values())


class Hashes(unittest.TestCase):
    def test_known_values(self) -> None:
        """The 32-bit test vectors of the FNV authors' test_fnv.c, for texts in ASCII."""
        for text, expected in (("", 0x811C9DC5), ("a", 0xE40C292C), ("b", 0xE70C2DE5), ("foobar", 0xBF9CF968), ("fooba", 0x39AAA18A)):
            self.assertEqual(fnv1a(text), expected, text)

    def test_code_units(self) -> None:
        """A character outside the basic plane is two units of 16 bits, each taken whole."""
        basis, prime = 2_166_136_261, 16_777_619
        self.assertEqual(fnv1a("é"), (basis ^ 0xE9) * prime % 2**32)
        self.assertEqual(fnv1a("😀"), ((basis ^ 0xD83D) * prime % 2**32 ^ 0xDE00) * prime % 2**32)

    def test_growthbook_vectors(self) -> None:
        """Hashes of `growthbook` 4.0.0 for Python (`gbhash(seed, id, 2)`)."""
        for (seed, learner), expected in GROWTHBOOK.items():
            self.assertEqual(hashed_twice(seed + learner) % 10_000 / 10_000, expected, (seed, learner))

    def test_growthbook_package(self) -> None:
        try:
            from growthbook.core import chooseVariation, gbhash, getBucketRanges
        except ImportError:
            self.skipTest("pip install growthbook")
        rng = random.Random(2)
        for _ in range(100):
            weights = [rng.choice([0.5, 1, 10, 12.5, 20, 33.3]) for _ in range(rng.randint(1, 3))]
            names = [f"v{i}" for i in range(len(weights))]
            seed = rng.choice(["s", "double-streak-1", "é", "😀"])
            ours = Experiment("e", dict(zip(names, weights)), seed, Period())
            ranges, end = [], 0.0
            for weight in weights:
                ranges.append((end, end + weight / 100))
                end = ranges[-1][1]
            if end > 0.99 and end < 1.01:
                self.assertEqual(ranges, getBucketRanges(len(weights), 1, [weight / 100 for weight in weights]))
            for _ in range(1000):
                learner = "".join(rng.choices("abc-0123é日😀", k=rng.randint(1, 12)))
                theirs = chooseVariation(gbhash(seed, learner, 2) or 0, ranges)
                self.assertEqual(ours.variant(learner), None if theirs < 0 else names[theirs], (seed, learner))


class Names(unittest.TestCase):
    def test_day(self) -> None:
        for text, expected in (
            ("day('1970-01-01')", 0.0), ("day('2026-03-01') - day('2026-02-27')", 2.0), ("day('0001-01-01')", -719162.0),
            ("day('9999-12-31')", 2932896.0), ("day('0000-01-01')", None), ("day('2026-02-29')", None), ("day('2026-2-01')", None),
            ("day('2026-03-01 ')", None), ("day('٢026-03-01')", None), ("day(x)", None), ("day('')", None),
        ):
            self.assertEqual(parse(text)(lambda name: None), expected, text)

    def test_local_day(self) -> None:
        hint = event("hint.used", "2026-03-02T03:59:59+01:00")
        self.assertEqual(read("local.day - day('2026-03-01'); local.day", [hint], "calendar: {day_starts_at: '04:00'}"), [0, 20513])

    def test_profile(self) -> None:
        rules = "events: {learner.updated: {pace: number, plan: text, beta: boolean}}"
        names = "default(learner.pace, -1); learner.plan == 'pro' ? 1 : 0; default(learner.dailyGoalMinutes, -1); learner.leagues == null ? 1 : 0"
        events = [event("hint.used", "2026-03-05T12:00:00Z")]
        self.assertEqual(read(names, events, rules), [-1, 0, -1, 1])
        events += [
            updated("2026-03-01T12:00:00Z", pace=3, plan="pro", dailyGoalMinutes=20, leagues=True),
            updated("2026-03-02T12:00:00Z", pace="fast", plan=None, language="es"), updated("2026-03-06T12:00:00Z", pace=9),
        ]
        self.assertEqual(read(names, events, rules), [3, 1, 20, 0])

    def test_the_event_at_hand_counts(self) -> None:
        rules = "{metrics: {sum: {sum: 'event.dailyGoalMinutes == learner.dailyGoalMinutes ? 1 : 0', on: learner.updated}}}"
        got = tracks(rules, [updated(f"2026-03-0{day}T12:00:00Z", dailyGoalMinutes=day) for day in (1, 2)], END)
        self.assertEqual(got["*"]["metrics"], {"sum": 2})

    def test_language_tracks_see_the_one_profile(self) -> None:
        rules = "{metrics: {m: {last: learner.dailyGoalMinutes, on: hint.used}}}"
        got = tracks(rules, [updated("2026-03-01T12:00:00Z", dailyGoalMinutes=7), event("hint.used", END, language="es")], END)
        self.assertEqual(got["es"]["metrics"], {"m": 7})

    def test_a_declared_field_in_time(self) -> None:
        body = "{events: {learner.updated: {pace: %s}}, metrics: {m: {last: 'has(learner.pace) ? 1 : 2', on: hint.used}}}"
        events = [updated("2026-03-01T12:00:00Z", pace=3), event("hint.used", "2026-03-09T12:00:00Z")]
        for between, last, seen in (("number", "number", 1), ("number", "text", 2), ("text", "number", 2)):
            rules = versions(body % "number", ("2026-03-03", body % between), ("2026-03-04", body % last))
            self.assertEqual(told(rules, events, END)["*"]["metrics"], {"m": seen}, (between, last))

    def test_days_since_active(self) -> None:
        rules = "streak: {when: event.type == 'line.spoken'}"
        name = "default(streak.days_since_active, -1)"
        for days, hint, since in (
            ("03-01", "03-01", -1), ("03-01 03-03", "03-04", 1), ("03-01 03-03", "03-03", 2), ("03-05", "03-04", -1),
        ):
            events = lines(*days.split()) + [event("hint.used", f"2026-{hint}T20:00:00Z")]
            self.assertEqual(read(name, events, rules), [since], (days, hint))
        self.assertEqual(read(name, events, "streak: {when: event.type == 'line.spoken', every: week}"), [-1])
        self.assertEqual(read(name, lines("03-01") + [event("hint.used", "2026-03-20T20:00:00Z")]), [-1])  # no streak

    def test_every_type(self) -> None:
        rules = """
            metrics:
              all:  {count: "*"}
              sure: {run: "*", while: "default(event.accuracy, 1) >= 0.5"}
              said: {sum: event.words, on: "*"}
            xp: [{id: any, on: "*", when: "event.type != 'app.opened'", award: 1}]
            """
        events = lines("03-01") + [
            event("app.opened", "2026-03-01T13:00:00Z"), event("event.retracted", "2026-03-01T14:00:00Z", {"source": "x", "id": "y"}),
            event("line.spoken", "2026-03-01T15:00:00Z", {"words": 4, "accuracy": 0.2}), event("hint.used", "2026-03-01T16:00:00Z"),
        ]
        got = tracks(rules, events, END)["*"]
        self.assertEqual((got["metrics"], got["totalXP"]), ({"all": 5, "sure": 1, "said": 4}, 4))


class Experiments(unittest.TestCase):
    RULES = "{experiments: {%s}, metrics: {m: {last: \"experiment.e == 'b' ? 1 : 0\", on: hint.used}}}"

    def test_period(self) -> None:
        rules = self.RULES % "e: {variants: {b: 100}, from: 2026-03-02, through: 2026-03-03}, none: {variants: {x: 0.0001}}"
        for day, experiments, seen in ((1, {}, 0), (2, {"e": "b"}, 1), (3, {"e": "b"}, 1), (4, {}, 0)):
            time = f"2026-03-0{day}T12:00:00Z"
            got = tracks(rules, [event("hint.used", time)], time)["*"]
            self.assertEqual((got["experiments"], got["metrics"]["m"]), (experiments, seen))

    def test_shares(self) -> None:
        experiment = Experiment("e", {"a": 30, "b": 20.5}, "seed", Period())
        found = [experiment.variant(f"learner-{i}") for i in range(4000)]
        for variant, share in (("a", 0.3), ("b", 0.205), (None, 0.495)):
            self.assertAlmostEqual(found.count(variant) / 4000, share, delta=0.03)

    def test_a_learner_without_events(self) -> None:
        rules = "{experiments: {e: {variants: {on: 100}, from: 2026-03-02}}}"
        self.assertEqual(tracks(rules, [], "2026-03-02T00:00:00Z")["*"]["experiments"], {"e": "on"})
        self.assertEqual(tracks(rules, [], "2026-03-02T00:00:00-01:00")["*"]["experiments"], {"e": "on"})
        self.assertEqual(tracks(rules, [], "2026-03-01T23:00:00-01:00")["*"]["experiments"], {})


class Seasons(unittest.TestCase):
    RULES = """
        seasons: [{name: spring, from: 2026-03-01, through: 2026-03-04}, {name: summer, from: 2026-03-06, through: 2026-03-08}]
        metrics: {lines: {count: line.spoken}}
        xp: [{id: line, on: line.spoken, award: "season.name == 'spring' ? 1 : 10"}]
        achievements: [{id: three, value: season.lines, at_least: 3}]
        """

    def test_windows(self) -> None:
        days = ["03-03", "03-04", "03-05", "03-06", "03-07"]
        for index, season in enumerate([(1, 1), (2, 2), (0, 0), (1, 10), (2, 20)]):
            got = tracks(self.RULES, lines(*days[:index + 1]), f"2026-{days[index]}T20:00:00Z")["*"]
            self.assertEqual((got["season"]["lines"], got["season"]["xp"]), season, days[index])
            self.assertEqual(got["achievements"][0]["tier"], 0)
        got = tracks(self.RULES, lines(*days), "2026-03-09T00:00:00Z")["*"]
        self.assertEqual(got["season"], {"xp": 0, "lines": 0})

    def test_travel_begins_a_window_anew(self) -> None:
        east, west = "2026-03-05T00:30:00+12:00", "2026-03-04T23:00:00+01:00"
        got = tracks(self.RULES, lines("03-03", "03-04", east, west), "2026-03-04T23:30:00+01:00")["*"]
        self.assertEqual(got["season"]["lines"], 1)

    def test_in_time(self) -> None:
        later = "{seasons: [{name: %s, from: 2026-03-03, through: 2026-03-09}], metrics: {lines: {count: line.spoken}}, achievements: [{id: x, value: season.lines, at_least: 9}]}"
        for name, count in (("spring", 3), ("lent", 1)):
            rules = versions(self.RULES, ("2026-03-03", later % name))
            got = told(rules, lines("03-01", "03-02", "03-05"), "2026-03-05T20:00:00Z")["*"]
            self.assertEqual(got["season"], {"xp": 2 if name == "spring" else 0, "lines": count}, name)


class Streaks(unittest.TestCase):
    def streak(self, rules: str, events: list[dict[str, Any]], day: str) -> tuple[int, int, int]:
        got = tracks("streak: {when: \"event.type == 'line.spoken'\", %s}" % rules, events, f"2026-{day}T20:00:00Z")["*"]
        return got["currentStreak"], got["longestStreak"], got["streakFreezes"]

    def grant(self, day: str, count: int | None = None) -> dict[str, Any]:
        return event("freeze.granted", f"2026-{day}T13:00:00Z", {"count": count})

    def test_freezes_at_the_start(self) -> None:
        for freezes, held in (("start: 2, hold: 3", 2), ("start: 2", 1), ("hold: 4", 0)):
            self.assertEqual(self.streak(f"freezes: {{{freezes}}}", [], "03-01"), (0, 0, held), freezes)
        self.assertEqual(self.streak("freezes: {start: 2, hold: 3}", lines("03-01", "03-03"), "03-05"), (2, 2, 0))

    def test_granted(self) -> None:
        hold = "freezes: {hold: 3}"
        self.assertEqual(self.streak(hold, [self.grant("03-01"), self.grant("03-01", 5)], "03-02"), (0, 0, 3))
        self.assertEqual(self.streak(hold, [self.grant("03-01", 2)] + lines("03-04", "03-06"), "03-06"), (2, 2, 1))
        # Granted on a missed day, before it is judged; on the day after, too late for it.
        self.assertEqual(self.streak(hold, [self.grant("03-05")] + lines("03-04"), "03-06"), (1, 1, 0))
        self.assertEqual(self.streak(hold, [self.grant("03-06")] + lines("03-04"), "03-06"), (0, 1, 1))
        self.assertEqual(self.streak("", [self.grant("03-05", 9)] + lines("03-05"), "03-05"), (1, 1, 1))

    def test_paused(self) -> None:
        pause = event("streak.paused", "2026-03-01T12:00:00Z", {"from": "2026-03-03", "through": "2026-03-05"}, language="es")
        for days, day, streak in (("03-02", "03-06", 1), ("03-02", "03-07", 0), ("03-02 03-04", "03-06", 2)):
            self.assertEqual(self.streak("", lines(*days.split()) + [pause], day)[0], streak, (days, day))

    def test_weeks(self) -> None:
        weekly = "every: week, freezes: {earn_every: 2, hold: 1}"
        days = lines("03-02", "03-04", "03-15")  # a Monday, and the Sunday of the next week
        self.assertEqual(self.streak(weekly, days, "03-22"), (2, 2, 1))
        self.assertEqual(self.streak(weekly, days, "03-29"), (2, 2, 0))
        self.assertEqual(self.streak(weekly, days, "04-05"), (0, 2, 0))
        frozen = event("streak.frozen", "2026-03-15T13:00:00Z", {"date": "2026-03-25"})
        self.assertEqual(self.streak(weekly, days + [frozen], "03-30"), (2, 2, 0))
        self.assertEqual(self.streak(weekly, days + [frozen, self.grant("03-29")], "04-06"), (2, 2, 0))
        repaired = event("streak.repaired", "2026-03-31T13:00:00Z", {"date": "2026-03-19"})
        got = tracks("streak: {when: event.type == 'line.spoken', every: week}", days + [repaired], "2026-03-31T20:00:00Z")["*"]
        self.assertEqual((got["currentStreak"], got["longestStreak"], got["lastActivityDate"]), (0, 3, "2026-03-19"))
        self.assertEqual(self.streak(weekly, days + [repaired], "03-31"), (3, 3, 0))

    def test_weeks_in_time(self) -> None:
        body = "{calendar: {week_starts_on: %s}, streak: {when: 'true', every: %s}}"
        days = lines("03-02", "03-09", "03-14", "03-16")
        # From Friday 03-13, weeks begin on Thursday: the week from Monday 03-09 lasts until Wednesday 03-18.
        rules = versions(body % ("monday", "week"), ("2026-03-13", body % ("thursday", "week")))
        self.assertEqual(told(rules, days, "2026-03-16T20:00:00Z")["*"]["currentStreak"], 2)
        self.assertEqual(told(rules, days + lines("03-19"), "2026-03-19T20:00:00Z")["*"]["currentStreak"], 3)
        rules = versions(body % ("monday", "week"), ("2026-03-13", body % ("monday", "day")))
        self.assertEqual([told(rules, days, f"2026-03-{day}T20:00:00Z")["*"]["currentStreak"] for day in ("12", "14")], [2, 1])
        

GROWTHBOOK: dict[tuple[str, str], float] = {
    ("", "ana"): 0.99, ("", "Борис"): 0.684, ("", "李雷"): 0.2589, ("", "d/e f"): 0.0733,
    ("", "zoe\u0308"): 0.7503, ("", "zoë"): 0.1448, ("", "😀"): 0.4971, ("", "learner-1"): 0.4703,
    ("", "learner-2"): 0.1974, ("", "learner-3"): 0.6286, ("", "0"): 0.7733, ("", "a-long-id-of-a-learner@example.org"): 0.0489,
    ("double-streak-1", "ana"): 0.4451, ("double-streak-1", "Борис"): 0.6957, ("double-streak-1", "李雷"): 0.8312, ("double-streak-1", "d/e f"): 0.0054,
    ("double-streak-1", "zoe\u0308"): 0.2247, ("double-streak-1", "zoë"): 0.4264, ("double-streak-1", "😀"): 0.451, ("double-streak-1", "learner-1"): 0.786,
    ("double-streak-1", "learner-2"): 0.9807, ("double-streak-1", "learner-3"): 0.8319, ("double-streak-1", "0"): 0.6765, ("double-streak-1", "a-long-id-of-a-learner@example.org"): 0.0983,
    ("é", "ana"): 0.6463, ("é", "Борис"): 0.6104, ("é", "李雷"): 0.6008, ("é", "d/e f"): 0.685,
    ("é", "zoe\u0308"): 0.602, ("é", "zoë"): 0.9675, ("é", "😀"): 0.3576, ("é", "learner-1"): 0.7002,
    ("é", "learner-2"): 0.1986, ("é", "learner-3"): 0.2458, ("é", "0"): 0.1045, ("é", "a-long-id-of-a-learner@example.org"): 0.2623,
}


if __name__ == "__main__":
    unittest.main()
