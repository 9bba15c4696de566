# SPDX-License-Identifier: Apache-2.0
"""Limits of what a person can do (numbers.md#plausibility)."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from events import Event

SPANS = {"second": 1_000, "minute": 60_000, "hour": 3_600_000, "day": 86_400_000}


@dataclass(frozen=True)
class Limit:
    """The number of events of a type that a span may hold, and the span's length."""

    at_most: int
    span: int


def limits(body: dict[str, Any]) -> dict[str, Limit]:
    return {kind: Limit(int(limit["at_most"]), SPANS[limit["per"]]) for kind, limit in body.items()}


@dataclass
class Plausibility:
    """The times of a learner's events by type, under all versions, and the events whose flags were cleared."""

    cleared: set[tuple[str, str]] = field(default_factory=set)
    past: dict[str, list[int]] = field(default_factory=dict)

    def flags(self, event: Event, limited: dict[str, Limit]) -> bool:
        """True if the event is flagged. Call it once for each event, in the order."""
        times = self.past.setdefault(event.type, [])
        times.append(event.time)
        limit = limited.get(event.type)
        if limit is None:
            return False
        within = sum(time > event.time - limit.span for time in times)
        return within > limit.at_most and (event.source, event.id) not in self.cleared
