# SPDX-License-Identifier: Apache-2.0
"""Stories computed by hand: rules in time (numbers.md#rules-in-time), and clocks, minutes and totals.

    python3 -m unittest
"""
from __future__ import annotations

import unittest
from typing import Any

from expressions import parse
from instants import parse_date
from progress import At, words_of
from test_oracle import event, load_text, stored, told, tracks
from versions import Versions

END = "2026-05-01T12:00:00Z"


def versions(first: str, *later: tuple[str, str]) -> Versions:
    result = Versions(load_text(first))
    for date, rules in later:
        result.apply(load_text(rules), parse_date(date))
    return result


def lines(*times: str, **more: Any) -> list[dict[str, Any]]:
    """A spoken line at each time. `MM-DD` is noon of that day of 2026 in UTC."""
    return [event("line.spoken", f"2026-{t}T12:00:00Z" if len(t) == 5 else t, **more) for t in times]


def goal(progress: dict[str, Any], wanted: str = "g") -> tuple[int, int, str | None, float]:
    found = next(item for item in progress["achievements"] if item["id"] == wanted)
    return found["tier"], found["tiers"], found["unlockedAt"] and found["unlockedAt"][5:10], found["progress"]


XP = "{xp: [{id: line, on: line.spoken, award: %s}]}"


class WhichVersion(unittest.TestCase):
    def test_day_of_the_event(self) -> None:
        rules = versions(XP % 1, ("2026-03-02", XP % 10), ("2026-03-04", XP % 100))
        got = told(rules, lines("03-01", "03-02", "03-03", "03-04"), END)["*"]
        self.assertEqual(got["totalXP"], 1 + 10 + 10 + 100)

    def test_applying_replaces_what_is_the_same_day_or_later(self) -> None:
        rules = versions(XP % 1, ("2026-03-02", XP % 10), ("2026-03-04", XP % 100), ("2026-03-02", XP % 1000))
        self.assertEqual(told(rules, lines("03-01", "03-02", "03-05"), END)["*"]["totalXP"], 2001)

    def test_each_version_tells_the_day_by_its_own_calendar(self) -> None:
        later = "{calendar: {default_timezone: Asia/Tokyo, day_starts_at: '04:00'}, xp: [{id: line, on: line.spoken, award: 10}]}"
        rules = versions(XP % 1, ("2026-03-02", later))
        # 03-02 04:00 in Tokyo is 03-01 19:00 in UTC; one second before, it still is 03-01 there.
        got = told(rules, lines("2026-03-01T18:59:59Z", "2026-03-01T19:00:00Z"), END)["*"]
        self.assertEqual(got["totalXP"], 1 + 10)

    def test_never_back(self) -> None:
        rules = versions(XP % 1, ("2026-03-02", XP % 10))
        west = lines("2026-03-02T00:10:00+01:00", "2026-03-01T22:00:00-05:00")  # the second is the later instant
        got = told(rules, west, END)["*"]
        self.assertEqual(got["totalXP"], 20)

    def test_day_and_offset_are_told_by_the_version_of_the_fold(self) -> None:
        first = "{streak: {when: 'true'}}"
        later = "{calendar: {default_timezone: Pacific/Kiritimati}, streak: {when: 'true'}}"  # UTC+14
        rules = versions(first, ("2026-03-03", later))
        got = told(rules, lines("03-02"), "2026-03-02T13:00:00Z")["*"]
        self.assertEqual(got["lastActivityDate"], "2026-03-03")

    def test_readings_stay_in_the_version_of_the_last_event(self) -> None:
        rules = versions("{levels: {table: [0, 5]}, xp: [{id: l, on: line.spoken, award: 10}]}",
                         ("2026-03-05", "{levels: {table: [0, 50]}}"))
        for at in ("2026-03-04T12:00:00Z", "2026-03-05T12:00:00Z", END):
            self.assertEqual(told(rules, lines("03-01"), at)["*"]["currentLevel"], 2)
        self.assertEqual(told(rules, lines("03-01", "03-05"), END)["*"]["currentLevel"], 1)

    def test_a_learner_without_events_is_read_under_the_version_of_the_instant(self) -> None:
        rules = versions("metrics: {a: {count: line.spoken}}", ("2026-03-05", "metrics: {b: {count: line.spoken}}"))
        for at, name in (("2026-03-04T23:59:59Z", "a"), ("2026-03-05T00:00:00Z", "b"), ("2026-03-04T23:00:00-01:00", "a")):
            self.assertEqual(list(told(rules, lines("04-01"), at)["*"]["metrics"]), [name])

    def test_achievements_of_the_instant_are_listed(self) -> None:
        body = "achievements: [{id: %s, value: total.xp, at_least: %s}%s]"
        rules = versions(body % ("a", "5", ""), ("2026-03-05", body % ("b", "[1, 2]", ", {id: s, value: level, at_least: 9, hidden: true}")))
        for at, ids in (("2026-03-04T12:00:00Z", ["a"]), ("2026-03-05T12:00:00Z", ["a", "b"])):
            got = told(rules, lines("03-01"), at)["*"]
            self.assertEqual([item["id"] for item in got["achievements"]], ids)
        self.assertEqual(goal(got, "b"), (0, 2, None, 0))
        got = told(rules, lines("03-01", "03-06"), END)["*"]
        self.assertEqual([item["id"] for item in got["achievements"]], ["b"])


