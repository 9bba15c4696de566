# SPDX-License-Identifier: Apache-2.0
"""Instants, offsets, local days and weeks (events.md#time-and-zones, numbers.md#days-and-weeks).

An instant is an `int`: milliseconds since 1970-01-01T00:00:00Z. A day is an `int`: days since 1970-01-01.
"""
from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

DAY_MS = 86_400_000
LAST_INSTANT = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))"
)
_EPOCH_DAY = date(1970, 1, 1).toordinal()


class Invalid(Exception):
    """An error in the input; the message gives the reason."""


def parse_date(written: str) -> int:
    """The day of `YYYY-MM-DD`."""
    year, month, day = (int(part) for part in written.split("-"))
    try:
        return date(year, month, day).toordinal() - _EPOCH_DAY
    except ValueError as error:
        raise Invalid(f"no such date: {written}") from error


def parse_time(written: str) -> tuple[int, str]:
    """The instant of an RFC 3339 time, and its zone as written: `Z`, `-00:00`, `+02:00`."""
    match = _TIME.fullmatch(written)
    if not match:
        raise Invalid(f"not an RFC 3339 time: {written}")
    year, month, day, hour, minute, second = match.group(1, 2, 3, 4, 5, 6)
    if int(hour) > 23 or int(minute) > 59 or int(second) > 59:
        raise Invalid(f"no such time of day: {written}")
    local = parse_date(f"{year}-{month}-{day}") * DAY_MS
    local += (int(hour) * 3600 + int(minute) * 60 + int(second)) * 1000
    local += int(((match.group(7) or "") + "000")[:3])  # further digits are cut off
    offset = _written_offset(match)
    result = local - (numeric_offset(offset) or 0)
    if not 0 <= result <= LAST_INSTANT:
        raise Invalid(f"outside 1970 to 9999: {written}")
    return result, offset


def _written_offset(match: re.Match[str]) -> str:
    if match.group(8):
        return "Z"
    if int(match.group(10)) > 23 or int(match.group(11)) > 59:
        raise Invalid("no such offset")
    return f"{match.group(9)}{match.group(10)}:{match.group(11)}"


def numeric_offset(written: str) -> int | None:
    """Milliseconds east of UTC; None for `Z` and `-00:00`, which do not tell the local time."""
    if written in ("Z", "-00:00"):
        return None
    minutes = int(written[1:3]) * 60 + int(written[4:6])
    return (-minutes if written[0] == "-" else minutes) * 60_000


@lru_cache(maxsize=None)
def zone_names() -> frozenset[str]:
    return frozenset(available_timezones())


@lru_cache(maxsize=None)
def zone(name: str) -> ZoneInfo:
    if name not in zone_names():
        raise Invalid(f"unknown time zone: {name}")
    return ZoneInfo(name)


def zone_offset(name: str, instant: int) -> int:
    """Milliseconds east of UTC in a time zone at an instant."""
    # The last day before the year 10000 does not fit in a local datetime east of UTC. No zone's rule changes there,
    # so a day earlier has the same offset.
    whole = min(instant, LAST_INSTANT - 2 * DAY_MS) // 1000
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=max(whole, 0))
    delta = moment.astimezone(zone(name)).utcoffset()
    assert delta is not None
    return round(delta.total_seconds() * 1000)


def weekday(day: int) -> int:
    """0 Monday … 6 Sunday; 1970-01-01 was a Thursday."""
    return (day + 3) % 7


def week_start(day: int, starts_on: int) -> int:
    """The first day of the week that a day is in."""
    return day - (weekday(day) - starts_on) % 7


def civil(day: int) -> tuple[int, int, int]:
    """Year, month, day of a day number, also beyond the year 9999 (proleptic Gregorian)."""
    cycles, within = divmod(day + _EPOCH_DAY - 1, 146_097)  # 400 years have 146 097 days
    moment = date.fromordinal(within + 1)
    return moment.year + 400 * cycles, moment.month, moment.day


def format_day(day: int) -> str:
    return "%04d-%02d-%02d" % civil(day)


def format_instant(instant: int) -> str:
    """RFC 3339 UTC with milliseconds."""
    day, rest = divmod(instant, DAY_MS)
    seconds, ms = divmod(rest, 1000)
    return "%sT%02d:%02d:%02d.%03dZ" % (format_day(day), seconds // 3600, seconds // 60 % 60, seconds % 60, ms)
