# SPDX-License-Identifier: Apache-2.0
"""A constructor for each type of the catalogue. Made by Clients/generate; a type of your own is `Event("quest.finished", {…})`."""
from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Sequence

from ._event import Event, made

#: What the service checks, by type.
CATALOGUE: dict[str, dict[str, Any]] = {
    "learner.updated": {
        "needs": [],
        "fields": {
            "displayName": {"type": "text", "is": "text"},
            "nativeLanguage": {"type": "text", "is": "text"},
            "dailyGoalMinutes": {"type": "number", "is": "a whole number from 1 to 1440", "whole": True, "least": 1, "most": 1440},
            "cohort": {"type": "text", "is": "text"},
            "leaderboard": {"type": "boolean", "is": "true or false"},
            "leagues": {"type": "boolean", "is": "true or false"},
        },
    },
    "level.declared": {
        "needs": ["language"],
        "fields": {
            "level": {"type": "text", "is": "A1, A2, B1, B2, C1 or C2", "required": True, "oneOf": ["A1", "A2", "B1", "B2", "C1", "C2"]},
        },
    },
    "session.started": {
        "needs": [],
        "fields": {
            "mode": {"type": "text", "is": "solo, host or client", "oneOf": ["solo", "host", "client"]},
            "scenario": {"type": "text", "is": "text"},
            "role": {"type": "text", "is": "text"},
            "partner": {"type": "text", "is": "text"},
            "kind": {"type": "text", "is": "text"},
        },
    },
    "session.ended": {
        "needs": [],
        "fields": {
            "durationMs": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "mode": {"type": "text", "is": "solo, host or client", "oneOf": ["solo", "host", "client"]},
            "scenario": {"type": "text", "is": "text"},
            "partner": {"type": "text", "is": "text"},
        },
    },
    "session.discarded": {
        "needs": ["session"],
        "fields": {
        },
    },
    "line.spoken": {
        "needs": [],
        "fields": {
            "line": {"type": "text", "is": "text"},
            "text": {"type": "text", "is": "text"},
            "translation": {"type": "text", "is": "text"},
            "role": {"type": "text", "is": "text"},
            "accuracy": {"type": "number", "is": "a number from 0 to 1", "least": 0, "most": 1},
            "errors": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "words": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "durationMs": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
        },
    },
    "line.skipped": {
        "needs": [],
        "fields": {
            "line": {"type": "text", "is": "text"},
        },
    },
    "word.added": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
            "text": {"type": "text", "is": "text"},
            "translation": {"type": "text", "is": "text"},
            "partOfSpeech": {"type": "text", "is": "text"},
            "category": {"type": "text", "is": "text"},
            "tags": {"type": "textList", "is": "a list of text"},
            "origin": {"type": "text", "is": "text"},
        },
    },
    "word.updated": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
            "text": {"type": "text", "is": "text"},
            "translation": {"type": "text", "is": "text"},
            "partOfSpeech": {"type": "text", "is": "text"},
            "category": {"type": "text", "is": "text"},
            "tags": {"type": "textList", "is": "a list of text"},
            "origin": {"type": "text", "is": "text"},
        },
    },
    "word.removed": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
        },
    },
    "word.encountered": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
            "count": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "category": {"type": "text", "is": "text"},
        },
    },
    "word.learned": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
        },
    },
    "word.unlearned": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
        },
    },
    "word.imported": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
            "masteryLevel": {"type": "number", "is": "a whole number from 0 to 5", "whole": True, "least": 0, "most": 5},
            "easeFactor": {"type": "number", "is": "a number, 1.3 or more", "least": 1.3},
            "intervalDays": {"type": "number", "is": "a whole number from 1 to 36500", "whole": True, "least": 1, "most": 36500},
            "stability": {"type": "number", "is": "a number greater than 0", "above": 0},
            "difficulty": {"type": "number", "is": "a number from 1 to 10", "least": 1, "most": 10},
            "nextReviewAt": {"type": "instant", "is": "an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"},
            "lastReviewedAt": {"type": "instant", "is": "an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"},
            "totalReviews": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "correctReviews": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "text": {"type": "text", "is": "text"},
            "translation": {"type": "text", "is": "text"},
            "partOfSpeech": {"type": "text", "is": "text"},
            "category": {"type": "text", "is": "text"},
            "tags": {"type": "textList", "is": "a list of text"},
            "origin": {"type": "text", "is": "text"},
        },
    },
    "review.graded": {
        "needs": [],
        "fields": {
            "word": {"type": "text", "is": "text", "required": True},
            "grade": {"type": "text", "is": "again, hard, good or easy", "required": True, "oneOf": ["again", "hard", "good", "easy"]},
            "durationMs": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "mode": {"type": "text", "is": "text"},
        },
    },
    "error.detected": {
        "needs": [],
        "fields": {
            "kind": {"type": "text", "is": "text"},
            "original": {"type": "text", "is": "text"},
            "corrected": {"type": "text", "is": "text"},
            "line": {"type": "text", "is": "text"},
        },
    },
    "error.corrected": {
        "needs": [],
        "fields": {
            "kind": {"type": "text", "is": "text"},
            "line": {"type": "text", "is": "text"},
        },
    },
    "repair.made": {
        "needs": [],
        "fields": {
            "helped": {"type": "boolean", "is": "true or false"},
            "line": {"type": "text", "is": "text"},
            "partner": {"type": "text", "is": "text"},
        },
    },
    "help.given": {
        "needs": [],
        "fields": {
            "to": {"type": "text", "is": "text"},
            "line": {"type": "text", "is": "text"},
        },
    },
    "hint.used": {
        "needs": [],
        "fields": {
            "level": {"type": "text", "is": "text"},
        },
    },
    "scenario.completed": {
        "needs": [],
        "fields": {
            "scenario": {"type": "text", "is": "text", "required": True},
            "errors": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
        },
    },
    "team.won": {
        "needs": [],
        "fields": {
            "partner": {"type": "text", "is": "text"},
        },
    },
    "object.scanned": {
        "needs": [],
        "fields": {
            "label": {"type": "text", "is": "text", "required": True},
            "confidence": {"type": "number", "is": "a number from 0 to 1", "least": 0, "most": 1},
        },
    },
    "conversation.ended": {
        "needs": [],
        "fields": {
            "character": {"type": "text", "is": "text"},
            "messages": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "durationMs": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "wordsUsed": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "grammarErrors": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
            "averageResponseMs": {"type": "number", "is": "a whole number, 0 or more", "whole": True, "least": 0, "most": 9007199254740992},
        },
    },
    "streak.repaired": {
        "needs": [],
        "fields": {
            "date": {"type": "date", "is": "a date that exists, as YYYY-MM-DD", "required": True},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "streak.frozen": {
        "needs": [],
        "fields": {
            "date": {"type": "date", "is": "a date that exists, as YYYY-MM-DD", "required": True},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "streak.paused": {
        "needs": [],
        "span": {"from": "from", "mostDays": 366, "through": "through"},
        "fields": {
            "from": {"type": "date", "is": "a date that exists, as YYYY-MM-DD", "required": True},
            "through": {"type": "date", "is": "a date that exists, as YYYY-MM-DD", "required": True},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "freeze.granted": {
        "needs": [],
        "fields": {
            "count": {"type": "number", "is": "a whole number from 1 to 100", "whole": True, "least": 1, "most": 100},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "xp.adjusted": {
        "needs": [],
        "fields": {
            "amount": {"type": "number", "is": "a whole number", "required": True, "whole": True, "least": -9007199254740992, "most": 9007199254740992},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "xp.declared": {
        "needs": [],
        "fields": {
            "total": {"type": "number", "is": "a whole number, 0 or more", "required": True, "whole": True, "least": 0, "most": 9007199254740992},
        },
    },
    "currency.adjusted": {
        "needs": [],
        "fields": {
            "currency": {"type": "text", "is": "text", "required": True},
            "amount": {"type": "number", "is": "a whole number from -1000000000000 to 1000000000000", "required": True, "whole": True, "least": -1000000000000, "most": 1000000000000},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "item.bought": {
        "needs": [],
        "fields": {
            "item": {"type": "text", "is": "text", "required": True},
            "count": {"type": "number", "is": "a whole number from 1 to 1000", "whole": True, "least": 1, "most": 1000},
        },
    },
    "achievement.granted": {
        "needs": [],
        "fields": {
            "achievement": {"type": "text", "is": "text", "required": True},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "achievement.revoked": {
        "needs": [],
        "fields": {
            "achievement": {"type": "text", "is": "text", "required": True},
            "reason": {"type": "text", "is": "text"},
        },
    },
    "group.joined": {
        "needs": [],
        "fields": {
            "group": {"type": "text", "is": "text", "required": True},
            "kind": {"type": "text", "is": "text"},
        },
    },
    "group.left": {
        "needs": [],
        "fields": {
            "group": {"type": "text", "is": "text", "required": True},
        },
    },
    "league.finished": {
        "needs": [],
        "fields": {
            "league": {"type": "text", "is": "text", "required": True},
            "week": {"type": "text", "is": "text", "required": True},
            "tier": {"type": "text", "is": "text", "required": True},
            "room": {"type": "number", "is": "a whole number", "whole": True, "least": -9007199254740992, "most": 9007199254740992},
            "rank": {"type": "number", "is": "a whole number", "whole": True, "least": -9007199254740992, "most": 9007199254740992},
            "of": {"type": "number", "is": "a whole number", "whole": True, "least": -9007199254740992, "most": 9007199254740992},
            "xp": {"type": "number", "is": "a number", "required": True},
            "outcome": {"type": "text", "is": "promoted, stayed or demoted", "required": True, "oneOf": ["promoted", "stayed", "demoted"]},
            "next": {"type": "text", "is": "text", "required": True},
        },
    },
    "flag.cleared": {
        "needs": [],
        "fields": {
            "source": {"type": "text", "is": "text", "required": True},
            "id": {"type": "text", "is": "text", "required": True},
        },
    },
    "scheduler.fitted": {
        "needs": [],
        "fields": {
            "parameters": {"type": "numberList", "is": "a list of 21 numbers, each within its bounds", "required": True, "bounds": [[0.001, 100.0], [0.001, 100.0], [0.001, 100.0], [0.001, 100.0], [1.0, 10.0], [0.001, 4.0], [0.001, 4.0], [0.001, 0.75], [0.0, 4.5], [0.0, 0.8], [0.001, 3.5], [0.001, 5.0], [0.001, 0.25], [0.001, 0.9], [0.0, 4.0], [0.0, 1.0], [1.0, 6.0], [0.0, 2.0], [0.0, 2.0], [0.0, 0.8], [0.1, 0.8]]},
            "reviews": {"type": "number", "is": "a whole number, 0 or more", "required": True, "whole": True, "least": 0, "most": 9007199254740992},
            "logLoss": {"type": "number", "is": "a number", "required": True},
        },
    },
    "event.retracted": {
        "needs": [],
        "fields": {
            "source": {"type": "text", "is": "text", "required": True},
            "id": {"type": "text", "is": "text", "required": True},
        },
    },
}


def learner_updated(
    *,
    display_name: str | None = None,
    native_language: str | None = None,
    daily_goal_minutes: int | None = None,
    cohort: str | None = None,
    leaderboard: bool | None = None,
    leagues: bool | None = None,
) -> Event:
    """`learner.updated`: The learner's profile. For each property, the latest value counts.

    display_name: Text.
    native_language: Text.
    daily_goal_minutes: A whole number from 1 to 1440.
    cohort: Text; only administrators may send it.
    leaderboard: True or false.
    leagues: True or false.
    """
    return made("learner.updated", {"displayName": display_name, "nativeLanguage": native_language, "dailyGoalMinutes": daily_goal_minutes, "cohort": cohort, "leaderboard": leaderboard, "leagues": leagues})


def level_declared(
    *,
    level: Literal["A1", "A2", "B1", "B2", "C1", "C2"],
) -> Event:
    """`level.declared`: The CEFR level at which a learner starts. Needs a language. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `level.declared`.

    level: A1, A2, B1, B2, C1 or C2.
    """
    return made("level.declared", {"level": level})


def session_started(
    *,
    mode: Literal["solo", "host", "client"] | None = None,
    scenario: str | None = None,
    role: str | None = None,
    partner: str | None = None,
    kind: str | None = None,
) -> Event:
    """`session.started`: A practice session begins.

    mode: Solo, host or client.
    scenario: Text.
    role: Text.
    partner: Text.
    kind: Text.
    """
    return made("session.started", {"mode": mode, "scenario": scenario, "role": role, "partner": partner, "kind": kind})


def session_ended(
    *,
    duration_ms: int | None = None,
    mode: Literal["solo", "host", "client"] | None = None,
    scenario: str | None = None,
    partner: str | None = None,
) -> Event:
    """`session.ended`: A practice session ends. Absent fields are taken from its session.started.

    duration_ms: A whole number, 0 or more.
    mode: Solo, host or client.
    scenario: Text.
    partner: Text.
    """
    return made("session.ended", {"durationMs": duration_ms, "mode": mode, "scenario": scenario, "partner": partner})


def session_discarded() -> Event:
    """`session.discarded`: A session is discarded: its events have no effect. Needs a session."""
    return made("session.discarded", {})


def line_spoken(
    *,
    line: str | None = None,
    text: str | None = None,
    translation: str | None = None,
    role: str | None = None,
    accuracy: float | None = None,
    errors: int | None = None,
    words: int | None = None,
    duration_ms: int | None = None,
) -> Event:
    """`line.spoken`: A line of a dialog was spoken.

    line: Text.
    text: Text.
    translation: Text.
    role: Text.
    accuracy: A number from 0 to 1.
    errors: A whole number, 0 or more.
    words: A whole number, 0 or more.
    duration_ms: A whole number, 0 or more.
    """
    return made("line.spoken", {"line": line, "text": text, "translation": translation, "role": role, "accuracy": accuracy, "errors": errors, "words": words, "durationMs": duration_ms})


def line_skipped(
    *,
    line: str | None = None,
) -> Event:
    """`line.skipped`: A line of a dialog was skipped.

    line: Text.
    """
    return made("line.skipped", {"line": line})


def word_added(
    *,
    word: str,
    text: str | None = None,
    translation: str | None = None,
    part_of_speech: str | None = None,
    category: str | None = None,
    tags: Sequence[str] | None = None,
    origin: str | None = None,
) -> Event:
    """`word.added`: A word was added to the vocabulary.

    word: Text.
    text: Text.
    translation: Text.
    part_of_speech: Text.
    category: Text.
    tags: A list of text.
    origin: Text.
    """
    return made("word.added", {"word": word, "text": text, "translation": translation, "partOfSpeech": part_of_speech, "category": category, "tags": tags, "origin": origin})


def word_updated(
    *,
    word: str,
    text: str | None = None,
    translation: str | None = None,
    part_of_speech: str | None = None,
    category: str | None = None,
    tags: Sequence[str] | None = None,
    origin: str | None = None,
) -> Event:
    """`word.updated`: A word's details changed.

    word: Text.
    text: Text.
    translation: Text.
    part_of_speech: Text.
    category: Text.
    tags: A list of text.
    origin: Text.
    """
    return made("word.updated", {"word": word, "text": text, "translation": translation, "partOfSpeech": part_of_speech, "category": category, "tags": tags, "origin": origin})


def word_removed(
    *,
    word: str,
) -> Event:
    """`word.removed`: A word was removed. If it is added again, it starts as a new word.

    word: Text.
    """
    return made("word.removed", {"word": word})


def word_encountered(
    *,
    word: str,
    count: int | None = None,
    category: str | None = None,
) -> Event:
    """`word.encountered`: The learner encountered a word.

    word: Text.
    count: A whole number, 0 or more; 1 where absent.
    category: Text.
    """
    return made("word.encountered", {"word": word, "count": count, "category": category})


def word_learned(
    *,
    word: str,
) -> Event:
    """`word.learned`: The learner says that the word is learned.

    word: Text.
    """
    return made("word.learned", {"word": word})


def word_unlearned(
    *,
    word: str,
) -> Event:
    """`word.unlearned`: The learner cancels a word.learned.

    word: Text.
    """
    return made("word.unlearned", {"word": word})


def word_imported(
    *,
    word: str,
    mastery_level: int | None = None,
    ease_factor: float | None = None,
    interval_days: int | None = None,
    stability: float | None = None,
    difficulty: float | None = None,
    next_review_at: datetime | str | None = None,
    last_reviewed_at: datetime | str | None = None,
    total_reviews: int | None = None,
    correct_reviews: int | None = None,
    text: str | None = None,
    translation: str | None = None,
    part_of_speech: str | None = None,
    category: str | None = None,
    tags: Sequence[str] | None = None,
    origin: str | None = None,
) -> Event:
    """`word.imported`: A word was imported, with its review schedule.

    word: Text.
    mastery_level: A whole number from 0 to 5.
    ease_factor: A number, 1.3 or more.
    interval_days: A whole number from 1 to 36500.
    stability: A number greater than 0.
    difficulty: A number from 1 to 10.
    next_review_at: An RFC 3339 time, such as 2026-02-05T18:00:00+01:00.
    last_reviewed_at: An RFC 3339 time, such as 2026-02-05T18:00:00+01:00.
    total_reviews: A whole number, 0 or more.
    correct_reviews: A whole number, 0 or more.
    text: Text.
    translation: Text.
    part_of_speech: Text.
    category: Text.
    tags: A list of text.
    origin: Text.
    """
    return made("word.imported", {"word": word, "masteryLevel": mastery_level, "easeFactor": ease_factor, "intervalDays": interval_days, "stability": stability, "difficulty": difficulty, "nextReviewAt": next_review_at, "lastReviewedAt": last_reviewed_at, "totalReviews": total_reviews, "correctReviews": correct_reviews, "text": text, "translation": translation, "partOfSpeech": part_of_speech, "category": category, "tags": tags, "origin": origin})


def review_graded(
    *,
    word: str,
    grade: Literal["again", "hard", "good", "easy"],
    duration_ms: int | None = None,
    mode: str | None = None,
) -> Event:
    """`review.graded`: A review of a word was graded.

    word: Text.
    grade: Again, hard, good or easy.
    duration_ms: A whole number, 0 or more.
    mode: Text.
    """
    return made("review.graded", {"word": word, "grade": grade, "durationMs": duration_ms, "mode": mode})


def error_detected(
    *,
    kind: str | None = None,
    original: str | None = None,
    corrected: str | None = None,
    line: str | None = None,
) -> Event:
    """`error.detected`: An error was detected.

    kind: Text.
    original: Text.
    corrected: Text.
    line: Text.
    """
    return made("error.detected", {"kind": kind, "original": original, "corrected": corrected, "line": line})


def error_corrected(
    *,
    kind: str | None = None,
    line: str | None = None,
) -> Event:
    """`error.corrected`: An error was corrected.

    kind: Text.
    line: Text.
    """
    return made("error.corrected", {"kind": kind, "line": line})


def repair_made(
    *,
    helped: bool | None = None,
    line: str | None = None,
    partner: str | None = None,
) -> Event:
    """`repair.made`: A misunderstanding was repaired.

    helped: True or false; True where absent.
    line: Text.
    partner: Text.
    """
    return made("repair.made", {"helped": helped, "line": line, "partner": partner})


def help_given(
    *,
    to: str | None = None,
    line: str | None = None,
) -> Event:
    """`help.given`: The learner helped another learner.

    to: Text.
    line: Text.
    """
    return made("help.given", {"to": to, "line": line})


def hint_used(
    *,
    level: str | None = None,
) -> Event:
    """`hint.used`: A hint was used.

    level: Text.
    """
    return made("hint.used", {"level": level})


def scenario_completed(
    *,
    scenario: str,
    errors: int | None = None,
) -> Event:
    """`scenario.completed`: A scenario was completed.

    scenario: Text.
    errors: A whole number, 0 or more.
    """
    return made("scenario.completed", {"scenario": scenario, "errors": errors})


def team_won(
    *,
    partner: str | None = None,
) -> Event:
    """`team.won`: A team won together.

    partner: Text.
    """
    return made("team.won", {"partner": partner})


def object_scanned(
    *,
    label: str,
    confidence: float | None = None,
) -> Event:
    """`object.scanned`: An object in the room was recognised.

    label: Text.
    confidence: A number from 0 to 1.
    """
    return made("object.scanned", {"label": label, "confidence": confidence})


def conversation_ended(
    *,
    character: str | None = None,
    messages: int | None = None,
    duration_ms: int | None = None,
    words_used: int | None = None,
    grammar_errors: int | None = None,
    average_response_ms: int | None = None,
) -> Event:
    """`conversation.ended`: A conversation with a character ended.

    character: Text.
    messages: A whole number, 0 or more.
    duration_ms: A whole number, 0 or more.
    words_used: A whole number, 0 or more.
    grammar_errors: A whole number, 0 or more.
    average_response_ms: A whole number, 0 or more.
    """
    return made("conversation.ended", {"character": character, "messages": messages, "durationMs": duration_ms, "wordsUsed": words_used, "grammarErrors": grammar_errors, "averageResponseMs": average_response_ms})


def streak_repaired(
    *,
    date: str,
    reason: str | None = None,
) -> Event:
    """`streak.repaired`: A missed day counts as active. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.repaired`.

    date: A date that exists, as YYYY-MM-DD.
    reason: Text.
    """
    return made("streak.repaired", {"date": date, "reason": reason})


def streak_frozen(
    *,
    date: str,
    reason: str | None = None,
) -> Event:
    """`streak.frozen`: A day is frozen: if it is missed, the streak neither ends nor grows. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.frozen`.

    date: A date that exists, as YYYY-MM-DD.
    reason: Text.
    """
    return made("streak.frozen", {"date": date, "reason": reason})


def streak_paused(
    *,
    from_: str,
    through: str,
    reason: str | None = None,
) -> Event:
    """`streak.paused`: A span of at most 366 days is frozen: on its missed days, the streak neither ends nor grows. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.paused`.

    from_: A date that exists, as YYYY-MM-DD.
    through: A date that exists, as YYYY-MM-DD.
    reason: Text.
    """
    return made("streak.paused", {"from": from_, "through": through, "reason": reason})


def freeze_granted(
    *,
    count: int | None = None,
    reason: str | None = None,
) -> Event:
    """`freeze.granted`: The learner gets streak freezes. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `freeze.granted`.

    count: A whole number from 1 to 100; 1 where absent.
    reason: Text.
    """
    return made("freeze.granted", {"count": count, "reason": reason})


def xp_adjusted(
    *,
    amount: int,
    reason: str | None = None,
) -> Event:
    """`xp.adjusted`: XP is added or subtracted. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `xp.adjusted`.

    amount: A whole number.
    reason: Text.
    """
    return made("xp.adjusted", {"amount": amount, "reason": reason})


def xp_declared(
    *,
    total: int,
) -> Event:
    """`xp.declared`: The total XP that an app showed. If the track has less, the difference is added. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `xp.declared`.

    total: A whole number, 0 or more.
    """
    return made("xp.declared", {"total": total})


def currency_adjusted(
    *,
    currency: str,
    amount: int,
    reason: str | None = None,
) -> Event:
    """`currency.adjusted`: A balance is raised or lowered. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `currency.adjusted`.

    currency: Text.
    amount: A whole number from -1000000000000 to 1000000000000.
    reason: Text.
    """
    return made("currency.adjusted", {"currency": currency, "amount": amount, "reason": reason})


def item_bought(
    *,
    item: str,
    count: int | None = None,
) -> Event:
    """`item.bought`: The learner bought items. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `item.bought`.

    item: Text.
    count: A whole number from 1 to 1000; 1 where absent.
    """
    return made("item.bought", {"item": item, "count": count})


def achievement_granted(
    *,
    achievement: str,
    reason: str | None = None,
) -> Event:
    """`achievement.granted`: An achievement is unlocked. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `achievement.granted`.

    achievement: Text.
    reason: Text.
    """
    return made("achievement.granted", {"achievement": achievement, "reason": reason})


def achievement_revoked(
    *,
    achievement: str,
    reason: str | None = None,
) -> Event:
    """`achievement.revoked`: An achievement is locked again. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `achievement.revoked`.

    achievement: Text.
    reason: Text.
    """
    return made("achievement.revoked", {"achievement": achievement, "reason": reason})


def group_joined(
    *,
    group: str,
    kind: str | None = None,
) -> Event:
    """`group.joined`: The learner became a member of a group. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `group.joined`.

    group: Text.
    kind: Text.
    """
    return made("group.joined", {"group": group, "kind": kind})


def group_left(
    *,
    group: str,
) -> Event:
    """`group.left`: The learner left a group. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `group.left`.

    group: Text.
    """
    return made("group.left", {"group": group})


def league_finished(
    *,
    league: str,
    week: str,
    tier: str,
    xp: float,
    outcome: Literal["promoted", "stayed", "demoted"],
    next: str,
    room: int | None = None,
    rank: int | None = None,
    of: int | None = None,
) -> Event:
    """`league.finished`: The learner's result in a week of a league. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `league.finished`.

    league: Text.
    week: Text.
    tier: Text.
    xp: A number.
    outcome: Promoted, stayed or demoted.
    next: Text.
    room: A whole number.
    rank: A whole number.
    of: A whole number.
    """
    return made("league.finished", {"league": league, "week": week, "tier": tier, "room": room, "rank": rank, "of": of, "xp": xp, "outcome": outcome, "next": next})


def flag_cleared(
    *,
    source: str,
    id: str,
) -> Event:
    """`flag.cleared`: An event that was flagged as implausible is no longer flagged. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `flag.cleared`.

    source: Text.
    id: Text.
    """
    return made("flag.cleared", {"source": source, "id": id})


def scheduler_fitted(
    *,
    parameters: Sequence[float],
    reviews: int,
    log_loss: float,
) -> Event:
    """`scheduler.fitted`: FSRS parameters were fitted to the learner's reviews. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `scheduler.fitted`.

    parameters: A list of 21 numbers, each within its bounds.
    reviews: A whole number, 0 or more.
    log_loss: A number.
    """
    return made("scheduler.fitted", {"parameters": parameters, "reviews": reviews, "logLoss": log_loss})


def event_retracted(
    *,
    source: str,
    id: str,
) -> Event:
    """`event.retracted`: An event of the same learner is retracted: it has no effect.

    source: Text.
    id: Text.
    """
    return made("event.retracted", {"source": source, "id": id})