class WhatIsKept(unittest.TestCase):
    def test_xp_stays_with_its_buckets_and_days(self) -> None:
        rules = versions(XP % 7, ("2026-03-03", "{levels: {table: [0, 14]}}"))
        got = told(rules, lines("03-01", "03-02", "03-03"), "2026-03-03T13:00:00Z")["*"]
        self.assertEqual((got["xpBreakdown"], got["currentLevel"]), ({"line": 14}, 2))
        self.assertEqual(got["weeklyXP"], 7)  # 03-02 is a Monday

    def test_metrics_defined_as_before(self) -> None:
        first = """
            metrics:
              same:  {sum: "default(event.words, 1)*2", on: line.spoken, where: 'event.type == "line.spoken"'}
              other: {count: line.spoken}
              gone:  {count: line.spoken}
              above: {sum: total.other, on: line.spoken}
            """
        later = """
            metrics:
              other: {count: [line.spoken, hint.used]}
              above: {sum: (total.other), on: [line.spoken]}
              same:  {sum: "(default(event.words,1.0) * 2)", on: line.spoken, where: "event.type=='line.spoken'"}
              fresh: {count: line.spoken}
            """
        rules = versions(first, ("2026-03-03", later))
        got = told(rules, lines("03-01", "03-02", "03-03"), END)["*"]
        self.assertEqual(got["metrics"], {"other": 1, "above": 1 + 2 + 1, "same": 6, "fresh": 1})

    def test_a_version_between_that_lacks_a_metric_ends_it(self) -> None:
        lines_counted = "metrics: {lines: {count: line.spoken}}"
        rules = versions(lines_counted, ("2026-03-03", "{}"), ("2026-03-04", lines_counted))
        got = told(rules, lines("03-01", "03-02", "03-05"), END)["*"]  # nothing happened under the version between
        self.assertEqual(got["metrics"], {"lines": 1})

    def test_windows_stay_where_day_and_week_do(self) -> None:
        body = "{calendar: {week_starts_on: %s}, metrics: {n: {count: line.spoken}, w: {max: week.n, on: line.spoken}, s: {max: session.n, on: line.spoken}}}"
        week = lines("03-03", "03-04", "03-05", session="s")
        for start, most in (("monday", 3), ("sunday", 2)):  # under the other version, 03-05 is in the week of 03-01
            rules = versions(body % "monday", ("2026-03-05", body % start))
            got = told(rules, week, END)["*"]
            self.assertEqual(got["metrics"], {"n": 3, "w": max(2, most), "s": 3}, start)
        rules = versions(body % "monday", ("2026-03-03", body % "sunday"))
        got = told(rules, lines("03-02", "03-03", "03-08"), END)["*"]  # weeks from 03-02, 03-01 and 03-08
        self.assertEqual(got["metrics"]["w"], 1)

    def test_daily_caps(self) -> None:
        first = "{calendar: {default_timezone: Etc/GMT-12}, xp: [{id: l, on: line.spoken, award: 10%s}]}"
        later = "{xp: [{id: %s, on: line.spoken, award: 10%s}]}"
        # The first event is on 03-03 by the first calendar, 12 hours ahead, and on 03-02 by the later calendar. So its
        # window continues on 03-03 under the later version.
        day = lines("2026-03-02T13:00:00Z", "2026-03-03T01:00:00Z", "2026-03-03T02:00:00Z")
        for before, rule, after, awards in (
            (", daily_cap: 15", "l", ", daily_cap: 18", [10, 8, 0]), (", daily_cap: 15", "l", ", daily_cap: 5", [10, 0, 0]),
            (", daily_cap: 15", "l", "", [10, 10, 10]), ("", "l", ", daily_cap: 15", [10, 10, 5]),
            (", daily_cap: 15", "m", ", daily_cap: 15", [10, 10, 5]),
        ):
            rules = versions(first % before, ("2026-03-03", later % (rule, after)))
            self.assertEqual(told(rules, day, END)["*"]["totalXP"], sum(awards), (before, rule, after))

    def test_counts_days_and_profile_stay(self) -> None:
        rules = versions("{streak: {when: 'true'}}", ("2026-03-03", "{streak: {when: day.xp > 5}}"))
        events = lines("03-01") + [
            event("learner.updated", "2026-03-01T13:00:00Z", {"displayName": "Ana"}),
            event("repair.made", "2026-03-01T13:00:00Z"), event("help.given", "2026-03-02T13:00:00Z"),
            event("session.ended", "2026-03-02T13:00:00Z", {"durationMs": 120_000}),
            event("streak.repaired", "2026-03-04T12:00:00Z", {"date": "2026-03-03"}),
            event("level.declared", "2026-03-01T12:00:00Z", {"level": "B1"}, language="es"),
        ]
        got = told(rules, events, "2026-03-04T13:00:00Z")["*"]
        self.assertEqual((got["successfulRepairs"], got["helpGiven"], got["totalSessions"], got["events"]), (1, 1, 1, 7))
        self.assertEqual((got["totalMinutesPlayed"], got["displayName"], got["currentStreak"]), (2, "Ana", 3))


