# SPDX-License-Identifier: Apache-2.0
"""The sections of a rules file that make games."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from awards import Award, award
from expressions import Expr, parse
from hashing import hashed_twice
from instants import DAY_MS, parse_date
from reading import Period, listed, optional, period


@dataclass(frozen=True)
class Experiment:
    """An experiment, with its variants and their weights in percent."""

    name: str
    variants: dict[str, float]
    seed: str
    period: Period

    def variant(self, learner: str) -> str | None:
        """The learner's variant, on any day."""
        place = hashed_twice(self.seed + learner) % 10_000 / 10_000
        end = 0.0
        for name, weight in self.variants.items():
            start, end = end, end + weight / 100
            if start <= place < end:
                return name
        return None


def experiments(section: dict[str, Any]) -> list[Experiment]:
    return [
        Experiment(name, {v: float(w) for v, w in body["variants"].items()}, body.get("seed", name), period(body))
        for name, body in section.items()
    ]


@dataclass(frozen=True)
class Season:
    """A season of the year, by its local days."""

    name: str
    first: int
    last: int


def seasons(section: list[dict[str, Any]]) -> list[Season]:
    return [Season(body["name"], parse_date(body["from"]), parse_date(body["through"])) for body in section]


Gifts = dict[str, list[int]]
"""The currencies and the `freezes` that are given, by name: an amount per tier, or one amount for all."""


def gifts(body: dict[str, Any]) -> Gifts:
    return {name: [int(amount) for amount in listed(amounts)] for name, amounts in body.get("gives", {}).items()}


def of_tier(amounts: list[int], tier: int) -> int:
    return amounts[0] if len(amounts) == 1 else amounts[tier]


@dataclass(frozen=True)
class Refill:
    """A refill, with its period in milliseconds."""

    every: int
    by: int


@dataclass(frozen=True)
class Currency:
    name: str
    start: int
    hold: int | None
    refill: Refill | None
    awards: list[Award]


def currencies(section: dict[str, Any]) -> dict[str, Currency]:
    return {name: _currency(name, body or {}) for name, body in section.items()}


def _currency(name: str, body: dict[str, Any]) -> Currency:
    refill = body.get("refill")
    return Currency(
        name, int(body.get("start", "0")), int(body["hold"]) if "hold" in body else None,
        Refill(duration(refill["every"]), int(refill["by"])) if refill else None,
        [award(item, name) for item in body.get("awards") or []],
    )


def duration(written: str) -> int:
    """The milliseconds of `4h`."""
    return int(written[:-1]) * {"s": 1000, "m": 60_000, "h": 3_600_000, "d": DAY_MS}[written[-1]]


@dataclass(frozen=True)
class Item:
    """An item that is bought. Its price has an amount per currency."""

    price: dict[str, int]
    gives: Gifts


def items(section: dict[str, Any]) -> dict[str, Item]:
    return {name: Item({c: int(n) for c, n in body["price"].items()}, gifts(body)) for name, body in section.items()}


@dataclass(frozen=True)
class Goal:
    """A target that begins anew with each window: `every` is day, week or season."""

    id: str
    name: str | None
    every: str
    value: Expr
    target: Expr
    when: Expr | None
    period: Period
    pool: str | None
    xp: int
    gives: Gifts


def goals(section: list[dict[str, Any]]) -> list[Goal]:
    return [
        Goal(
            body["id"], body.get("name"), body["every"], parse(body["value"]), parse(body["target"]), optional(body, "when"),
            period(body), body.get("pool"), int(body.get("xp", "0")), gifts(body),
        )
        for body in section
    ]


def pools(section: dict[str, Any]) -> dict[str, int]:
    """The number of goals drawn from each pool."""
    return {name: int(body["draw"]) for name, body in section.items()}


@dataclass(frozen=True)
class League:
    """A league, with its tiers from the lowest. `settle_after` is in milliseconds."""

    name: str
    tiers: list[str]
    size: int
    promote: int
    demote: int
    settle_after: int
    promotes_late: bool


def leagues(section: dict[str, Any]) -> dict[str, League]:
    return {
        name: League(
            name, listed(body["tiers"]), int(body["size"]), int(body["promote"]), int(body["demote"]),
            duration(body["settle_after"]), body.get("late") == "promote-only",
        )
        for name, body in section.items()
    }
