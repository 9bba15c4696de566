"""Progress as of an instant (section 8)."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from events import Event
from fold import Fold, Track, local_day
from instants import format_day, format_instant, numeric_offset, parse_time, week_start, zone_offset
from rules import CEFR_LEVELS, Achievement, Rules
from words import Word


@dataclass(frozen=True)
class At:
    """An instant to read as of, with its zone as written."""

    time: int
    offset: str

    @staticmethod
    def parse(written: str) -> "At":
        return At(*parse_time(written))


def plain(value: float) -> int | float:
    """A number as JSON shows it: whole ones without a fraction."""
    return int(value) if value == int(value) and abs(value) < 2 ** 53 else value


def fold_until(events: list[Event], rules: Rules, at: At) -> Fold:
    return Fold(rules).run([event for event in events if event.time <= at.time])


def all_tracks(learner: str, events: list[Event], rules: Rules, at: At) -> dict[str, Any]:
    """Every track's progress: `*` is the overall one."""
    fold = fold_until(events, rules, at)
    result = {"*": track_progress(learner, fold, fold.overall, at)}
    for language in sorted(fold.languages):
        result[language] = track_progress(learner, fold, fold.languages[language], at)
    return result


def track_progress(learner: str, fold: Fold, track: Track, at: At) -> dict[str, Any]:
    today = _today(track, at)
    return {
        "userId": learner,
        "language": track.language,
        "displayName": fold.profile.get("displayName"),
        "dailyGoalMinutes": fold.profile.get("dailyGoalMinutes", 15),
        **_streak(track, today),
        **_xp(track, today),
        **_vocabulary(track, at),
        **_sessions(track, today),
        "successfulRepairs": track.tallies["repairs"],
        "helpGiven": track.tallies["help"],
        "teamWins": track.tallies["wins"],
        **_cefr(track),
        "metrics": {m.name: plain(track.windows.total.value(m.name)) for m in track.rules.metrics},
        "achievements": _achievements(track),
        "events": track.folded,
    }


def _today(track: Track, at: At) -> int:
    """The local day of the instant: by its own offset, else the latest event's, else the default zone's."""
    offset = numeric_offset(at.offset)
    if offset is None:
        offset = track.last_offset
    if offset is None:
        offset = zone_offset(track.rules.timezone, at.time)
    return local_day(at.time, offset, track.rules)


def _streak(track: Track, today: int) -> dict[str, Any]:
    current, longest, held = track.streak_at(today)
    latest = max(track.streak.active) if track.rules.streak and track.streak.active else None
    return {
        "currentStreak": current, "longestStreak": longest, "streakFreezes": held,
        "lastActivityDate": None if latest is None else format_day(latest),
    }


def _xp(track: Track, today: int) -> dict[str, Any]:
    xp, starts_on = track.windows.total.xp, track.rules.week_starts_on
    week = week_start(today, starts_on)
    return {
        "totalXP": xp,
        "weeklyXP": sum(amount for day, amount in track.credits if week_start(day, starts_on) == week),
        "xpBreakdown": {bucket: amount for bucket, amount in sorted(track.buckets.items()) if amount != 0},
        "currentLevel": track.level(),
        "levelProgressPercent": plain(track.rules.levels.percent(xp)),
    }


def _vocabulary(track: Track, at: At) -> dict[str, Any]:
    known, learned = track.words.count_known(), track.words.count_learned()
    return {
        "totalWordsKnown": known, "totalWordsLearned": learned, "wordsDueForReview": track.words.count_due(at.time),
        "vocabulary": track.words.buckets(),
        "vocabularyMasteryPercent": plain(100 * learned / known) if known else 0,
    }


def _sessions(track: Track, today: int) -> dict[str, Any]:
    solo = sum(practice.mode in (None, "solo") for practice in track.practices)
    return {
        "todayMinutes": sum(p.duration for p in track.practices if p.day == today) // 60_000,
        "totalSessions": len(track.practices),
        "totalMinutesPlayed": sum(practice.duration for practice in track.practices) // 60_000,
        "soloSessions": solo,
        "multiplayerSessions": len(track.practices) - solo,
    }


def _cefr(track: Track) -> dict[str, Any]:
    if track.language is None or track.rules.cefr_score is None:
        return {"estimatedCEFR": None, "cefrProgressPercent": None}
    bands = track.rules.bands
    score = track.rules.cefr_score(track.value) or 0.0
    assert isinstance(score, float)
    if track.declared_level is not None:
        score += bands[track.declared_level]
    reached = max((i for i, name in enumerate(CEFR_LEVELS) if bands[name] <= score), default=0)
    return {"estimatedCEFR": CEFR_LEVELS[reached], "cefrProgressPercent": plain(_band_percent(bands, reached, score))}


def _band_percent(bands: dict[str, float], reached: int, score: float) -> float:
    if reached == len(CEFR_LEVELS) - 1:
        return 100.0
    start, following = bands[CEFR_LEVELS[reached]], bands[CEFR_LEVELS[reached + 1]]
    return max(0.0, 100 * (score - start) / (following - start))


def _achievements(track: Track) -> list[dict[str, Any]]:
    ours = [a for a in track.rules.achievements if a.id in track.unlockings]
    return [_achievement(track, a) for a in ours if not a.hidden or track.unlockings[a.id].tier > 0]


def _achievement(track: Track, achievement: Achievement) -> dict[str, Any]:
    standing = track.unlockings[achievement.id]
    tiers = len(achievement.thresholds)
    progress = 1.0
    if standing.tier < tiers:
        progress = max(0.0, min(1.0, standing.best / achievement.thresholds[standing.tier]))
    return {
        "id": achievement.id, "tier": standing.tier, "tiers": tiers,
        "unlockedAt": None if standing.unlocked_at is None else format_instant(standing.unlocked_at),
        "progress": plain(progress),
    }


def words_of(learner_events: list[Event], rules: Rules, at: At) -> list[dict[str, Any]]:
    """A learner's words of all languages with their schedule, by language and word."""
    words = fold_until(learner_events, rules, at).overall.words
    keys = sorted(words.known, key=lambda key: (key[0].encode(), key[1].encode()))
    return [_word(key, words.known[key], rules, at) for key in keys]


def _word(key: tuple[str, str], word: Word, rules: Rules, at: At) -> dict[str, Any]:
    if rules.mastery.scheduler == "fsrs":
        schedule = {"stability": word.stability, "difficulty": word.difficulty}
    else:
        schedule = {"easeFactor": word.ease}
    return {
        "word": key[1], "language": key[0], "mastery": word.mastery, "reviews": word.reviews,
        "correct": word.correct, "intervalDays": word.interval, **schedule,
        "nextReviewAt": format_instant(word.due), "learned": word.learned(rules.mastery), "due": word.due <= at.time,
    }
