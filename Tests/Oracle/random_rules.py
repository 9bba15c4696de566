# SPDX-License-Identifier: Apache-2.0
"""Random rules files that are valid and use every section of rules-language.md."""
from __future__ import annotations

from random import Random
from typing import Any

import yaml

from aggregates import AGGREGATES
from catalogue import CATALOGUE
from instants import WEEKDAYS, format_day
from random_expressions import (
    DECLARED, EXTENDED, STATE, WORDS, Scope, any_key, boolean, event_scope, numeric, window_scope,
)
from rules import CEFR_LEVELS, FSRS_WEIGHTS

ZONES = [
    "UTC", "Africa/Cairo", "America/Santiago", "Asia/Kolkata", "Pacific/Apia", "Europe/Berlin", "America/New_York",
    "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca",
]
FREQUENT = ["line.spoken", "review.graded", "session.ended", "word.added", "word.encountered", "repair.made"]


def rules_document(rng: Random, season: int | None) -> dict[str, Any]:
    """A rules file as plain data, with every scalar as text. If there is a season, periods are around its first day."""
    metrics = _metrics(rng)
    names = list(metrics)
    result: dict[str, Any] = {"version": "1", "name": f"random-{rng.randrange(10**6)}"}
    sections = {
        "calendar": _calendar(rng), "events": DECLARED | EXTENDED, "administered": _administered(rng),
        "metrics": metrics, "streak": _streak(rng, names),
        "xp": _xp(rng, names, season), "levels": _levels(rng), "mastery": _mastery(rng), "cefr": _cefr(rng, names),
        "achievements": with_requirements(rng, _achievements(rng, names, season)),
    }
    rarely_missing = {"administered", "calendar", "streak", "levels", "mastery", "cefr"}
    for name, section in sections.items():
        if name not in rarely_missing or rng.random() > 0.08:
            result[name] = section
    return result


def _administered(rng: Random) -> list[str]:
    """Fields of `learner.updated`; mostly none."""
    known = ["displayName", "dailyGoalMinutes", "leaderboard", *EXTENDED["learner.updated"]]
    return rng.sample(known, rng.choice([0, 0, 1, 2]))


def _types(rng: Random, most: int = 3) -> list[str]:
    pool = FREQUENT * 6 + list(CATALOGUE) + list(DECLARED)
    return sorted({rng.choice(pool) for _ in range(rng.randint(1, most))})


def _scalar_or_list(rng: Random, items: list[str]) -> Any:
    return items[0] if len(items) == 1 and rng.random() < 0.7 else items


def _calendar(rng: Random) -> dict[str, str]:
    whole = {
        "default_timezone": rng.choice(ZONES),
        "day_starts_at": rng.choice(["00:00", "00:00", "04:00", "03:30", "12:00", "23:59"]),
        "week_starts_on": rng.choice(["monday", "sunday", "saturday", rng.choice(WEEKDAYS)]),
    }
    return {key: value for key, value in whole.items() if rng.random() < 0.9}


# --- metrics -------------------------------------------------------------------------------------------------------

def _metrics(rng: Random) -> dict[str, Any]:
    kinds = [*AGGREGATES, "count", "sum"] * 2
    rng.shuffle(kinds)
    result: dict[str, Any] = {
        "lines": {"count": "line.spoken"}, "practice": {"count": ["line.spoken", "review.graded", "session.ended"]},
    }
    for index, kind in enumerate(kinds[:rng.randint(8, 16)]):
        result[f"{kind}_{index}"] = _metric(rng, kind, list(result))
    return result


def _metric(rng: Random, kind: str, above: list[str]) -> dict[str, Any]:
    types = _types(rng)
    own = event_scope(types)
    scope = own + window_scope(above, xp=False) + (STATE if rng.random() < 0.4 else WORDS)
    body: dict[str, Any]
    if kind == "count":
        body = {"count": _scalar_or_list(rng, types)}
    elif kind == "run":
        body = {"run": _scalar_or_list(rng, types), "while": boolean(rng, own if rng.random() < 0.6 else scope, 1)}
    elif kind == "distinct":
        body = {"distinct": any_key(rng, own), "on": _scalar_or_list(rng, types)}
    else:
        expression = numeric(rng, own if rng.random() < 0.6 else scope, rng.randint(0, 2))
        body = {kind: _bounded(expression), "on": _scalar_or_list(rng, types)}
    if rng.random() < 0.35:
        body["where"] = boolean(rng, scope, rng.randint(0, 2))
    if AGGREGATES[kind].by and rng.random() < 0.4:
        body["by"] = any_key(rng, own)
    return body