class Achievements(unittest.TestCase):
    BODY = "{metrics: {n: {count: line.spoken}}, achievements: [{id: g, value: %s, at_least: %s%s}]}"

    def after(self, first: tuple[str, str, str], later: tuple[str, str, str], days: str = "03-01 03-02 03-03 03-05") -> Any:
        rules = versions(self.BODY % first, ("2026-03-05", self.BODY % later))
        return told(rules, lines(*days.split()), END)["*"]

    def test_more_tiers(self) -> None:
        got = self.after(("total.n", "[2]", ", xp: 10"), ("total.n", "[2, 3, 9]", ", xp: 50"))
        self.assertEqual((goal(got), got["totalXP"]), ((2, 3, "03-05", 4 / 9), 60))

    def test_fewer_tiers_show_the_first_times(self) -> None:
        got = self.after(("total.n", "[1, 2, 3]", ", xp: 10"), ("total.n", "[9]", ", xp: 50"))
        self.assertEqual((goal(got), got["totalXP"]), ((1, 1, "03-01", 1), 30))

    def test_times_come_back_with_the_tiers(self) -> None:
        rules = versions(self.BODY % ("total.n", "[1, 2]", ""), ("2026-03-05", self.BODY % ("total.n", "[9]", "")),
                         ("2026-03-07", self.BODY % ("total.n", "[50, 60, 70]", "")))
        got = told(rules, lines("03-01", "03-02", "03-08"), END)["*"]
        self.assertEqual(goal(got), (2, 3, "03-02", 3 / 70))

    def test_the_best_stays_where_it_is_measured_alike(self) -> None:
        for first, later, progress in (
            (("day.n", "[9]", ""), ("(day.n)", "[6]", ""), 3 / 6),
            (("day.n", "[9]", ""), ("day.n * 1", "[6]", ""), 1 / 6),
            (("day.n", "[9]", ""), ("day.n", "[6]", ", when: 'true'"), 1 / 6),
            (("day.n", "[9]", ", scope: language"), ("day.n", "[6]", ""), 1 / 6),
        ):
            day = [f"2026-03-01T1{hour}:00:00Z" for hour in "012"]
            got = self.after(first, later, " ".join(day) + " 03-05")
            self.assertEqual(goal(got), (0, 1, None, progress))

    def test_the_best_is_noted_only_while_a_tier_is_locked(self) -> None:
        got = self.after(("total.n", "[1]", ""), ("total.n", "[1, 8]", ", when: total.n < 0"), "03-01 03-02 03-03 03-05")
        self.assertEqual(goal(got), (1, 2, "03-01", 0))
        rules = versions(self.BODY % ("total.n", "[1]", ""), ("2026-03-05", "{metrics: {n: {count: hint.used}}, achievements: [{id: g, value: total.n, at_least: [1, 8]}]}"))
        got = told(rules, lines("03-01", "03-02", "03-03", "03-05"), END)["*"]
        self.assertEqual(goal(got), (1, 2, "03-01", 1 / 8))

    def test_revoked_before_and_taken_back(self) -> None:
        rules = versions(self.BODY % ("total.n", "[1, 2]", ", xp: 10"), ("2026-03-05", self.BODY % ("total.n", "[1]", ", xp: 500")))
        revoke = event("achievement.revoked", "2026-03-06T12:00:00Z", {"achievement": "g"})
        grant = event("achievement.granted", "2026-03-07T12:00:00Z", {"achievement": "g"})
        events = lines("03-01", "03-02", "03-06", "03-08")
        self.assertEqual(told(rules, events + [revoke], END)["*"]["totalXP"], 0)  # 20 given, 20 taken back
        got = told(rules, events + [revoke, grant], END)["*"]
        self.assertEqual((goal(got), got["totalXP"]), ((1, 1, "03-07", 1), 500))
        early = revoke | {"time": "2026-03-04T12:00:00Z"}
        self.assertEqual(goal(told(rules, events + [early], END)["*"]), (0, 1, None, 0))

    def test_one_that_a_version_between_lacks_begins_anew(self) -> None:
        body = self.BODY % ("total.n", "[1]", ", xp: 10")
        rules = versions(body, ("2026-03-02", "{metrics: {n: {count: line.spoken}}}"), ("2026-03-03", body))
        got = told(rules, lines("03-01", "03-04"), END)["*"]
        self.assertEqual((goal(got), got["totalXP"]), ((1, 1, "03-04", 1), 20))


