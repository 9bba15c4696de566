# SPDX-License-Identifier: Apache-2.0
"""XP rules, and the awards of currencies, which are read and evaluated alike."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from expressions import Expr, Lookup, holds, parse
from reading import Period, listed, names, optional, period

MOST = 2**53
"""The largest amount of an award and the largest balance. Beyond it, doubles skip whole numbers."""


@dataclass(frozen=True)
class Award:
    """An XP rule, with its bucket, or an award of a currency."""

    id: str
    bucket: str
    currency: str | None
    types: list[str]
    when: Expr | None
    award: Expr
    daily_cap: int | None
    period: Period

    @property
    def key(self) -> tuple[str | None, str]:
        """The name by which the used part of a daily cap is kept."""
        return self.currency, self.id

    def applies(self, kind: str, day: int, look: Lookup) -> bool:
        return names(self.types, kind) and self.period.holds(day) and holds(self.when, look)


def award(body: dict[str, Any], currency: str | None = None) -> Award:
    return Award(
        id=body["id"], bucket=body.get("bucket", body["id"]), currency=currency, types=listed(body["on"]),
        when=optional(body, "when"), award=parse(body["award"]),
        daily_cap=int(body["daily_cap"]) if "daily_cap" in body else None, period=period(body),
    )