def _bounded(expression: str) -> str:
    """Limits sums, so that doubles are exact enough to compare for any order of summation."""
    return f"min(max({expression}, -10000), 10000)"


# --- streak, XP, levels --------------------------------------------------------------------------------------------

def _streak(rng: Random, metrics: list[str]) -> dict[str, Any]:
    body: dict[str, Any] = {"when": rng.choice([
        "day.practice >= 1", "day.practice >= 1", "day.lines >= 2", 'event.type == "review.graded"', "day.practice > 0",
        "day.practice >= 2 || words.learned > 3 && event.type == 'session.ended'", "day.xp >= 20",
        boolean(rng, event_scope(None) + window_scope(metrics, xp=True, windows=["day"]), 1),
    ])}
    if rng.random() < 0.75:
        body["freezes"] = {"earn_every": str(rng.choice([2, 3, 3, 5, 7]))}
        if rng.random() < 0.7:
            body["freezes"]["hold"] = str(rng.choice([1, 2, 3]))
    if rng.random() < 0.5:
        body["rest_days"] = rng.sample(WEEKDAYS, rng.randint(0, 2))
    return body


def period(rng: Random, season: int | None) -> dict[str, str]:
    """The keys `from`, `through`, both or, most often, neither."""
    if season is None:
        return {}
    first = season + rng.randint(-3, 20)
    both = {"from": format_day(first), "through": format_day(first + rng.choice([0, 1, 3, 9, 30]))}
    return {} if rng.random() < 0.7 else {key: both[key] for key in rng.choice([["from"], ["through"], list(both)])}


def _xp(rng: Random, metrics: list[str], season: int | None) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = [{"id": "line", "on": "line.spoken", "award": "10 + floor(event.accuracy * 10)"}]
    for index in range(rng.randint(5, 9)):
        result.append(_xp_rule(rng, f"rule{index}", metrics) | period(rng, season))
    bonus = {"id": "bonus", "bucket": "streakBonus", "on": ["line.spoken", "session.ended", "review.graded"]}
    return result + [bonus | {"award": "earned * min(streak.current * 0.05, 0.5)"}]


def _xp_rule(rng: Random, name: str, metrics: list[str]) -> dict[str, Any]:
    types = _types(rng)
    own = event_scope(types) + Scope(["earned"])
    scope = own + window_scope(metrics, xp=True) + STATE
    award = rng.choice([
        "10", "2.9", "-5", "(1 - session.lines / total.practice) * 30", "earned * 0.5", "streak.current * 2 + level",
        f"min({numeric(rng, own, 1)}, 50)", f"min({numeric(rng, scope, 2)}, 100)", f"min({numeric(rng, scope, 1)}, 40)",
    ])
    body: dict[str, Any] = {"id": name, "on": _scalar_or_list(rng, types), "award": award}
    if rng.random() < 0.4:
        body["when"] = boolean(rng, scope, rng.randint(0, 2))
    if rng.random() < 0.35:
        body["daily_cap"] = str(rng.choice([5, 15, 25, 60]))
    if rng.random() < 0.5:
        body["bucket"] = rng.choice(["bonus", "practice", "achievements", "é", "adjustment"])
    return body


def _levels(rng: Random) -> dict[str, Any]:
    if rng.random() < 0.3:
        starts = [0]
        for _ in range(rng.randint(2, 9)):
            starts.append(starts[-1] + rng.choice([50, 120, 333, 1000]))
        return {"table": [str(start) for start in starts]}
    return {"xp_for": rng.choice([
        "50 * n * (n - 1)", "100 * (n - 1)", "n == 1 ? 0 : 40 * n * n", "floor(37.5 * (n - 1) * n)",
        "max(0, (n - 1) * 33.3)",
    ])}


