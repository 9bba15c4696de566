# SPDX-License-Identifier: Apache-2.0
"""The values that expressions can read of an event and of its track (rules-language.md#names)."""
from __future__ import annotations

import math
from typing import Any, Protocol

from catalogue import CATALOGUE
from events import Event
from expressions import Lookup, Value
from instants import format_day, weekday
from rules import Rules
from windows import Session


class State(Protocol):
    """The values of names that do not depend on the event's fields; `day` and `offset` are the event's."""

    day: int
    offset: int

    def value(self, name: str) -> Value: ...


def visible_fields(event: Event, session: Session | None, rules: Rules) -> dict[str, Any]:
    """The fields of the event's type. Fields missing in `session.ended` are taken from its `session.started`."""
    if event.type not in CATALOGUE:
        return _declared_fields(event, rules.declared.get(event.type, {}))
    fields = dict(event.fields) | _declared_fields(event, rules.declared.get(event.type, {}))
    if event.type == "session.ended" and session and session.started is not None:
        for name in ("mode", "scenario", "partner"):
            if name not in fields and name in session.started:
                fields[name] = session.started[name]
        fields.setdefault("durationMs", event.time - session.started_at)
    return fields


def _declared_fields(event: Event, declared: dict[str, str]) -> dict[str, Any]:
    """The declared fields whose values have the declared types."""
    result: dict[str, Any] = {}
    for name, kind in declared.items():
        value = event.data.get(name)
        if kind == "boolean" and isinstance(value, bool) or kind == "text" and isinstance(value, str):
            result[name] = value
        elif kind == "number" and value is not None and not isinstance(value, (bool, str, list, dict)):
            result[name] = float(value)
    return result


def _event_value(event: Event, fields: dict[str, Any], name: str) -> Value:
    if name in ("type", "session", "language"):
        return {"type": event.type, "session": event.session, "language": event.language}[name]
    return plain_value(fields.get(name))


def plain_value(value: Any) -> Value:
    """A field's value as expressions see it."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    assert value is None or isinstance(value, (bool, str)), value
    return value


def _local_value(event: Event, state: State, name: str) -> Value:
    """The values of the local clock and calendar, except `date` and `day`, which are the local day of the rules."""
    if name in ("date", "day"):
        return format_day(state.day) if name == "date" else float(state.day)
    minutes = (event.time + state.offset) // 60_000
    if name == "hour":
        return float(minutes // 60 % 24)
    return float(minutes % 60) if name == "minute" else float(weekday(minutes // 1440) + 1)


def lookup(state: State, event: Event, fields: dict[str, Any]) -> Lookup:
    """The present values of all names of expressions except `n` and `earned`."""
    def look(name: str) -> Value:
        group, _, rest = name.partition(".")
        if group == "event":
            return _event_value(event, fields, rest)
        return _local_value(event, state, rest) if group == "local" else state.value(name)
    return look