class WordsGoOver(unittest.TestCase):
    SM2, FSRS = "{mastery: {scheduler: sm2}}", "{mastery: {scheduler: fsrs, mastery_days: [2, 4, 8, 16, 32]}}"

    def words(self, rules: Versions, *events: dict[str, Any]) -> dict[str, dict[str, Any]]:
        store = stored(list(events) + lines("03-20"))
        assert store.counts["refused"] == 0, store.reasons
        return {word["word"]: word for word in words_of(store.of_learner("ana"), rules, At.parse(END))}

    def imported(self, word: str, **data: Any) -> dict[str, Any]:
        return event("word.imported", "2026-03-01T12:00:00Z", {"word": word} | data)

    def test_sm2_to_fsrs(self) -> None:
        graded = [event("review.graded", f"2026-03-0{day}T12:00:00Z", {"word": "graded", "grade": "good"}) for day in (1, 3)]
        got = self.words(versions(self.SM2, ("2026-03-10", self.FSRS)), *graded, self.imported("new"),
                         self.imported("interval", intervalDays=9), self.imported("mastery", masteryLevel=4),
                         self.imported("both", intervalDays=3, masteryLevel=4))
        self.assertEqual({name: (w["stability"], w["intervalDays"], w["mastery"]) for name, w in got.items()}, {
            "graded": (5.0, 5, 2), "new": (None, 0, 0), "interval": (9.0, 9, 3), "mastery": (16.0, 1, 4), "both": (16.0, 3, 4)})
        self.assertEqual((got["graded"]["difficulty"], got["new"]["difficulty"]), (5.0, None))
        self.assertEqual((got["graded"]["reviews"], got["graded"]["nextReviewAt"][:10]), (2, "2026-03-08"))
        self.assertEqual((got["interval"]["nextReviewAt"][:10], got["mastery"]["nextReviewAt"][:10]), ("2026-03-10", "2026-03-01"))

    def test_fsrs_to_sm2(self) -> None:
        got = self.words(versions(self.FSRS, ("2026-03-10", self.SM2)), self.imported("new"), self.imported("known", stability=16.5))
        self.assertEqual({name: (w["easeFactor"], w["intervalDays"], w["mastery"]) for name, w in got.items()},
                         {"new": (2.5, 1, 0), "known": (2.5, 16, 4)})

    def test_fsrs_to_fsrs_tells_the_mastery_anew(self) -> None:
        later = "{mastery: {scheduler: fsrs, mastery_days: [20, 30, 40, 50, 60]}}"
        got = self.words(versions(self.FSRS, ("2026-03-10", later)), self.imported("w", stability=25, difficulty=3))["w"]
        self.assertEqual((got["stability"], got["difficulty"], got["intervalDays"], got["mastery"]), (25, 3, 25, 1))


