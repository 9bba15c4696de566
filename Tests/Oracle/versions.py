# SPDX-License-Identifier: Apache-2.0
"""The versions of a store's rules, in force one after the other (numbers.md#rules-in-time), and the
clocks of days (numbers.md#days-and-weeks)."""
from __future__ import annotations

import glob
import os
from dataclasses import dataclass

from events import Event
from instants import DAY_MS, numeric_offset, parse_date, zone_offset
from rules import Rules, load


def local_offset(event: Event, rules: Rules) -> int:
    """The offset of the event's local clock, in milliseconds east of UTC."""
    if event.timezone is not None:
        return zone_offset(event.timezone, event.time)
    written = numeric_offset(event.offset)
    return zone_offset(rules.timezone, event.time) if written is None else written


def local_day(instant: int, offset: int, rules: Rules) -> int:
    return (instant + offset - rules.day_starts_ms) // DAY_MS


@dataclass(frozen=True)
class Version:
    """Rules, and the first local day on which they are in force; None for the first version."""

    since: int | None
    rules: Rules


class Versions:
    """Versions in ascending order of their days."""

    def __init__(self, first: Rules) -> None:
        self.all = [Version(None, first)]

    def __getitem__(self, index: int) -> Rules:
        return self.all[index].rules

    def apply(self, rules: Rules, since: int) -> "Versions":
        """Adds a version, in place of versions with the same or a later day."""
        self.all = [v for v in self.all if v.since is None or v.since < since] + [Version(since, rules)]
        return self

    @property
    def administered(self) -> set[str]:
        """The fields of `learner.updated` that any version names."""
        return {name for version in self.all for name in version.rules.administered}

    def on_day(self, day: int) -> Rules:
        """The rules in force on a date of any clock."""
        return next(v.rules for v in reversed(self.all) if v.since is None or v.since <= day)

    def of_event(self, event: Event) -> int:
        """The index of the version of the event's local day. Each version's own calendar tells the day."""
        days = [local_day(event.time, local_offset(event, v.rules), v.rules) for v in self.all]
        return self._last(days)

    def at(self, instant: int, written: str, latest: Event | None) -> int:
        """The index of the version of an instant's local day, for a track whose latest event is given."""
        return self._last([self.day_at(index, instant, written, latest) for index in range(len(self.all))])

    def day_at(self, index: int, instant: int, written: str, latest: Event | None) -> int:
        """An instant's local day by a version's calendar. The first known of these decides: the offset written in the
        instant, the latest event's zone, its offset, the version's default zone."""
        rules = self[index]
        offset = numeric_offset(written)
        if offset is None and latest is not None and latest.timezone is not None:
            offset = zone_offset(latest.timezone, instant)
        elif offset is None and latest is not None:
            offset = numeric_offset(latest.offset)
        if offset is None:
            offset = zone_offset(rules.timezone, instant)
        return local_day(instant, offset, rules)

    def _last(self, days: list[int]) -> int:
        """The last version in force, given the day by each version's own calendar."""
        return max(i for i, (v, day) in enumerate(zip(self.all, days)) if v.since is None or v.since <= day)


def load_versions(folder: str) -> Versions:
    """`rules.yaml`, and every `rules-YYYY-MM-DD.yaml` from that day on."""
    versions = Versions(load(os.path.join(folder, "rules.yaml")))
    for path in sorted(glob.glob(os.path.join(folder, "rules-*.yaml"))):
        versions.apply(load(path), parse_date(os.path.basename(path)[len("rules-"):-len(".yaml")]))
    return versions
