# SPDX-License-Identifier: Apache-2.0
"""The rules file (rules-language.md#sections), assumed to be valid. Needs PyYAML (Debian: python3-yaml).

Every scalar is loaded as text, and read as the type that its place needs, so that `no` stays Norwegian.
"""
from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from aggregates import AGGREGATES
from awards import Award, award
from expressions import Expr, parse
from game_rules import (
    Currency, Experiment, Gifts, Goal, Item, League, Season, currencies, experiments, gifts, goals, items, leagues, of_tier, pools,
    seasons,
)
from instants import WEEKDAYS
from plausibility import Limit, limits
from reading import Period, listed, optional, period

FSRS_WEIGHTS = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
]
CEFR_LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]


@dataclass(frozen=True)
class Metric:
    """A metric. `kind` is the aggregate, `expr` its expression (the `while` of a run, none for a count). Equal metrics have
    the same definition, even if the metrics that they read have changed."""

    name: str
    kind: str
    types: frozenset[str]
    expr: Expr | None
    where: Expr | None
    by: Expr | None


@dataclass
class Streak:
    when: Expr
    earn_every: int | None
    hold: int
    rest_days: set[int]
    start: int = 0
    weekly: bool = False


@dataclass
class Mastery:
    scheduler: str = "sm2"
    learned_at: int = 3
    weights: list[float] = field(default_factory=lambda: FSRS_WEIGHTS)
    retention: float = 0.9
    mastery_days: list[float] = field(default_factory=lambda: [1.0, 7.0, 21.0, 60.0, 180.0])
    by_calendar: bool = False


@dataclass
class Achievement:
    id: str
    value: Expr
    thresholds: list[float]
    when: Expr | None
    requires: list[str]
    per_language: bool
    hidden: bool
    xp: list[int]
    gives: Gifts
    period: Period

    def xp_of(self, tiers: range) -> int:
        return sum(of_tier(self.xp, tier) for tier in tiers)


@dataclass
class Rules:
    name: str
    timezone: str
    day_starts_ms: int
    week_starts_on: int
    declared: dict[str, dict[str, str]]
    administered: list[str]
    metrics: list[Metric]
    streak: Streak | None
    xp: list[Award]
    levels: "Levels"
    mastery: Mastery
    cefr_score: Expr | None
    bands: dict[str, float]
    achievements: list[Achievement]
    experiments: list[Experiment]
    seasons: list[Season]
    currencies: dict[str, Currency]
    items: dict[str, Item]
    goals: list[Goal]
    pools: dict[str, int]
    limits: dict[str, Limit]
    # The section `groups` as it is written, by kind.
    groups: dict[str, Any]
    leagues: dict[str, League]
    # The names of windows that expressions read, such as `day.lines`.
    named: set[str]

    @property
    def awards(self) -> list[Award]:
        """The awards of all currencies."""
        return [award for currency in self.currencies.values() for award in currency.awards]

    @property
    def capped(self) -> set[tuple[str | None, str]]:
        """The keys of XP rules and awards with a daily cap."""
        return {award.key for award in [*self.xp, *self.awards] if award.daily_cap is not None}

    def achievement(self, wanted: str) -> Achievement | None:
        return next((item for item in self.achievements if item.id == wanted), None)

    def season_of(self, day: int) -> Season | None:
        """The season that a local day is in."""
        return next((season for season in self.seasons if season.first <= day <= season.last), None)

    def season_at(self, day: int) -> str | None:
        """The name of the season that a local day is in."""
        season = self.season_of(day)
        return season.name if season else None

    def achievements_of(self, language: str | None) -> list[Achievement]:
        """The achievements of a track; of the overall track if `language` is None."""
        return [item for item in self.achievements if item.per_language == (language is not None)]


class Levels:
    """The level curve: an expression of `n`, or a table."""

    def __init__(self, curve: Expr | None, table: list[float] | None) -> None:
        self.curve = curve
        self.table = table

    def start(self, level: int) -> float | None:
        """The XP at which a level starts; None after the end of a table."""
        if self.table is not None:
            return self.table[level - 1] if level <= len(self.table) else None
        assert self.curve is not None
        value = self.curve(lambda name: float(level) if name == "n" else None)
        assert value is None or isinstance(value, float)
        return value

    def level(self, xp: int) -> int:
        result = 1
        while (following := self.start(result + 1)) is not None and following <= xp:
            result += 1
        return result

    def percent(self, xp: int) -> float:
        level = self.level(xp)
        start, following = self.start(level), self.start(level + 1)
        if xp < 0:
            return 0.0
        if following is None:
            return 100.0
        assert start is not None
        return 100 * (xp - start) / (following - start)