class StreakInTime(unittest.TestCase):
    def test_each_day_goes_by_its_version(self) -> None:
        rules = versions("{streak: {when: 'true', rest_days: [wednesday]}}",
                         ("2026-03-10", "{streak: {when: 'true', freezes: {earn_every: 2, hold: 1}, rest_days: [friday]}}"))
        days = lines("03-02", "03-03", "03-05", "03-10", "03-12", "03-15")
        # Wednesday 4th rests; Friday 6th breaks. From the 10th freezes: the 10th is day 1; Wednesday 11th is missed.
        self.assertEqual([told(rules, days, f"2026-03-{day}T20:00:00Z")["*"]["currentStreak"] for day in ("05", "10", "12")], [3, 1, 1])
        got = told(rules, days, "2026-03-15T20:00:00Z")["*"]
        self.assertEqual((got["currentStreak"], got["longestStreak"], got["streakFreezes"]), (1, 3, 0))

    def test_freezes_held_stay_under_a_smaller_hold(self) -> None:
        rules = versions("{streak: {when: 'true', freezes: {earn_every: 1, hold: 3}}}",
                         ("2026-03-04", "{streak: {when: 'true', freezes: {earn_every: 1, hold: 1}}}"))
        got = told(rules, lines("03-01", "03-02", "03-03", "03-04"), "2026-03-04T20:00:00Z")["*"]
        self.assertEqual(got["streakFreezes"], 3)

    def test_days_are_judged_by_the_version_they_were_folded_under(self) -> None:
        rules = versions("{streak: {when: 'true'}}", ("2026-03-03", "{streak: {when: 'false'}}"))
        got = told(rules, lines("03-01", "03-02", "03-03"), "2026-03-03T20:00:00Z")["*"]
        self.assertEqual((got["currentStreak"], got["lastActivityDate"]), (2, "2026-03-02"))


class Periods(unittest.TestCase):
    def test_xp_within_a_period(self) -> None:
        rule = "{xp: [{id: d, on: line.spoken, award: 10, %s}, {id: e, on: line.spoken, award: earned}]}"
        for period, days in (("from: 2026-03-02", 3), ("through: 2026-03-02", 2), ("from: 2026-03-02, through: 2026-03-03", 2)):
            got = tracks(rule % period, lines("03-01", "03-02", "03-03", "03-04"), END)["*"]
            self.assertEqual(got["totalXP"], days * 20, period)

    def test_everyones_own_clock(self) -> None:
        rule = "{xp: [{id: d, on: line.spoken, award: 1, from: 2026-03-02, through: 2026-03-02}]}"
        times = ["2026-03-02T00:30:00+13:00", "2026-03-02T23:30:00-08:00", "2026-03-03T00:30:00+13:00"]
        self.assertEqual(tracks(rule, lines(*times), END)["*"]["totalXP"], 2)

    def test_achievements_are_not_evaluated_outside(self) -> None:
        rule = "{metrics: {n: {count: line.spoken}}, achievements: [{id: g, value: total.n, at_least: [1, 4], from: 2026-03-02, through: 2026-03-03}]}"
        got = tracks(rule, lines("03-01", "03-02", "03-03", "03-04", "03-05"), END)["*"]
        self.assertEqual(goal(got), (1, 2, "03-02", 3 / 4))
        grant = event("achievement.granted", "2026-03-09T12:00:00Z", {"achievement": "g"})
        self.assertEqual(goal(tracks(rule, [grant], END)["*"]), (2, 2, "03-09", 1))


