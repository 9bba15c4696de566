# SPDX-License-Identifier: Apache-2.0
"""Events, and the checks that the service makes."""
from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from typing import Any, Mapping

from ._errors import InvalidEvent


@dataclass(frozen=True)
class Event:
    """An action of a learner: a type, and its data. Types of the catalogue have constructors in `laurel.events`."""

    type: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def adding(self, name: str, value: Any) -> Event:
        """The event with a further field, which the engine keeps and exports."""
        return Event(self.type, {**self.data, name: value})


@dataclass(frozen=True)
class Identity:
    """The identity of an event, with which `events.event_retracted` voids it."""

    source: str
    id: str


def made(type: str, fields: Mapping[str, Any]) -> Event:
    """An event with the given fields."""
    return Event(type, {name: value for name, value in fields.items() if value is not None})


def timestamp(at: datetime) -> str:
    """RFC 3339 with the offset of the learner's clock, which decides the event's local day. A time without a zone is the machine's."""
    at = at.astimezone() if at.tzinfo is None or at.utcoffset() is None else at
    # Historical offsets have seconds, which RFC 3339 lacks.
    minutes = round((at.utcoffset() or timedelta()).total_seconds() / 60)
    return at.astimezone(timezone(timedelta(minutes=minutes))).isoformat(timespec="milliseconds")


def line(event: Event, *, identity: Identity, learner: str, language: str | None, session: str | None, zone: str | None,
         at: datetime, now: datetime) -> str:
    """The event as it is stored and sent: one line of JSON. Nothing is clamped. Values that the service would refuse are refused."""
    data = {name: _plain(value) for name, value in event.data.items()}
    whole = {"specversion": "1.0", "id": identity.id, "source": identity.source, "type": event.type, "subject": learner,
             "time": timestamp(at), "language": language, "session": session, "timezone": zone, "data": data or None}
    _check(event.type, whole, data, at, now)
    return _json({name: value for name, value in whole.items() if value is not None})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    return timestamp(value) if isinstance(value, datetime) else value


def _check(type: str, whole: Mapping[str, Any], data: Mapping[str, Any], at: datetime, now: datetime) -> None:
    from .events import CATALOGUE

    def wrong(place: str, message: str) -> None:
        raise InvalidEvent(str(type)[:100], place, message)

    for name, most in (("id", 128), ("source", 256), ("subject", 256), ("session", 128)):
        value = whole[name]
        if name == "session" and value is None:
            continue
        if not isinstance(value, str) or not 1 <= len(_utf8(value) or b"") <= most:
            wrong(name, f"is {_shown(value)}; it must be text of 1 to {most} bytes (UTF-8)")
    if not isinstance(type, str) or len(type) > 64 or not re.fullmatch(r"[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*", type):
        wrong("type", "must be lower-case words and digits joined by . _ or -, such as line.spoken")
    tag, zone = whole["language"], whole["timezone"]
    if tag is not None and (not isinstance(tag, str) or len(tag) > 128
                            or not re.fullmatch(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*", tag)):
        wrong("language", f"is {_shown(tag)}; it must be a BCP 47 tag, such as es or pt-BR")
    if zone is not None and (not isinstance(zone, str) or not re.fullmatch(r"[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*", zone)):
        wrong("timezone", f"is {_shown(zone)}; it must be an IANA time zone, such as Europe/Berlin")
    if at.timestamp() < 0:
        wrong("time", "must be of the years 1970 to 9999 (UTC)")
    if at.timestamp() - now.timestamp() > 86_400:
        wrong("time", f"is {whole['time']}, more than 24 hours ahead of the clock")
    known = CATALOGUE.get(type, {"needs": [], "fields": {}})
    for name in known["needs"]:
        if whole[name] is None:
            wrong(name, "is missing")
    for name, entry in known["fields"].items():
        value = data.get(name)
        if value is None:
            if entry.get("required"):
                wrong(f"data.{name}", "is missing")
        elif not _allows(entry, value):
            wrong(f"data.{name}", f"is {_shown(value)}; it must be {entry['is']}")
    if span := known.get("span"):
        days = (date.fromisoformat(data[span["through"]]) - date.fromisoformat(data[span["from"]])).days + 1
        if days < 1:
            wrong(f"data.{span['through']}", f"lies before data.{span['from']}")
        if days > span["mostDays"]:
            wrong(f"data.{span['through']}",
                  f"is {days} days from data.{span['from']} on; there may be {span['mostDays']} at most")
    for name, value in data.items():
        bad = _unwritable(value, 32) if isinstance(name, str) and _utf8(name) is not None else "is no well-formed name"
        if bad:
            wrong(f"data.{name}", bad)
    size = len(_json(data).encode())
    if size > 65536:
        wrong("data", f"has {size} bytes; it may have 65536 at most (64 KiB)")


def _allows(entry: Mapping[str, Any], value: Any) -> bool:
    kind = entry["type"]
    if kind == "number":
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            return False
        if entry.get("whole") and value != int(value):
            return False
        return bool(value >= entry.get("least", -math.inf) and value <= entry.get("most", math.inf)
                    and value > entry.get("above", -math.inf))
    if kind == "text":
        return isinstance(value, str) and value in entry.get("oneOf", [value])
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "textList":
        return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    if kind == "numberList":
        bounds = entry["bounds"]
        return (isinstance(value, (list, tuple)) and len(value) == len(bounds) and all(
            isinstance(one, (int, float)) and not isinstance(one, bool) and low <= one <= high
            for one, (low, high) in zip(value, bounds)))
    if kind == "instant":
        found = re.fullmatch(
            r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))", value, re.ASCII
        ) if isinstance(value, str) else None
        return found is not None and _parses(f"{found[1]}T{found[2]}") and int(found[3] or 0) < 24 and int(found[4] or 0) < 60
    return isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII)) and _parses(value)


def _parses(text: str) -> bool:
    try:
        (datetime if "T" in text else date).fromisoformat(text)
        return True
    except ValueError:
        return False


def _utf8(text: str) -> bytes | None:
    """The text as UTF-8; None if it has an unpaired surrogate."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def _unwritable(value: Any, depth: int) -> str | None:
    """The reason why a value cannot be written as JSON, or read by the service; None if it can."""
    if value is None or isinstance(value, (bool, int)):
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"is {value}, which is no number in JSON"
    if isinstance(value, str):
        return None if _utf8(value) is not None else "has half of a surrogate pair (an emoji cut in two?)"
    if not isinstance(value, (list, tuple, dict)):
        return f"is a {type(value).__name__}, which JSON does not have"
    if depth == 0:
        return "has more levels than may be nested"
    if isinstance(value, dict) and not all(isinstance(name, str) and _utf8(name) is not None for name in value):
        return "has a name that is no well-formed text"
    parts = value.values() if isinstance(value, dict) else value
    return next((bad for part in parts if (bad := _unwritable(part, depth - 1))), None)


def _shown(value: Any) -> str:
    return f"“{value[:100]}”" if isinstance(value, str) else repr(value)[:100]