# --- reading -------------------------------------------------------------------------------------------------------

def load(path: str) -> Rules:
    with open(path, encoding="utf-8") as file:
        return rules_of(yaml.load(file, Loader=yaml.BaseLoader), os.path.basename(path))


def rules_of(raw: dict[str, Any], name: str) -> Rules:
    """The rules of a document whose scalars are all text. The name is for rules without one."""
    calendar, cefr = raw.get("calendar") or {}, raw.get("cefr")
    hours, minutes = (calendar.get("day_starts_at") or "00:00").split(":")
    return Rules(
        name=raw.get("name") or name,
        timezone=calendar.get("default_timezone") or "UTC",
        day_starts_ms=(int(hours) * 60 + int(minutes)) * 60_000,
        week_starts_on=WEEKDAYS.index(calendar.get("week_starts_on") or "monday"),
        declared=raw.get("events") or {},
        administered=raw.get("administered") or [],
        metrics=[_metric(name, body) for name, body in (raw.get("metrics") or {}).items()],
        streak=_streak(raw["streak"]) if raw.get("streak") else None,
        xp=[award(body) for body in raw.get("xp") or []],
        levels=_levels(raw.get("levels") or {"xp_for": "50 * n * (n - 1)"}),
        mastery=_mastery(raw.get("mastery") or {}),
        cefr_score=parse(cefr["score"]) if cefr else None,
        bands={name: float(start) for name, start in cefr["bands"].items()} if cefr else {},
        achievements=[_achievement(body) for body in raw.get("achievements") or []],
        experiments=experiments(raw.get("experiments") or {}),
        seasons=seasons(raw.get("seasons") or []),
        currencies=currencies(raw.get("currencies") or {}),
        items=items(raw.get("items") or {}),
        goals=goals(raw.get("goals") or []),
        pools=pools(raw.get("pools") or {}),
        limits=limits(raw.get("plausible") or {}),
        groups=raw.get("groups") or {},
        leagues=leagues(raw.get("leagues") or {}),
        named=_named([
            raw.get(section)
            for section in ("metrics", "streak", "xp", "levels", "cefr", "achievements", "currencies", "goals")
        ]),
    )


def _named(value: Any) -> set[str]:
    """The names such as `day.lines` anywhere in the expressions."""
    if isinstance(value, dict):
        return set().union(*(_named(item) for key, item in value.items() if key not in ("name", "description", "id")))
    if isinstance(value, list):
        return set().union(*map(_named, value))
    return set(re.findall(r"\b(?:day|week|season)\.\w+", value)) if isinstance(value, str) else set()


def _metric(name: str, body: dict[str, Any]) -> Metric:
    kind = next(kind for kind in AGGREGATES if kind in body)
    where, by = optional(body, "where"), optional(body, "by")
    if AGGREGATES[kind].names_types:
        return Metric(name, kind, frozenset(listed(body[kind])), optional(body, "while"), where, by)
    return Metric(name, kind, frozenset(listed(body["on"])), parse(body[kind]), where, by)


def _streak(body: dict[str, Any]) -> Streak:
    freezes = body.get("freezes") or {}
    return Streak(
        when=parse(body["when"]),
        earn_every=int(freezes["earn_every"]) if "earn_every" in freezes else None,
        hold=int(freezes.get("hold", "1")),
        rest_days={WEEKDAYS.index(name) for name in listed(body.get("rest_days"))},
        start=int(freezes.get("start", "0")),
        weekly=body.get("every") == "week",
    )


def _levels(body: dict[str, Any]) -> Levels:
    if "table" in body:
        return Levels(None, [float(start) for start in body["table"]])
    return Levels(parse(body["xp_for"]), None)


def _mastery(body: dict[str, Any]) -> Mastery:
    result = Mastery(body.get("scheduler", "sm2"), int(body.get("learned_at", "3")))
    if "parameters" in body:
        result.weights = [float(weight) for weight in body["parameters"]]
    result.by_calendar = body.get("days") == "calendar"
    if "desired_retention" in body:
        result.retention = float(body["desired_retention"])
    if "mastery_days" in body:
        result.mastery_days = [float(days) for days in body["mastery_days"]]
    return result


def _achievement(body: dict[str, Any]) -> Achievement:
    return Achievement(
        id=body["id"], value=parse(body["value"]), when=optional(body, "when"),
        thresholds=[float(threshold) for threshold in listed(body["at_least"])],
        requires=listed(body.get("requires")), per_language=body.get("scope") == "language",
        hidden=body.get("hidden") == "true", xp=[int(xp) for xp in listed(body.get("xp", "0"))],
        gives=gifts(body), period=period(body),
    )
