# SPDX-License-Identifier: Apache-2.0
"""The content of reports: a learner as of the end of a week, and the changes of each day."""
from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import fold
import track as tracks
from events import Event
from instants import DAY_MS, numeric_offset, parse_date, week_start, zone_offset
from progress import At, plain
from remembering import Review
from rules import CEFR_LEVELS, Rules
from versions import Versions, local_day, local_offset
from words import days_since

# --- the changes in the fold, day by day ---------------------------------------------------------------------------

class ReportTrack(tracks.Track):
    """A track that notes the day of every change."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
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
        """The numbers of reports at a week's end."""
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

    def estimated_in(self, days: range) -> float:
        """The practice in milliseconds: of each day as told, or 6 s a line and 4 s a review if that is more."""
        told: dict[int, int] = defaultdict(int)
        for day, duration in self.minutes:
            told[day] += duration
        return sum(max(told[day], 6000 * self.lines.get(day, 0) + 4000 * self.graded[day][0]) for day in days)

    def graded_in(self, days: range) -> list[int]:
        """The number of reviews, and of correct ones."""
        return [sum(counts[place] for day, counts in self.graded.items() if day in days) for place in (0, 1)]


class ReportFold(fold.Fold):
    """A fold that keeps every track as it stood at the end of each week."""

    def __init__(self, rules: Rules, learner: str) -> None:
        super().__init__(Versions(rules), learner)
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
            self.languages[event.language] = ReportTrack(self.versions, self.version, event.language, self.games)
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
        days = days_since(word, mastery, event.time, day)
        recall = None
        curve = self.overall.words.curve(key[0])
        if word and word.stability is not None and days >= 1 and curve:
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
    """The last millisecond at which the learner's clock showed a day of the week, and its offset; `at` if it is earlier.

    From each event on, the clock has the event's zone, else its offset. Before the first event, it is the rules' clock.
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
        self.fold = ReportFold(rules, name).run([event for event in events if event.time <= self.as_of])
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
        self.display = self.fold.games.profile.get("displayName") or name
        self.goal = self.fold.games.profile.get("dailyGoalMinutes", 15)

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
        """The estimate, the score, the next band, its start, and the percent of the way."""
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


def name_of(key: tuple[str, str], word: Any) -> str:
    text = word.details.get("text")
    begun = re.fullmatch(re.escape(key[0]) + r"[-_:./](.+)", key[1], re.S) if key[0] else None
    return text or (begun[1] if begun else key[1])
