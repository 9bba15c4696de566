# SPDX-License-Identifier: Apache-2.0
"""The sections of a rules file that make games."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hashing import hashed_twice
from reading import Period, period


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
    period: Period


def seasons(section: list[dict[str, Any]]) -> list[Season]:
    return [Season(body["name"], period(body)) for body in section]