class Totals(unittest.TestCase):
    def declared(self, total: int, time: str, **more: Any) -> dict[str, Any]:
        return event("xp.declared", time, {"total": total}, **more)

    def test_what_is_lacking(self) -> None:
        rule = "{xp: [{id: l, on: [line.spoken, xp.declared], award: 10}]}"
        events = lines("03-01", language="es") + [
            self.declared(25, "2026-03-02T12:00:00Z", language="es"),  # 10 + 10 of its own: 5 are lacking
            self.declared(40, "2026-03-03T12:00:00Z"),                 # 25 + 10: 5, to the overall track alone
            self.declared(30, "2026-03-04T12:00:00Z"),                 # 40 + 10: nothing
        ]
        got = told(versions(rule), events, END)
        self.assertEqual([got[t]["totalXP"] for t in ("*", "es")], [50, 25])
        self.assertEqual(got["*"]["xpBreakdown"], {"l": 40, "adjustment": 10})

    def test_a_late_event_is_settled_too(self) -> None:
        total = self.declared(100, "2026-03-05T12:00:00Z")
        self.assertEqual(tracks(XP % 30, lines("03-01") + [total], END), tracks(XP % 30, [total] + lines("03-01"), END))
        self.assertEqual(tracks(XP % 30, lines("03-01", "03-02") + [total], END)["*"]["totalXP"], 100)
        self.assertEqual(tracks(XP % 30, lines("03-01", "03-06") + [total], END)["*"]["totalXP"], 130)


class ClocksAndMinutes(unittest.TestCase):
    def test_whose_clock_a_reading_goes_by(self) -> None:
        rule = "{xp: [{id: l, on: line.spoken, award: 1}]}"
        berlin = lines("2026-03-28T12:00:00+01:00", timezone="Europe/Berlin")  # summer time begins the next day
        winter = lines("2026-03-28T12:00:00+01:00")
        for events, at, xp in (
            (berlin, "2026-03-29T21:59:59Z", 1), (berlin, "2026-03-29T22:00:00Z", 0), (winter, "2026-03-29T22:00:00Z", 1),
            (berlin, "2026-03-29T23:30:00+01:30", 1), (lines("2026-03-28T12:00:00Z"), "2026-03-29T23:59:59Z", 1),
        ):
            self.assertEqual(tracks(rule, events, at)["*"]["weeklyXP"], xp, at)

    def test_minutes_outside_sessions(self) -> None:
        minute = {"durationMs": 40_000}
        events = [
            event("line.spoken", "2026-03-01T12:00:00Z", minute), event("conversation.ended", "2026-03-01T12:00:00Z", minute),
            event("review.graded", "2026-03-02T12:00:00Z", minute | {"word": "a", "grade": "good"}),
            event("line.spoken", "2026-03-02T12:00:00Z", minute, session="s"),
            event("session.ended", "2026-03-02T12:00:30Z", session="s"), event("quest.finished", "2026-03-02T12:00:00Z", minute),
        ]
        got = tracks("{}", events, "2026-03-02T20:00:00Z")["*"]
        self.assertEqual((got["totalMinutesPlayed"], got["todayMinutes"], got["totalSessions"]), (2, 0, 1))

    def test_local_date(self) -> None:
        rule = "{calendar: {day_starts_at: '04:00'}, metrics: {n: {count: line.spoken, where: local.date >= '2026-03-02'}}}"
        got = tracks(rule, lines("2026-03-02T03:59:00+01:00", "2026-03-02T04:00:00+01:00"), END)["*"]
        self.assertEqual(got["metrics"], {"n": 1})


class Equality(unittest.TestCase):
    def test_once_parsed(self) -> None:
        for one, other, equal in (
            ("a+b*2", "a + (b * 2.0)", True), ("a + b", "b + a", False), ("a == 'x'", 'a == "x"', True),
            ("a in ['x']", 'a in ["\\u0078"]', True), ("a == null", "has(a)", False), ("1e2", "100", True),
            ("true ? a : b", "(true) ? a : (b)", True), ("min(a, b)", "max(a, b)", False), ("!a", "a", False),
        ):
            self.assertEqual(parse(one) == parse(other), equal, (one, other))


if __name__ == "__main__":
    unittest.main()
