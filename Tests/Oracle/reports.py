# SPDX-License-Identifier: Apache-2.0
"""Every number of the two reports, from events and rules: no SQL, and nothing of Laurel's.

    python3 reports.py --rules RULES.yaml --events FILE.ndjson --week 2026-04-13 --at TIME [--language L]

Prints {report: {learner: [[exhibit, rows], …]}}, `""` standing for everyone: an exhibit by its title or, without one, the
way it is shown; its rows as lists in the order of its columns. null stands for rows that hold no numbers.
"""
from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from typing import Any

import yaml

import fold
import track as tracks
from events import Event, Store, read_store
from instants import DAY_MS, format_day, numeric_offset, parse_date, week_start, weekday, zone_offset
from progress import At, plain
from ranges import Rows, bins, share
from remembering import Review, answers, desired_by, measured, memory, remembering, retention
from rules import CEFR_LEVELS, Rules, load
from versions import Versions, local_day, local_offset
from words import FSRS

# --- what the fold passes by, day by day ---------------------------------------------------------------------------

class ReportTrack(tracks.Track):
    """A track that notes on which day everything came about."""

    def __init__(self, versions: Versions, version: int, language: str | None) -> None:
        super().__init__(versions, version, language)
        self.xp: dict[tuple[int, str], int] = defaultdict(int)
        self.lines: dict[int, int] = defaultdict(int)
        self.reviews: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        self.graded: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        self.new_words: dict[int, int] = defaultdict(int)
        self.learned_words: dict[int, int] = defaultdict(int)
        self.unlocked: dict[str, int] = {}
        self.repaired: set[int] = set()
        self.outcomes: list[tuple[int, tuple[str, str], bool]] = []

    def tally(self, event: Event, fields: dict[str, Any]) -> None:
        super().tally(event, fields)
        if event.type == "streak.repaired":
            date = parse_date(event.fields["date"])
            if date < self.day and date not in self.streak.active:
                self.repaired.add(date)

    def standing(self) -> dict[str, Any]:
        """What is told of a week's end."""
        return {
            "sessions": len(self.sessions), **self.tallies, "known": self.words.count_known(),
            "learned": self.words.count_learned(), "mastered": self.words.count_mastered(), "buckets": self.words.buckets(),
        }

    def xp_in(self, days: range) -> int:
        return sum(amount for (day, _), amount in self.xp.items() if day in days)

    def active_in(self, days: range) -> int:
        return sum(day in days for day in self.streak.active)

    def practice_in(self, days: range) -> int:
        return sum(duration for day, duration in self.minutes if day in days)

    def graded_in(self, days: range) -> list[int]:
        """Reviews, and how many of them were correct."""
        return [sum(counts[place] for day, counts in self.graded.items() if day in days) for place in (0, 1)]


