# SPDX-License-Identifier: Apache-2.0
"""Reading, checking and storing events (events.md#attributes and after)."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from typing import Any, Iterator

from catalogue import CATALOGUE, NEEDS_LANGUAGE, NEEDS_SESSION, check_fields
from instants import DAY_MS, Invalid, parse_time, zone

MAX_DEPTH = 128
MAX_DATA_BYTES = 64 * 1024
_TYPE = re.compile(r"[a-z][a-z0-9]*([._-][a-z0-9]+)*")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class Event:
    """A valid event. `fields` are the catalogue's fields of a known type; `data` is everything that was sent."""

    learner: str
    source: str
    id: str
    type: str
    time: int
    offset: str
    language: str | None
    session: str | None
    timezone: str | None
    data: dict[str, Any]
    fields: dict[str, Any]
    content: Any

    @property
    def identity(self) -> tuple[str, str, str]:
        return (self.learner, self.source, self.id)

    @property
    def order(self) -> tuple[int, bytes, bytes]:
        return (self.time, self.source.encode(), self.id.encode())


class _Object(dict[str, Any]):
    """A JSON object that remembers a repeated key."""

    repeated = False


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object(pairs)
    result.repeated = len(result) != len(pairs)
    return result


def _no_constant(name: str) -> Any:
    raise Invalid(f"{name} is not JSON")


def decode(line: bytes) -> Any:
    """Strict JSON, with numbers as exact decimals, so that comparing them loses nothing."""
    try:
        return json.loads(
            line.decode("utf-8"), object_pairs_hook=_object, parse_float=Decimal, parse_int=Decimal,
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError, DecimalException) as error:
        raise Invalid(f"not JSON: {error}") from error


def depth(value: Any) -> int:
    """The depth of nested arrays and objects; 0 for a scalar. There is no recursion, because the input decides the depth."""
    deepest, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        deepest += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return deepest


def canonical(value: Any) -> Any:
    """A form in which two values are `==` exactly if they are the same JSON value (true is not 1)."""
    if isinstance(value, dict):
        return ("object", {key: canonical(item) for key, item in value.items()})
    if isinstance(value, list):
        return ("array", [canonical(item) for item in value])
    return (type(value).__name__, value)


def _attribute(event: dict[str, Any], name: str, limit: int, required: bool) -> str | None:
    value = event.get(name)
    if value is None:
        if required:
            raise Invalid(f"{name} is missing")
        return None
    if not isinstance(value, str):
        raise Invalid(f"{name} is not text")
    if not 1 <= len(_utf8(value)) <= limit:
        raise Invalid(f"{name} must have 1 to {limit} bytes")
    if "\0" in value:
        raise Invalid(f"{name} has the character NUL")
    return value


def canonical_tag(tag: str) -> str:
    """RFC 5646, section 2.1.1."""
    first, *others = tag.lower().split("-")
    parts, plain = [first], len(first) > 1
    for part in others:
        plain = plain and len(part) > 1
        parts.append(part.upper() if plain and len(part) == 2 else part.capitalize() if plain and len(part) == 4 else part)
    return "-".join(parts)


def _utf8(value: str) -> bytes:
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Invalid("half a surrogate pair") from error


def _need(event: dict[str, Any], name: str, limit: int) -> str:
    value = _attribute(event, name, limit, required=True)
    assert value is not None
    return value


def _data(event: dict[str, Any]) -> dict[str, Any]:
    data = event.get("data")
    if data is None:
        return {}
    if not isinstance(data, _Object):
        raise Invalid("data is not an object")
    if data.repeated:
        raise Invalid("data has a key twice")
    compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    if len(_utf8(compact)) > MAX_DATA_BYTES:
        raise Invalid("data is larger than 64 KiB")
    return data


def _check_shape(event: Any) -> None:
    if not isinstance(event, _Object):
        raise Invalid("not an object")
    if depth(event) > MAX_DEPTH:
        raise Invalid("nested too deep")
    if event.repeated:
        raise Invalid("an attribute stands twice")
    _utf8(json.dumps(event, ensure_ascii=False, default=str))  # refuses half surrogate pairs anywhere
    if event.get("specversion") not in (None, "1.0"):
        raise Invalid("specversion is not 1.0")