def _mastery(rng: Random) -> dict[str, Any]:
    body: dict[str, Any] = {"scheduler": rng.choice(["sm2", "fsrs"])}
    if rng.random() < 0.6:
        body["learned_at"] = str(rng.randint(1, 5))
    if body["scheduler"] == "fsrs":
        if rng.random() < 0.5:
            body["parameters"] = [repr(round(w * rng.uniform(0.9, 1.1), 5)) for w in FSRS_WEIGHTS]
        if rng.random() < 0.5:
            body["desired_retention"] = rng.choice(["0.8", "0.85", "0.95"])
        if rng.random() < 0.5:
            body["days"] = rng.choice(["hours", "calendar"])
            body["mastery_days"] = rng.choice([["0.5", "2", "4", "8", "16"], ["1", "3", "10", "30", "90"]])
    return body


def _cefr(rng: Random, metrics: list[str]) -> dict[str, Any]:
    scope = window_scope(metrics, xp=True, windows=["total"]) + STATE
    starts = [0]
    for _ in CEFR_LEVELS[1:]:
        starts.append(starts[-1] + rng.choice([2, 5, 10, 40]))
    score = rng.choice(["words.learned", "words.known + level", "total.xp / 100", numeric(rng, scope, 2)])
    return {"score": score, "bands": {name: str(start) for name, start in zip(CEFR_LEVELS, starts)}}


# --- achievements --------------------------------------------------------------------------------------------------

def _achievements(rng: Random, metrics: list[str], season: int | None) -> list[dict[str, Any]]:
    count = rng.randint(7, 14)
    return [_achievement(rng, f"goal{index}", metrics) | period(rng, season) for index in range(count)]


def with_requirements(rng: Random, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Makes some of the achievements require others."""
    ranked = rng.sample(bodies, len(bodies))  # requirements go only down this order, so there are no cycles
    for rank, body in enumerate(ranked):
        allowed = [b["id"] for b in ranked[:rank] if "scope" in body or "scope" not in b]
        if allowed and rng.random() < 0.3:
            body["requires"] = rng.sample(allowed, min(len(allowed), rng.randint(1, 2)))
    return bodies


def _achievement(rng: Random, name: str, metrics: list[str]) -> dict[str, Any]:
    windows = window_scope(metrics, xp=True)
    scope = event_scope(None) + windows + STATE
    value = rng.choice([
        rng.choice(windows.numbers), rng.choice(windows.numbers), rng.choice(windows.numbers), "streak.current",
        "streak.longest", "total.xp", "level", "words.learned", "words.known", "day.xp", "week.xp", "session.xp",
        numeric(rng, scope, 1), numeric(rng, scope, 2), "session.lines / day.practice",
    ])
    steps = [rng.choice([0.5, 1, 2, 3, 5, 10, 50, 200]) for _ in range(rng.choice([1, 1, 2, 3, 5]))]
    tiers = [f"{sum(steps[:count + 1]):g}" for count in range(len(steps))]
    body: dict[str, Any] = {
        "id": name, "name": f"Goal {name}", "description": "Reach it", "category": rng.choice(["SOCIAL", "STREAK"]),
        "value": value, "at_least": _scalar_or_list(rng, tiers),
    }
    if rng.random() < 0.3:
        body["when"] = boolean(rng, scope, 1)
    if rng.random() < 0.35:
        body["scope"] = "language"
    if rng.random() < 0.25:
        body["hidden"] = "true"
    if rng.random() < 0.6:
        body["xp"] = str(rng.choice([1, 10, 25, 100, 500]))
    return body


# --- writing -------------------------------------------------------------------------------------------------------

class _PlainDumper(yaml.emitter.Emitter, yaml.serializer.Serializer, yaml.representer.SafeRepresenter,
                   yaml.resolver.BaseResolver):
    """Writes texts such as `on`, `no` and `5` without quotes, as people do in a rules file."""

    def __init__(self, stream: Any, **options: Any) -> None:
        yaml.emitter.Emitter.__init__(self, stream, width=10_000, allow_unicode=True)
        yaml.serializer.Serializer.__init__(self)
        yaml.representer.SafeRepresenter.__init__(self, sort_keys=False)
        yaml.resolver.BaseResolver.__init__(self)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def write_rules(document: dict[str, Any], path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        dumper = _PlainDumper(file)
        dumper.open()
        dumper.represent(document)
        dumper.close()