class ReportFold(fold.Fold):
    """A fold that keeps every track as it stood at the end of each week."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(Versions(rules))
        self.week: int | None = None
        self.ends: list[tuple[int, dict[str | None, dict[str, Any]]]] = []
        self.goal_is_set = False
        self.reviews: list[Review] = []
        self.lapses: dict[tuple[str, str], int] = defaultdict(int)

    def tracks(self) -> dict[str | None, ReportTrack]:
        return {None: self.overall, **self.languages}  # type: ignore[dict-item]

    def close_week(self) -> None:
        if self.week is not None:
            self.ends.append((self.week, {language: track.standing() for language, track in self.tracks().items()}))

    def _fold(self, event: Event) -> None:
        day = local_day(event.time, local_offset(event, self.rules), self.rules)
        week = week_start(day, self.rules.week_starts_on)
        if self.week is None or week > self.week:
            self.close_week()
            self.week = week
        self.goal_is_set |= event.type == "learner.updated" and event.fields.get("dailyGoalMinutes") is not None
        if event.language is not None and event.language not in self.languages:
            self.languages[event.language] = ReportTrack(self.versions, self.version, event.language)
        touched = [self.overall] + ([self.languages[event.language]] if event.language is not None else [])
        before = [(dict(track.buckets), {name: len(item.reached) for name, item in track.unlockings.items()}) for track in touched]
        review = self._review(event, day) if event.type == "review.graded" else None
        super()._fold(event)
        if event.type == "word.removed":
            self.lapses.pop((event.language or "", event.fields["word"]), None)
        if review:
            assert self.overall.words.touched
            review.number = self.overall.words.touched.reviews
            self.reviews.append(review)
        for track, (buckets, tiers) in zip(touched, before):
            self._note(track, event, buckets, tiers)  # type: ignore[arg-type]

    def _review(self, event: Event, day: int) -> Review:
        key = event.language or "", event.fields["word"]
        word, mastery = self.overall.words.known.get(key), self.rules.mastery
        days = (event.time - word.last_review) // DAY_MS if word and word.last_review is not None else 0
        recall = None
        if word and word.stability is not None and days >= 1 and mastery.scheduler == "fsrs":
            curve = FSRS(mastery.weights, mastery.retention)
            recall = (1 + curve.factor * days / word.stability) ** curve.decay
        duration = event.fields.get("durationMs")
        review = Review(
            day, (event.time + local_offset(event, self.rules)) // 3_600_000 % 24, key[0], event.fields["grade"],
            None if duration is None else duration / 1000, word.mastery if word else 0, word.interval if word else 0, days, 0,
            self.lapses[key], recall)
        self.lapses[key] += days >= 1 and not review.remembered
        return review

    def _note(self, track: ReportTrack, event: Event, buckets: dict[str, int], tiers: dict[str, int]) -> None:
        for bucket, amount in track.buckets.items():
            track.xp[track.day, bucket] += amount - buckets.get(bucket, 0)
        for name, item in track.unlockings.items():
            if len(item.reached) > tiers[name]:
                track.unlocked[name] = track.day
        if event.type == "line.spoken":
            track.lines[track.day] += 1
        word = track.words.touched
        if word is None:
            return
        if event.type == "review.graded":
            correct = event.fields["grade"] != "again"
            for counts in (track.reviews[track.day, track.words.mastery_before], track.graded[track.day]):
                counts[0] += 1
                counts[1] += correct
            track.outcomes.append((track.day, (event.language or "", event.fields["word"]), correct))
        track.new_words[track.day] += track.words.is_new
        track.learned_words[track.day] += word.learned(track.rules.mastery) and not track.words.learned_before


def week_end(events: list[Event], rules: Rules, last: int, at: int) -> tuple[int, int | None]:
    """The last millisecond at which the learner's clock showed a day of the week, and its offset; `at` where that is earlier.

    From each event on the clock is that of its zone, else of its offset; before the first it is that of the rules.
    """
    midnight = (last + 1) * DAY_MS + rules.day_starts_ms
    clocks: list[tuple[int, Any]] = [(0, lambda instant: zone_offset(rules.timezone, instant))]
    for event in sorted(events, key=lambda event: event.order):
        if event.timezone is not None:
            clocks.append((event.time, lambda instant, zone=event.timezone: zone_offset(zone, instant)))
        elif numeric_offset(event.offset) is not None:
            clocks.append((event.time, lambda instant, offset=numeric_offset(event.offset): offset))
        else:
            clocks.append((event.time, clocks[0][1]))
    best, best_offset = -1, 0
    for (start, clock), following in zip(clocks, [start for start, _ in clocks[1:]] + [at + 2 * DAY_MS]):
        if following < midnight - 2 * DAY_MS or start > midnight + 2 * DAY_MS:
            continue
        offsets = {clock(instant) for instant in range(midnight - DAY_MS, midnight + DAY_MS + 1, 3_600_000)}
        for instant in [start, following - 1, *(midnight - offset - 1 for offset in offsets)]:
            if start <= instant < following or instant == start:
                if (instant + clock(instant) - rules.day_starts_ms) // DAY_MS <= last and instant > best:
                    best, best_offset = instant, clock(instant)
    return (best, best_offset) if best < at else (at, None)


# --- a learner as of the end of the week ---------------------------------------------------------------------------

class Learner:
    def __init__(self, name: str, events: list[Event], rules: Rules, week: int, at: At) -> None:
        self.name, self.rules, self.week, self.last = name, rules, week, week + 6
        self.as_of, offset = week_end(events, rules, self.last, at.time)
        self.is_over = offset is not None
        fold.Track, plain_track = ReportTrack, fold.Track  # type: ignore[misc]
        self.fold = ReportFold(rules).run([event for event in events if event.time <= self.as_of])
        fold.Track = plain_track  # type: ignore[misc]
        assert isinstance(self.fold, ReportFold)
        self.fold.close_week()
        if offset is None:
            offset = numeric_offset(at.offset)
        if offset is None:
            latest = self.fold.overall.latest
            offset = local_offset(latest, rules) if latest else 0
            if latest and latest.timezone is not None:
                offset = zone_offset(latest.timezone, self.as_of)
        self.offset = offset // 60_000 * 60_000
        self.today = self.last if self.is_over else min(local_day(self.as_of, offset, rules), self.last)
        self.display = self.fold.profile.get("displayName") or name
        self.goal = self.fold.profile.get("dailyGoalMinutes", 15)

    def track(self, language: str | None) -> ReportTrack | None:
        return self.fold.tracks().get(language)

    def standing(self, language: str | None, week: int) -> dict[str, Any] | None:
        ends = [tracks for end, tracks in self.fold.ends if end <= week]
        return ends[-1].get(language) if ends else None

    def streak(self, language: str | None) -> tuple[int, int, int]:
        track = self.track(language)
        assert track
        return track.streak_at(self.today)

    def week_xp(self, language: str | None) -> int:
        track = self.track(language)
        assert track
        return track.xp_in(range(self.week, self.week + 7))

    def cefr(self, language: str) -> list[Any] | None:
        """Estimate, score, next band, its start, percent of the way."""
        track, rules = self.track(language), self.rules
        if rules.cefr_score is None or track is None:
            return None
        score = float(rules.cefr_score(track.value) or 0.0)  # type: ignore[arg-type]
        if track.declared_level is not None:
            score += rules.bands[track.declared_level]
        reached = max((i for i, band in enumerate(CEFR_LEVELS) if rules.bands[band] <= score), default=0)
        if reached == len(CEFR_LEVELS) - 1:
            return [CEFR_LEVELS[reached], plain(score), None, None, 100]
        start, following = rules.bands[CEFR_LEVELS[reached]], rules.bands[CEFR_LEVELS[reached + 1]]
        percent = max(0.0, 100 * (score - start) / (following - start))
        return [CEFR_LEVELS[reached], plain(score), CEFR_LEVELS[reached + 1], plain(following), plain(percent)]


def title(name: str) -> str:
    """`dialogCompletion` as people write it: “Dialog completion”."""
    if re.search(r"[^\w.-]", name) or not re.search(r"[^\W\d_]", name):
        return name
    spaced = re.sub(r"[_.-]+", " ", re.sub(r"(?<=[^A-Z_.-])(?=[A-Z])", " ", name)).split()
    words = " ".join(word if len(word) > 1 and word == word.upper() else word.lower() for word in spaced)
    return words[:1].upper() + words[1:]


# --- the week in XP ------------------------------------------------------------------------------------------------

def weekly_of_learner(learner: Learner, language: str | None, names: dict[str, tuple[str, str]]) -> list[list[Any]]:
    track, week = learner.track(language), learner.week
    assert track
    now, before = range(week, week + 7), range(week - 7, week)
    weeks = [week - 7 * back for back in range(11, -1, -1)]
    xp_now, xp_before, days_now, days_before = (
        track.xp_in(now), track.xp_in(before), track.active_in(now), track.active_in(before))
    current, longest, _ = learner.streak(language)
    by_bucket = defaultdict(int)
    for (day, bucket), amount in track.xp.items():
        if day in now:
            by_bucket[bucket] += amount
    practised = track.practice_in(now) + sum(track.lines[d] for d in now) + track.graded_in(now)[0]
    earliest = min((day for day in track.streak.active), default=None)
    level, total = track.level(), track.windows.total.xp
    start, following = learner.rules.levels.start(level) or 0, learner.rules.levels.start(level + 1)
    earlier_xp = [track.xp_in(range(day, day + 7)) for day in weeks[:-1]]
    words_now = sum(track.learned_words[day] for day in now)
    unlocked_now = sorted(
        (-track.unlockings[name].reached[-1], place, name) for place, name in enumerate(names)
        if track.unlockings.get(name) and track.unlockings[name].reached and track.unlocked.get(name) in now)
    kind = (
        "credited" if days_now == 0 and xp_now else "slight" if days_now == 0 and practised
        else "paused" if days_now == 0 and days_before else "quiet" if days_now == 0
        else "first" if earliest is not None and earliest >= week else "achievement" if unlocked_now
        else "level" if start > total - xp_now and level > 1 else "full" if days_now == 7
        else "record" if current >= 3 and current == longest
        else "best" if sum(xp > 0 for xp in earlier_xp) >= 3 and xp_now > max(0, *earlier_xp)
        else "back" if days_before == 0 else "more" if days_now > days_before else "up" if xp_now > xp_before
        else "words" if words_now else "some")
    states = {row[0]: row[2] for row in calendar(learner, track, weeks[0])}
    near = nearest(learner, track, names)
    percent = int(near[0][2]) if near else None
    due = track.words.count_due(learner.as_of)
    left = None if following is None else plain(following - total)
    call = (
        "keep" if states.get(format_day(learner.today)) == "open" and current else "begin" if earliest is None
        else "again" if current == 0 else "near" if near and percent >= 80 else "level" if left is not None and left <= xp_now
        else "due" if due else "tomorrow" if learner.today < learner.last else "day" if days_now < 7 else "on")
    ends = [learner.standing(language, week - 7 * back) or {} for back in range(3)]
    sessions = [end.get("sessions", 0) for end in ends]
    goal = 60_000 * learner.goal if learner.fold.goal_is_set else None
    places = {bucket: place for place, bucket in enumerate(buckets_of(learner.rules))}
    by_day: Rows = []
    for day in now:
        found = sorted((places[b], title(b), a) for (d, b), a in track.xp.items() if d == day and a)
        by_day += [[format_day(day), name, amount] for _, name, amount in found] or [[format_day(day), None, None]]
    unlocked = sorted(
        (track.unlockings[name].reached[-1], place, name) for place, name in enumerate(names)
        if track.unlockings.get(name) and track.unlockings[name].reached and track.unlocked.get(name) in now)
    return [
        ["text", [[kind, xp_now, days_now, xp_now - xp_before, days_now - days_before, days_before, words_now, current, level,
                   names[unlocked_now[0][2]][0] if unlocked_now else None]]],
        ["headline", [[xp_now, xp_before, current, longest, track.practice_in(now), track.practice_in(before),
                       sessions[0] - sessions[1], sessions[1] - sessions[2], level,
                       None if following is None else plain(following - total),
                       None if following is None else level + 1]]],
        ["text", [[call, current, current + 1, due, left, level + 1, days_now, days_now + 1,
                   near[0][0] if near else None, percent]]],
        ["XP by day and source", by_day],
        ["XP by source", [[title(bucket), amount] for bucket, amount in sorted(
            by_bucket.items(), key=lambda item: (-item[1], item[0])) if any(
                d in now and b == bucket and a for (d, b), a in track.xp.items())]],
        ["XP by week", [[format_day(day), track.xp_in(range(day, day + 7))] for day in weeks]],
        ["Day by day", calendar(learner, track, week - 7 * 52)],
        ["Days with the daily goal met",
         [] if goal is None else [[sum(track.practice_in(range(day, day + 1)) >= goal for day in now), 7]]],
        ["Practice by day", [[format_day(day), track.practice_in(range(day, day + 1)), goal] for day in now]],
        ["To the next level", [] if following is None else [[plain(total - start), plain(following - start)]]],
        ["With others, and mistakes repaired", [
            [what, ends[0].get(key, 0) - ends[1].get(key, 0), ends[0].get(key, 0)]
            for what, key in (("Mistakes repaired", "repairs"), ("Help given", "help"), ("Team wins", "wins"))
            if ends[0].get(key, 0) > 0]],
        ["Unlocked this week", [[*names[name], format_day(track.unlocked[name])] for _, _, name in unlocked]],
        ["Nearest achievements", nearest(learner, track, names)],
    ]


def buckets_of(rules: Rules) -> list[str]:
    return list(dict.fromkeys([rule.bucket for rule in rules.xp] + ["adjustment", "achievements"]))


def calendar(learner: Learner, track: ReportTrack, first: int) -> Rows:
    states: dict[int, str] = {}
    if learner.rules.streak and track.streak.active:
        reference = max(learner.today + 1 if learner.is_over else learner.today, max(track.streak.active))
        streak = held = 0
        for day in range(min(track.streak.active), reference + 1):
            if day in track.streak.active:
                streak += 1
                states[day] = "repaired" if day in track.repaired else "active"
                if learner.rules.streak.earn_every and streak % learner.rules.streak.earn_every == 0:
                    held = min(held + 1, learner.rules.streak.hold)
            elif day == reference:
                states[day] = "open"
            elif weekday(day) in learner.rules.streak.rest_days:
                states[day] = "rest"
            elif day in track.streak.frozen or held > 0:
                held -= day not in track.streak.frozen
                states[day] = "frozen"
            else:
                streak, states[day] = 0, "missed"
    return [[format_day(day), track.xp_in(range(day, day + 1)), states.get(day, "before")]
            for day in range(first, learner.today + 1)]


def nearest(learner: Learner, track: ReportTrack, names: dict[str, tuple[str, str]]) -> Rows:
    found = []
    for place, item in enumerate(learner.rules.achievements):
        standing = track.unlockings.get(item.id)
        if standing is None or item.hidden or standing.complete(item):
            continue
        done = standing.progress(item)
        found.append((-done, place, [*names[item.id], plain(100 * done)]))
    return [row for _, _, row in sorted(found)]


class Needs:
    """Why a learner needs their teacher."""

    def __init__(self, learner: Learner, language: str | None) -> None:
        track, week = learner.track(language), learner.week
        assert track
        active = sorted(track.streak.active)
        self.days, self.before = track.active_in(range(week, week + 7)), track.active_in(range(week - 7, week))
        there = bool(active) and active[0] <= week - 28
        counted = [day for back in (7, 14, 21, 28) for day in range(week - back, week - back + learner.today - week + 1)]
        self.usual = sum(day in track.streak.active for day in counted) / 4 if there else None
        this, earlier = [day for day in active if week <= day < week + 7], [day for day in active if day < week]
        self.off = this[0] - earlier[-1] - 1 if this and earlier else None
        by_word: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for day, word, correct in track.outcomes:
            if week - 21 <= day <= week + 6:
                by_word[word].append(correct)
        self.hard = {word: found for word, found in by_word.items() if not all(found) and word in track.words.known}
        self.stuck = {word for word, found in self.hard.items() if found.count(False) >= 3 and not found[-1]}
        streak = learner.streak(language)[0]
        self.reasons = [reason for reason, holds in (
            ("no practice this week", self.before and not self.days),
            ("half their usual days, or fewer", self.usual is not None and self.usual >= 2 and self.days <= self.usual / 2),
            ("stuck on the same words", len(self.stuck) >= 3),
            ("streak ended", self.before and self.days and not streak),
            ("back after a break", self.off is not None and self.off >= 14)) if holds]


ORDER = ["no practice this week", "half their usual days, or fewer", "stuck on the same words", "streak ended", "back after a break"]


def needs_of_all(there: list[tuple[Learner, ReportTrack]], language: str | None) -> tuple[list[list[Any]], int, int]:
    """The exhibits, how many have a need, and how many are at risk."""
    needs = [(learner, track, Needs(learner, language)) for learner, track in there]
    pressing = sorted((item for item in needs if item[2].reasons), key=lambda item: (
        ORDER.index(item[2].reasons[0]), -len(item[2].reasons), item[0].name.encode()))
    words: dict[tuple[str, str], list[Any]] = {}
    for learner, track, need in needs:
        for key, found in need.hard.items():
            word = track.words.known[key]
            row = words.setdefault(key, [[], [], 0, 0, 0])
            row[0].append(name_of(key, word))
            row[1].append(word.details.get("translation") or "")
            row[2], row[3], row[4] = row[2] + 1, row[3] + found.count(False), row[4] + len(found)
    hardest = sorted(((key, row) for key, row in words.items() if row[3] >= 2), key=lambda item: (
        -item[1][2], -item[1][3], item[0][0].encode(), item[0][1].encode()))[:200]

    def among(track: ReportTrack, need: Needs) -> str:
        chosen = sorted(need.stuck, key=lambda key: (-need.hard[key].count(False), key[0].encode(), key[1].encode()))[:5]
        return ", ".join(name_of(key, track.words.known[key]) for key in chosen)
    at_risk = sum("no practice this week" in need.reasons or "streak ended" in need.reasons for _, _, need in needs)
    return [
        ["Who, and why", [[learner.display, learner.name, need.reasons[0], need.days, need.usual,
                           learner.today - max(track.streak.active) if track.streak.active else None]
                          for learner, track, need in pressing]],
        ["Stuck on the same words", [
            [learner.display, learner.name, among(track, need), len(need.stuck)]
            for learner, track, need in sorted(needs, key=lambda item: (-len(item[2].stuck), item[0].name.encode()))
            if "stuck on the same words" in need.reasons]],
        ["Back after a break", [
            [learner.display, learner.name, need.off, need.days]
            for learner, track, need in sorted(needs, key=lambda item: (-(item[2].off or 0), item[0].name.encode()))
            if "back after a break" in need.reasons]],
        ["The words that the class finds hardest", [
            [max(row[0], key=str.encode), max(row[1], key=str.encode) or None, row[2], row[3]]
            for _, row in hardest]],
    ], len(pressing), at_risk


def weekly_of_all(learners: list[Learner], language: str | None, week: int) -> list[list[Any]]:
    now, before = range(week, week + 7), range(week - 7, week)
    there = [(learner, track) for learner in learners if (track := learner.track(language))]
    needing, in_need, at_risk = needs_of_all(there, language)
    ranked = sorted(((learner.week_xp(language), learner, track) for learner, track in there if learner.week_xp(language) > 0),
                    key=lambda item: (-item[0], item[1].name.encode()))
    gains = sorted(((learner.week_xp(language) - track.xp_in(before), learner) for learner, track in there
                    if learner.week_xp(language) > track.xp_in(before)), key=lambda item: (-item[0], item[1].name.encode()))
    return [
        ["headline", [[
            *(sum(track.xp_in(days) for _, track in there) for days in (now, before)),
            *(sum(track.active_in(days) > 0 for _, track in there) for days in (now, before)),
            *(sum(track.practice_in(days) for _, track in there) for days in (now, before)),
            sum(learner.streak(language)[0] > 0 for learner, _ in there), len(there), in_need, at_risk]]],
        *needing,
        ["XP by day", [[format_day(d), sum(track.xp_in(range(d, d + 1)) for _, track in there)] for d in now]],
        ["Active learners by day", [[format_day(d), sum(d in track.streak.active for _, track in there)] for d in now]],
        ["XP of the week per learner", bins([learner.week_xp(language) for learner, _ in there])],
        ["Most XP this week", [
            [1 + sum(other > xp for other, _, _ in ranked), learner.display, learner.name, xp, learner.streak(language)[0], track.level()]
            for xp, learner, track in ranked]],
        ["Improved most", [[learner.display, learner.name, gain, learner.week_xp(language)] for gain, learner in gains]],
    ]


# --- words and mastery ---------------------------------------------------------------------------------------------

def mastery_of_learner(learner: Learner, language: str | None) -> list[list[Any]]:
    track, week = learner.track(language), learner.week
    assert track
    weeks = [week - 7 * back for back in range(11, -1, -1)]
    words, previous = track.words, learner.standing(language, week - 7)
    known, learned, due = words.count_known(), words.count_learned(), words.count_due(learner.as_of)
    more = learned - (previous or {}).get("learned", 0)
    kind = "none" if known == 0 else "grown" if more > 0 else "due" if due else "calm"
    graded = track.graded_in(range(week, week + 7))
    standings = [(day, learner.standing(language, day)) for day in weeks]
    categories: dict[str, int] = defaultdict(int)
    due_days: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for word in words.known.values():
        category = word.details.get("category")
        categories["Without category" if category is None else title(category)] += 1
        due_days[max(local_day(word.due, learner.offset, learner.rules), learner.today)][word.interval >= 21] += 1
    hard = sorted((-(w.reviews - w.correct), w.correct / w.reviews, key[1].encode(), key, w)
                  for key, w in words.known.items() if w.reviews - w.correct >= 2)
    languages = sorted(learner.fold.languages) if language is None else [language]
    log, desired = reviews_of(learner, language, weeks[0]), desired_by(learner.rules)
    return [
        ["text", [[kind, known, learned, more, due]]],
        ["headline", [[known, (previous or {}).get("known"), learned, (previous or {}).get("learned"), words.count_mastered(),
                       (previous or {}).get("mastered"), due, share(graded), graded[0]]]],
        ["Words by mastery", [[format_day(day), *(s["buckets"][b] for b in ("new", "learning", "reviewing", "mastered"))]
                              for day, s in standings if s] if any(s and s["known"] for _, s in standings) else []],
        ["Words by category", [[name, count] for name, count in sorted(
            categories.items(), key=lambda item: (-item[1], item[0].encode()))]],
        ["Hardest words", [[name_of(key, w), w.details.get("translation") or None, w.reviews - w.correct, w.reviews]
                           for _, _, _, key, w in hard]],
        ["Due in the next 30 days", [
            [format_day(day), *due_days[day]] for day in range(learner.today, learner.today + 30)] if words.known else []],
        *remembering(log, desired, weeks),
        *memory(log, list(words.known.values())),
        ["CEFR estimate", [[tag, *found] for tag in languages if (found := learner.cefr(tag))]],
        ["Where the score comes from", None],
    ]


def reviews_of(learner: Learner, language: str | None, first: int) -> list[Review]:
    assert isinstance(learner.fold, ReportFold)
    return [review for review in learner.fold.reviews
            if first <= review.day <= learner.last and language in (None, review.language)]


def name_of(key: tuple[str, str], word: Any) -> str:
    text = word.details.get("text")
    begun = re.fullmatch(re.escape(key[0]) + r"[-_:./](.+)", key[1], re.S) if key[0] else None
    return text or (begun[1] if begun else key[1])


def mastery_of_all(learners: list[Learner], language: str | None, week: int) -> list[list[Any]]:
    weeks = [week - 7 * back for back in range(11, -1, -1)]
    tracks = [track for learner in learners if (track := learner.track(language))]
    levels: dict[tuple[str, str], int] = defaultdict(int)
    for learner in learners:
        for tag in learner.fold.languages:
            if language in (None, tag) and (found := learner.cefr(tag)):
                levels[found[0], tag] += 1

    def graded(days: range) -> float | None:
        counts = [track.graded_in(days) for track in tracks]
        return share([sum(count[place] for count in counts) for place in (0, 1)])

    log = [review for learner in learners for review in reviews_of(learner, language, weeks[0])]
    found, desired = measured(log), desired_by(learners[0].rules) if learners else None

    def total(bucket: str) -> int | None:
        return sum(track.words.buckets()[bucket] for track in tracks) if tracks else None
    return [
        ["headline", [[sum(t.words.count_known() for t in tracks), sum(t.words.count_learned() for t in tracks),
                       sum(t.words.count_mastered() for t in tracks), graded(range(week, week + 7)),
                       graded(range(week - 7, week)), len(tracks)]]],
        ["Words learned per learner", bins([t.words.count_learned() for t in tracks])],
        ["Words by mastery", [[bucket.capitalize(), total(bucket)] for bucket in ("new", "learning", "reviewing", "mastered")]],
        ["CEFR estimates", [[tag, level, count] for (level, tag), count in sorted(levels.items())]],
        ["New and learned words by week", [
            [format_day(day), *(sum(counts[d] for t in tracks for counts in [getattr(t, kind)] for d in range(day, day + 7))
                                for kind in ("new_words", "learned_words"))] for day in weeks]
         if any(t.words.count_known() for t in tracks) else []],
        ["True retention", retention([review for review in log if review.days >= 1], desired)],
        ["Answers", answers(log)],
        ["Correct reviews by week", [[format_day(day), graded(range(day, day + 7))] for day in weeks]],
        ["headline", [[found["predicted"], found["remembered"], found["logLoss"], found["reviews"],
                       "0 is best, 0.693 a guess"]] if found["reviews"] else []],
    ]


# --- command line --------------------------------------------------------------------------------------------------

def reports(store: Store, rules: Rules, names: dict[str, tuple[str, str]], week: int, at: At, language: str | None) -> Any:
    learners = [Learner(name, store.of_learner(name), rules, week, at) for name in store.learners()]
    learners = [learner for learner in learners if learner.fold.overall.folded > 0]
    result: dict[str, Any] = {
        "weekly-xp": {"": weekly_of_all(learners, language, week)}, "mastery": {"": mastery_of_all(learners, language, week)},
    }
    for learner in learners:
        if learner.track(language):
            result["weekly-xp"][learner.name] = weekly_of_learner(learner, language, names)
            result["mastery"][learner.name] = mastery_of_learner(learner, language)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Every number of the two reports, computed the simple way.")
    parser.add_argument("--rules", required=True)
    parser.add_argument("--events", required=True)
    parser.add_argument("--week", required=True, help="the week's first day")
    parser.add_argument("--at", required=True)
    parser.add_argument("--language")
    options = parser.parse_args()
    with open(options.rules, encoding="utf-8") as file:
        raw = yaml.load(file, Loader=yaml.BaseLoader).get("achievements") or []
    def english(text: Any) -> str:
        return text["en"] if isinstance(text, dict) else text
    names = {item["id"]: (english(item.get("name", title(item["id"]))), english(item.get("description", ""))) for item in raw}
    at = At.parse(options.at)
    store = read_store(options.events, at.time + 365 * DAY_MS)
    found = reports(store, load(options.rules), names, parse_date(options.week), at, options.language)
    print(json.dumps(found, ensure_ascii=False, allow_nan=False))


if __name__ == "__main__":
    main()
