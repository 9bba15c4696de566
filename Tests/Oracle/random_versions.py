# SPDX-License-Identifier: Apache-2.0
"""Random lists of versions. Each is similar enough to the previous version that something is kept."""
from __future__ import annotations

import re
from random import Random
from typing import Any

from aggregates import AGGREGATES
from random_expressions import respelled
from random_games import fitting, mixed, with_games
from random_rules import period, rules_document, with_requirements

_METRIC = re.compile(r"\b(?:total|session|day|week|season)\.(?!name\b)([a-z_0-9]+)")
_EXPRESSIONS = {"while", "where", "by", "when", "award", "value"}
_EXPRESSIONS |= {kind for kind, aggregate in AGGREGATES.items() if not aggregate.names_types}
_BEFORE, _WITHIN, _FAR = (-40, -2), (-2, 30), (60, 4000)


def later_versions(rng: Random, first: dict[str, Any], season: int, games: bool) -> list[tuple[int, dict[str, Any]]]:
    """One to three days, ascending, with the rules in force from each. Most are among the events, some before the first
    event, some in the future."""
    places = rng.choices([_BEFORE, _WITHIN, _FAR], [1, 8, 1], k=rng.randint(1, 3))
    days = sorted({season + rng.randint(*place) for place in places})
    documents = [first]
    for _ in days:
        documents.append(_following(rng, documents, season, games))
    return list(zip(days, documents[1:]))


def _following(rng: Random, earlier: list[dict[str, Any]], season: int, games: bool) -> dict[str, Any]:
    """New rules with parts of the latest or of any earlier version, so that names disappear and come back."""
    result = rules_document(rng, season)
    if games:
        result = with_games(rng, result, season)
    model = earlier[-1] if rng.random() < 0.8 else rng.choice(earlier)
    for section in ("calendar", "streak", "levels", "mastery", "cefr"):
        same_metrics = section in model and not _metrics_read(model[section]) - {"lines", "practice", "xp"}
        if rng.random() < 0.4 and same_metrics:
            result[section] = model[section]
    result["metrics"] = _metrics(rng, result["metrics"], model["metrics"])
    known = set(result["metrics"]) | {"xp"}
    result["xp"] = [_xp_rule(rng, body, model["xp"], known) for body in result["xp"]]
    goals = [_goal(rng, body, model["achievements"], known, season) for body in result["achievements"]]
    result["achievements"] = with_requirements(rng, goals)
    if games:
        result["achievements"] = [fitting(rng, body) for body in result["achievements"]]
        mixed(rng, result, model, lambda part: _metrics_read(part) <= known)
    return result


def _metrics_read(value: Any) -> set[str]:
    """Every metric that a part of a rules file reads, in any window."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*(_metrics_read(item) for item in value))
    return set(_METRIC.findall(value))


def _written_otherwise(rng: Random, body: dict[str, Any]) -> dict[str, Any]:
    """Another spelling of the same definition."""
    result = {key: respelled(rng, value) if key in _EXPRESSIONS else value for key, value in body.items()}
    for key in ("count", "run", "on"):
        if isinstance(result.get(key), list):
            result[key] = rng.sample(result[key], len(result[key]))
    return result


def _metrics(rng: Random, fresh: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """New metrics and many of the previous ones, now and then under another name."""
    result: dict[str, Any] = {}
    for name, body in (fresh | {name: before[name] for name in before if name not in fresh}).items():
        old = before.get(name)
        if old is not None and rng.random() < 0.65 and _metrics_read(old) <= set(result):
            result[name if name in fresh or rng.random() < 0.8 else name + "_renamed"] = _written_otherwise(rng, old)
        elif name in fresh:
            result[name] = body
    return result


def _xp_rule(rng: Random, body: dict[str, Any], before: list[dict[str, Any]], known: set[str]) -> dict[str, Any]:
    old = next((rule for rule in before if rule["id"] == body["id"]), None)
    if old is None or rng.random() < 0.5 or not _metrics_read(old) <= known:
        return body
    result = _written_otherwise(rng, old)
    if rng.random() < 0.3:
        result["daily_cap"] = str(rng.choice([3, 15, 40]))
    return result


def _goal(
    rng: Random, body: dict[str, Any], before: list[dict[str, Any]], known: set[str], season: int
) -> dict[str, Any]:
    """A previous achievement with changes that designers make: thresholds, reward, scope, period."""
    body = {key: value for key, value in body.items() if key != "requires"}
    old = next((goal for goal in before if goal["id"] == body["id"]), None)
    if old is None or rng.random() < 0.35 or not _metrics_read(old) <= known:
        return body
    result = _written_otherwise(rng, {key: value for key, value in old.items() if key != "requires"})
    for key in ("at_least", "xp", "hidden", "scope", "when"):
        if rng.random() < (0.3 if key in ("at_least", "xp") else 0.06):
            result.pop(key, None)
            result |= {key: body[key]} if key in body else {}
    if rng.random() < 0.3:
        result = {key: value for key, value in result.items() if key not in ("from", "through")} | period(rng, season)
    return result
