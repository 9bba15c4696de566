# SPDX-License-Identifier: Apache-2.0
"""Random games for random rules: experiments, seasons, currencies, items, goals and pools, and expressions that read them.

The names of `CORE` are in every version, so that any expression may read them.
"""
from __future__ import annotations

from random import Random
from typing import Any

from aggregates import AGGREGATES
from instants import format_day
from random_expressions import STATE, Scope, boolean, event_scope, numeric, window_scope
from random_limits import with_limits
from random_rules import FREQUENT, period

CORE = {"currencies": ["gems", "hearts"], "goals": ["g0", "g1"], "experiments": ["exp0"]}
PERSONAL = Scope(
    ["learner.dailyGoalMinutes", "learner.target", "balance.gems", "balance.hearts", "goals.g0", "goals.g1"],
    ["learner.leaderboard", "learner.leagues"],
    ["learner.plan", "learner.displayName", "learner.cohort", "learner.nativeLanguage"],
)
CALENDAR = Scope(["local.day"], [], ["season.name", "experiment.exp0", "local.date"])
SINCE = Scope(["streak.days_since_active"])
SEASONS = ["spring", "summer", "no", "Ferien é", "1", "last"]
AMOUNTS = ["1", "2", "3", "5", "10"]


def with_games(rng: Random, document: dict[str, Any], season: int) -> dict[str, Any]:
    """The rules with all sections of games; many of their expressions read games."""
    metrics = list(document["metrics"])
    extended = document["events"]["learner.updated"] | ({"pace": rng.choice(["number", "text"])} if rng.random() < 0.7 else {})
    result = document | {"events": document["events"] | {"learner.updated": extended}}
    result["experiments"] = _experiments(rng, season)
    result["seasons"] = _seasons(rng, season)
    result["currencies"] = _currencies(rng, metrics, season)
    result["items"] = _items(rng, result["currencies"])
    result["goals"], result["pools"] = _goals(rng, metrics, season, extended.get("pace"), result["currencies"])
    result["metrics"] = {}
    for name, body in document["metrics"].items():
        own = name in ("lines", "practice")
        result["metrics"][name] = body if own else _metric(rng, body, list(result["metrics"]))
    scope = PERSONAL + CALENDAR + SINCE + Scope([f"season.{name}" for name in metrics + ["xp"]])
    result["xp"] = [_xp_rule(rng, body, scope) for body in document["xp"]]
    result["achievements"] = [_achievement(rng, body, scope, season) for body in document["achievements"]]
    if "streak" in document:
        result["streak"] = _streak(rng, document["streak"])
    if "cefr" in document and rng.random() < 0.4:
        result["cefr"] = document["cefr"] | {"score": f"({document['cefr']['score']}) + {numeric(rng, PERSONAL + SINCE, 1)}"}
    return with_limits(result)


# --- sections ------------------------------------------------------------------------------------------------------

def _experiments(rng: Random, season: int) -> dict[str, Any]:
    result = {}
    for name in CORE["experiments"] + rng.sample(["exp1", "_e"], rng.randint(0, 2)):
        weights = [rng.choice(["50", "30", "12.5", "33.3", "0.5"]) for _ in range(rng.randint(1, 4))]
        while sum(map(float, weights)) > 100:
            weights.pop()
        result[name] = {"variants": dict(zip("abcd", weights)), **period(rng, season)}
        if rng.random() < 0.5:
            result[name]["seed"] = rng.choice(["s-1", "é", "😀", "1"])
    return result


def _seasons(rng: Random, season: int) -> list[dict[str, str]]:
    names, day, result = rng.sample(SEASONS, rng.randint(1, 4)), season + rng.randint(-5, 3), []
    for name in names:
        last = day + rng.choice([0, 3, 9, 30])
        result.append({"name": name, "from": format_day(day), "through": format_day(last)})
        day = last + rng.choice([1, 1, 2, 5])
    return result


