# SPDX-License-Identifier: Apache-2.0
"""Progress as of an instant (numbers.md#progress-as-of-an-instant)."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from events import Event
from expressions import Value, number
from fold import Fold
from game_rules import Goal
from goals import Window, acting
from instants import format_day, format_instant, parse_time, week_start
from rules import CEFR_LEVELS, Achievement, Rules
from track import Track
from unlocking import Unlocking
from versions import Versions
from words import Word


@dataclass(frozen=True)
class At:
    """The instant of a reading, with its zone as written."""

    time: int
    offset: str

    @staticmethod
    def parse(written: str) -> "At":
        return At(*parse_time(written))


def plain(value: float) -> int | float:
    """A number as in JSON: a whole number has no fraction."""
    return int(value) if value == int(value) and abs(value) < 2 ** 53 else value


def fold_until(learner: str, events: list[Event], versions: Versions, at: At) -> Fold:
    """Folds the events up to an instant. A learner without events is read under the version of the instant."""
    fold = Fold(versions, learner).run([event for event in events if event.time <= at.time])
    while fold.overall.folded == 0 and fold.version < versions.at(at.time, at.offset, None):
        fold.go_over(at.time, versions.day_at(fold.version + 1, at.time, at.offset, None))
    fold.games.refill(at.time)
    return fold


def all_tracks(learner: str, events: list[Event], versions: Versions, at: At) -> dict[str, Any]:
    """Every track's progress: `*` is the overall one."""
    fold = fold_until(learner, events, versions, at)
    result = {"*": track_progress(learner, fold, fold.overall, at)}
    for language in sorted(fold.languages):
        result[language] = track_progress(learner, fold, fold.languages[language], at)
    return result


def track_progress(learner: str, fold: Fold, track: Track, at: At) -> dict[str, Any]:
    today = fold.versions.day_at(fold.version, at.time, at.offset, track.latest)
    profile, seen = fold.games.profile, track.as_of(today)
    return {
        "userId": learner,
        "language": track.language,
        "displayName": profile.get("displayName"),
        "dailyGoalMinutes": profile.get("dailyGoalMinutes", 15),
        **_streak(track, today),
        **_xp(track, today),
        **_vocabulary(track, at),
        **_sessions(track, today),
        "successfulRepairs": track.tallies["repairs"],
        "helpGiven": track.tallies["help"],
        "teamWins": track.tallies["wins"],
        **_cefr(track),
        "metrics": {m.name: plain(track.windows.total.value(m.name)) for m in track.rules.metrics},
        **{name: _window(seen, name) for name in ("day", "week", "season") if name != "season" or track.rules.seasons},
        "achievements": _achievements(fold, track, at),
        "events": track.folded,
        **(_games(seen) if track is fold.overall else {}),
        **_flags(fold, track),
        **_version(fold),
    }


def _window(seen: Track, name: str) -> dict[str, Any]:
    """XP and the metrics that an expression reads in a window."""
    shown = ["xp"] + [m.name for m in seen.rules.metrics if f"{name}.{m.name}" in seen.rules.named]
    return {metric: plain(seen.windows.value(name, metric)) for metric in shown}


def _games(seen: Track) -> dict[str, Any]:
    """The sections of games, as far as the rules have them."""
    rules, purse = seen.rules, seen.games.purse
    sections: list[tuple[Any, dict[str, Any]]] = [
        (rules.experiments, {"experiments": seen.games.experiments(seen.day)}),
        (rules.currencies, {
            "balances": purse.balances,
            "nextRefillAt": {name: format_instant(time) for name, time in purse.next_refills().items()},
        }),
        (rules.items, {"items": purse.bought}),
        (rules.goals, {"goals": [
            listed for goal, now in acting(rules, seen.games.learner, seen.day) if (listed := _goal(seen, goal, now))
        ]}),
    ]
    return {name: value for section, members in sections if section for name, value in members.items()}


def _flags(fold: Fold, track: Track) -> dict[str, int]:
    """The flagged events and their XP, if the learner's version has limits, or an earlier version flagged an event."""
    if not fold.rules.limits and fold.overall.flagged_events == 0:
        return {}
    return {"flaggedEvents": track.flagged_events, "flaggedXP": track.flagged_xp}


def _goal(seen: Track, goal: Goal, now: Window) -> dict[str, Any] | None:
    """A goal in the window of the reading; none without a target above 0."""
    def look(name: str) -> Value:
        if name in ("local.date", "local.day"):
            return format_day(seen.day) if name == "local.date" else float(seen.day)
        return seen.value(name)
    standing = seen.games.goals[goal.id]
    value, target, completed_at = number(goal.value, look) or 0.0, number(goal.target, look), standing.completed_at(now)
    if target is None or target <= 0:
        return None
    progress = 1.0 if completed_at is not None else max(0.0, min(1.0, value / target))
    return {
        "id": goal.id, "name": goal.name, "every": goal.every, "value": plain(value),
        "target": plain(target), "progress": plain(progress),
        "completedAt": None if completed_at is None else format_instant(completed_at), "times": len(standing.completions),
    }


def _version(fold: Fold) -> dict[str, Any]:
    """The version of the learner, if there are several."""
    if len(fold.versions.all) == 1:
        return {}
    since = fold.versions.all[fold.version].since
    return {"rules": {"name": fold.rules.name, "from": None if since is None else format_day(since)}}


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
    level = track.level()
    following = track.rules.levels.start(level + 1)
    return {
        "totalXP": xp,
        "todayXP": sum(amount for day, amount in track.credits if day == today),
        "xpToNextLevel": None if following is None else math.ceil(following - xp),
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
    solo = sum(session.mode in (None, "solo") for session in track.sessions)
    return {
        "todayMinutes": sum(duration for day, duration in track.minutes if day == today) // 60_000,
        "totalSessions": len(track.sessions),
        "totalMinutesPlayed": sum(duration for _, duration in track.minutes) // 60_000,
        "soloSessions": solo,
        "multiplayerSessions": len(track.sessions) - solo,
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


def _achievements(fold: Fold, track: Track, at: At) -> list[dict[str, Any]]:
    """The track's achievements, then, locked, those that only a later version in force at the instant has."""
    ours = track.rules.achievements_of(track.language)
    later = fold.versions.at(at.time, at.offset, track.latest)
    others = fold.versions[max(later, fold.version)].achievements_of(track.language)
    known = {achievement.id for achievement in ours}
    standings = [(a, track.unlockings[a.id]) for a in ours]
    standings += [(a, Unlocking()) for a in others if a.id not in known]
    return [_achievement(a, standing) for a, standing in standings if not a.hidden or standing.tier(a) > 0]


def _achievement(achievement: Achievement, standing: Unlocking) -> dict[str, Any]:
    unlocked_at = standing.unlocked_at(achievement)
    return {
        "id": achievement.id, "tier": standing.tier(achievement), "tiers": len(achievement.thresholds),
        "unlockedAt": None if unlocked_at is None else format_instant(unlocked_at),
        "progress": plain(standing.progress(achievement)),
    }


def words_of(learner_events: list[Event], versions: Versions, at: At) -> list[dict[str, Any]]:
    """A learner's words of all languages with their schedule, by language and word."""
    fold = fold_until("", learner_events, versions, at)
    known = fold.overall.words.known
    keys = sorted(known, key=lambda key: (key[0].encode(), key[1].encode()))
    return [_word(key, known[key], fold.rules, at) for key in keys]


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
