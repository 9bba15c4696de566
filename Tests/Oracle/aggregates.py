# SPDX-License-Identifier: Apache-2.0
"""The aggregates of metrics (numbers.md#metrics); each is an entry of the table."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable


@dataclass(frozen=True)
class Aggregate:
    """An aggregate. `take` returns a metric's new value, given its old value (None before the first event) and the expression's."""

    take: Callable[[float | None, Any], Any]
    #: True if the aggregate's own key names the event types; else `on` does.
    names_types: bool = False
    #: The type of its expression: "none", "number", "boolean" or "any".
    operand: str = "number"
    #: True if `by` keeps a value per key.
    by: bool = False


AGGREGATES = {
    "count": Aggregate(lambda old, value: (old or 0.0) + value, names_types=True, operand="none", by=True),
    "sum": Aggregate(lambda old, value: (old or 0.0) + value, by=True),
    "max": Aggregate(lambda old, value: value if old is None else max(old, value)),
    "last": Aggregate(lambda old, value: value),
    "distinct": Aggregate(lambda old, value: old, operand="any"),
    "run": Aggregate(lambda old, value: (old or 0.0) + 1 if value else 0.0, names_types=True, operand="boolean"),
}