def _currencies(rng: Random, metrics: list[str], season: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name in CORE["currencies"] + rng.sample(["coins", "Gold_1"], rng.randint(0, 2)):
        body: dict[str, Any] = {"start": str(rng.choice([0, 3, 5]))} if rng.random() < 0.6 else {}
        if name == "hearts" or rng.random() < 0.5:
            body["hold"] = str(rng.choice([5, 5, 8, 30]))
            if name == "hearts" or rng.random() < 0.5:
                body["refill"] = {"every": rng.choice(["90s", "30m", "4h", "4h", "1d"]), "by": rng.choice(["1", "1", "2"])}
        body["awards"] = [_award(rng, f"a{index}", metrics, season) for index in range(rng.randint(1, 3))]
        if name == "hearts":
            body["awards"].append({"id": "slip", "on": rng.sample(["line.spoken", "error.detected"], rng.randint(1, 2)), "award": "-1"})
        result[name] = body
    return result


def _award(rng: Random, name: str, metrics: list[str], season: int) -> dict[str, Any]:
    types = sorted({rng.choice(FREQUENT + ["error.detected", "scenario.completed"]) for _ in range(rng.randint(1, 2))})
    scope = event_scope(types) + window_scope(metrics, xp=True) + STATE + PERSONAL + CALENDAR + SINCE
    award = rng.choice(["1", "-1", "2.9", "-1.5", "balance.hearts - 3", "5 - level", f"min(max({numeric(rng, scope, 1)}, -20), 20)"])
    body: dict[str, Any] = {"id": name, "on": "*" if rng.random() < 0.15 else types, "award": award, **period(rng, season)}
    if rng.random() < 0.3:
        body["when"] = boolean(rng, scope, 1)
    if rng.random() < 0.4:
        body["daily_cap"] = rng.choice(["1", "3", "10"])
    return body


def _items(rng: Random, currencies: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name in rng.sample(["freeze", "hat", "pack"], rng.randint(1, 3)):
        body: dict[str, Any] = {"price": {c: rng.choice(AMOUNTS) for c in rng.sample(list(currencies), rng.randint(1, 2))}}
        if rng.random() < 0.85:
            body["gives"] = _gives(rng, list(currencies))
        if rng.random() < 0.4:
            body["limit"] = rng.choice(["1", "20"])
        result[name] = body
    return result


def _gives(rng: Random, currencies: list[str], tiers: int = 1) -> dict[str, Any]:
    names = rng.sample(currencies + ["freezes"], rng.randint(1, 2))
    return {name: _amounts(rng, tiers) for name in names}


def _amounts(rng: Random, tiers: int) -> Any:
    if tiers == 1 or rng.random() < 0.5:
        return rng.choice(AMOUNTS)
    return [rng.choice(AMOUNTS) for _ in range(tiers)]


def _goals(
    rng: Random, metrics: list[str], season: int, pace: str | None, currencies: dict[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    windows = window_scope(metrics, xp=True, windows=["total", "day", "week", "season"])
    scope = windows + STATE + PERSONAL + CALENDAR + SINCE
    every = {pool: rng.choice(["day", "day", "week", "season"]) for pool in rng.sample(["quests", "p"], rng.randint(1, 2))}
    goals = []
    for name in CORE["goals"] + [f"g{index}" for index in range(2, rng.randint(5, 9))]:
        pool = rng.choice(list(every)) if name not in CORE["goals"] and rng.random() < 0.75 else None
        body: dict[str, Any] = {"id": name, "every": every[pool] if pool else rng.choice(["day", "day", "week", "season"])}
        own = rng.choice([f"{body['every']}.{metric}" for metric in ("lines", "practice", rng.choice(metrics), "xp")])
        body["value"] = rng.choice([own, own, own, "streak.current", "goals.g0", "balance.gems", numeric(rng, scope, 1)])
        targets = ["1", "2", "3", "5", "20", "default(learner.target, 2)", numeric(rng, scope, 1)]
        body["target"] = rng.choice(targets + (["default(learner.pace, 3)"] * 3 if pace == "number" else []))
        body |= {"pool": pool} if pool else {}
        body |= {"name": f"Goal {name}"} if rng.random() < 0.7 else {}
        body |= {"when": boolean(rng, event_scope(None) + scope, 1)} if rng.random() < 0.2 else {}
        body |= {"xp": rng.choice(AMOUNTS)} if rng.random() < 0.6 else {}
        body |= {"gives": _gives(rng, list(currencies))} if rng.random() < 0.5 else {}
        goals.append(body | period(rng, season))
    used = {goal["pool"] for goal in goals if "pool" in goal}
    return goals, {pool: {"draw": str(rng.randint(1, 2))} for pool in every if pool in used}


# --- expressions that read games -----------------------------------------------------------------------------------

def _metric(rng: Random, body: dict[str, Any], above: list[str]) -> dict[str, Any]:
    scope = PERSONAL + CALENDAR + SINCE + Scope([f"season.{name}" for name in above])
    kind = next(kind for kind in AGGREGATES if kind in body)
    result = dict(body)
    if rng.random() < 0.15:
        result[kind if AGGREGATES[kind].names_types else "on"] = "*"
    if kind in ("sum", "max", "last") and rng.random() < 0.3:
        result[kind] = f"min(max({_reading(rng, body[kind], scope)}, -10000), 10000)"
    elif kind == "distinct" and rng.random() < 0.3:
        result[kind] = rng.choice(scope.texts)
    if AGGREGATES[kind].by and rng.random() < 0.1:
        result["by"] = rng.choice(scope.texts)
    if rng.random() < 0.2:
        result["where"] = _condition(rng, body.get("where"), scope)
    return result


def _reading(rng: Random, old: str, scope: Scope) -> str:
    """A number that games have a part in."""
    fresh = numeric(rng, scope, rng.randint(0, 1))
    return rng.choice([
        fresh, f"({old}) + {fresh}", f"{boolean(rng, scope, 0)} ? ({old}) : {fresh}", f"experiment.exp0 == 'a' ? 2 * ({old}) : ({old})",
        "local.day - day('2024-03-01')", "day(default(learner.plan, local.date)) % 7", f"({old}) * default(streak.days_since_active, 2)",
    ])


def _condition(rng: Random, old: str | None, scope: Scope) -> str:
    fresh = boolean(rng, scope, rng.randint(0, 1))
    return fresh if old is None else rng.choice([f"({old}) && ({fresh})", f"({old}) || ({fresh})"])


def _xp_rule(rng: Random, body: dict[str, Any], scope: Scope) -> dict[str, Any]:
    result = dict(body)
    if rng.random() < 0.15:
        result["on"] = "*"
    if rng.random() < 0.4:
        result["award"] = f"min({_reading(rng, body['award'], scope)}, 60)"
    if rng.random() < 0.2:
        result["when"] = _condition(rng, body.get("when"), scope)
    return result


def _achievement(rng: Random, body: dict[str, Any], scope: Scope, season: int) -> dict[str, Any]:
    result, tiers = dict(body), body["at_least"] if isinstance(body["at_least"], list) else [body["at_least"]]
    if rng.random() < 0.4:
        result["value"] = _reading(rng, body["value"], scope)
    if rng.random() < 0.15:
        result["when"] = _condition(rng, body.get("when"), scope)
    if rng.random() < 0.3:
        result["xp"] = _amounts(rng, len(tiers))
    if rng.random() < 0.5:
        result["gives"] = _gives(rng, CORE["currencies"], len(tiers))
    return result


def fitting(rng: Random, achievement: dict[str, Any]) -> dict[str, Any]:
    """An achievement whose lists of rewards fit its tiers."""
    tiers = achievement["at_least"]
    count = len(tiers) if isinstance(tiers, list) else 1
    def fit(amounts: Any) -> Any:
        return amounts if not isinstance(amounts, list) or len(amounts) == count else _amounts(rng, count)
    result = dict(achievement)
    if "xp" in result:
        result["xp"] = fit(result["xp"])
    if "gives" in result:
        result["gives"] = {name: fit(amounts) for name, amounts in result["gives"].items()}
    return result


def _streak(rng: Random, body: dict[str, Any]) -> dict[str, Any]:
    result = dict(body)
    if rng.random() < 0.4:
        result = {key: value for key, value in body.items() if key != "rest_days"} | {"every": rng.choice(["week", "week", "day"])}
    if rng.random() < 0.6:
        result["freezes"] = result.get("freezes", {}) | {"start": rng.choice(["0", "1", "2"]), "hold": rng.choice(["2", "3", "5"])}
    if rng.random() < 0.2:
        result["when"] = f"({body['when']}) || {boolean(rng, CALENDAR + PERSONAL, 0)}"
    return result


# --- later versions ------------------------------------------------------------------------------------------------

def mixed(rng: Random, fresh: dict[str, Any], model: dict[str, Any], readable: Any) -> None:
    """Puts parts of an earlier version's games into later rules, with changes that designers make. `readable` tells if the
    later rules have all that a part reads."""
    same_pace = _pace(fresh) == _pace(model)
    def kept(part: Any) -> bool:
        return rng.random() < 0.65 and readable(part) and (same_pace or "learner.pace" not in str(part))
    for name, body in model["currencies"].items():
        if name in fresh["currencies"] and kept(body):
            changed = {key: fresh["currencies"][name].get(key) for key in ("start", "awards") if rng.random() < 0.3}
            if "hold" in body and rng.random() < 0.4:
                changed["hold"] = rng.choice(["5", "6", "12"])
            fresh["currencies"][name] = {key: value for key, value in (body | changed).items() if value is not None}
    for name, body in model["experiments"].items():
        if name in fresh["experiments"] and kept(body):
            fresh["experiments"][name] = body | ({"variants": {"a": "40", "c": "60"}} if rng.random() < 0.3 else {})
    if kept(model["seasons"]):
        fresh["seasons"] = model["seasons"]
    old = {goal["id"]: goal for goal in model["goals"]}
    fresh["goals"] = [_mixed_goal(rng, goal, old.get(goal["id"]), fresh, kept) for goal in fresh["goals"]]


def _pace(document: dict[str, Any]) -> str | None:
    kind = document["events"]["learner.updated"].get("pace")
    assert kind is None or isinstance(kind, str)
    return kind


def _mixed_goal(rng: Random, goal: dict[str, Any], old: dict[str, Any] | None, fresh: dict[str, Any], kept: Any) -> dict[str, Any]:
    """The earlier goal of the same id, in the later window and pool, often with the later target."""
    if old is None or not kept(old) or not set(old.get("gives", {})) <= {*fresh["currencies"], "freezes"}:
        return goal
    own = {key: goal[key] for key in ("every", "pool", "target") if key in goal and (key != "target" or rng.random() < 0.5)}
    return {key: value for key, value in old.items() if key != "pool"} | own
