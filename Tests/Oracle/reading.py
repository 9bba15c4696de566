# SPDX-License-Identifier: Apache-2.0
"""The parts that several sections of a rules file have."""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from expressions import Expr, parse
from instants import parse_date


@dataclass(frozen=True)
class Period:
    """A span of local days, both ends included (rules-language.md#periods)."""

    first: int | None = None
    last: int | None = None

    def holds(self, day: int) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


def period(body: dict[str, Any]) -> Period:
    first, last = body.get("from"), body.get("through")
    return Period(None if first is None else parse_date(first), None if last is None else parse_date(last))


def listed(value: Any) -> list[str]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def optional(body: dict[str, Any], key: str) -> Expr | None:
    return parse(body[key]) if key in body else None


def names(types: Collection[str], kind: str) -> bool:
    """True if a list of event types has a type. `*` means all types."""
    return kind in types or "*" in types
