# SPDX-License-Identifier: Apache-2.0
"""The aggregates of metrics (section 3): an aggregate is one entry here."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable


@dataclass(frozen=True)
class Aggregate:
    """How a metric takes in an event: from its value so far, None before any, and the expression's."""

    take: Callable[[float | None, Any], Any]
    #: Whether its own key names the event types; else `on` does.
    names_types: bool = False
    #: What its expression is: "none", "number", "boolean" or "any".
    operand: str = "number"
    #: Whether `by` keeps a value per key.
    by: bool = False


AGGREGATES = {
    "count": Aggregate(lambda old, value: (old or 0.0) + value, names_types=True, operand="none", by=True),
    "sum": Aggregate(lambda old, value: (old or 0.0) + value, by=True),
    "max": Aggregate(lambda old, value: value if old is None else max(old, value)),
    "last": Aggregate(lambda old, value: value),
    "distinct": Aggregate(lambda old, value: old, operand="any"),
    "run": Aggregate(lambda old, value: (old or 0.0) + 1 if value else 0.0, names_types=True, operand="boolean"),
}