def _check_context(event_type: str, language: str | None, session: str | None, timezone: str | None) -> None:
    if not _TYPE.fullmatch(event_type):
        raise Invalid(f"not an event type: {event_type}")
    if language is not None and not _LANGUAGE.fullmatch(language):
        raise Invalid(f"not a language tag: {language}")
    if timezone is not None:
        zone(timezone)
    if event_type in NEEDS_LANGUAGE and language is None:
        raise Invalid(f"{event_type} needs a language")
    if event_type in NEEDS_SESSION and session is None:
        raise Invalid(f"{event_type} needs a session")


def parse(value: Any, now: int) -> Event:
    """The checked event of a decoded JSON value; raises `Invalid`."""
    _check_shape(value)
    event_type = _need(value, "type", 64)
    time, offset = parse_time(_need(value, "time", 1000))
    if time > now + DAY_MS:
        raise Invalid("more than 24 hours ahead")
    language, session = _attribute(value, "language", 1000, False), _attribute(value, "session", 128, False)
    timezone = _attribute(value, "timezone", 1000, False)
    _check_context(event_type, language, session, timezone)
    data = _data(value)
    known = event_type in CATALOGUE
    return Event(
        learner=_need(value, "subject", 256), source=_need(value, "source", 256), id=_need(value, "id", 128),
        type=event_type, time=time, offset=offset, language=language and canonical_tag(language), session=session, timezone=timezone,
        data=data, fields=check_fields(event_type, data) if known else {}, content=_content(value, time, offset),
    )


def _content(event: dict[str, Any], time: int, offset: str) -> Any:
    """The value by which events are compared: everything but null attributes, with `time` as instant and written zone."""
    rest = {name: value for name, value in event.items() if name != "time" and value is not None}
    if "language" in rest:
        rest["language"] = canonical_tag(rest["language"])
    return (canonical(rest), time, offset)


class Store:
    """All stored events, and the number of events not stored."""

    def __init__(self, merges: dict[str, str] | None = None) -> None:
        self.merges = merges or {}
        self.events: dict[tuple[str, str, str], Event] = {}
        self.counts = {"read": 0, "stored": 0, "duplicates": 0, "conflicts": 0, "refused": 0}
        self.reasons: list[tuple[int, str]] = []

    def take(self, line: bytes, number: int, now: int) -> None:
        self.counts["read"] += 1
        try:
            self._keep(parse(self._as_merged(decode(line)), now))
        except Invalid as error:
            self.counts["refused"] += 1
            self.reasons.append((number, str(error)))

    def _as_merged(self, value: Any) -> Any:
        """The event as if its learner had always had the id that stays."""
        while isinstance(value, dict) and value.get("subject") in self.merges:
            value["subject"] = self.merges[value["subject"]]
        return value

    def _keep(self, event: Event) -> None:
        stored = self.events.setdefault(event.identity, event)
        if stored is event:
            self.counts["stored"] += 1
        elif stored.content == event.content:
            self.counts["duplicates"] += 1
        else:
            self.counts["conflicts"] += 1

    def of_learner(self, learner: str) -> list[Event]:
        return [event for event in self.events.values() if event.learner == learner]

    def learners(self) -> list[str]:
        return sorted({event.learner for event in self.events.values()})


def lines_of(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that are not blank."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip(b" \t\r"):
            yield number, line


def merge_of(line: bytes) -> tuple[str, str] | None:
    """The merged learner and the one who stays, if a line is a merge."""
    if not line.startswith(b'{"merged"'):
        return None
    value = json.loads(line)
    return value["merged"], value["into"]


def read_store(path: str, now: int) -> Store:
    """Every line of an NDJSON file, in order, into a new store. A merge also counts for the lines before it."""
    with open(path, "rb") as file:
        lines = list(lines_of(file.read()))
    store = Store(dict(filter(None, (merge_of(line) for _, line in lines))))
    for number, line in lines:
        if not merge_of(line):
            store.take(line, number, now)
    return store
