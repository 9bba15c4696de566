# SPDX-License-Identifier: Apache-2.0
"""Metrics, and the five windows in which they are read (numbers.md#windows)."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aggregates import AGGREGATES
from events import Event
from expressions import Lookup, Value, holds
from instants import DAY_MS
from reading import names
from rules import Metric, Rules


class Aggregate:
    """One metric in one window."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.current: float | None = None
        self.keys: dict[Any, float] = {}
        self.members: set[Value] = set()

    def add(self, value: Value, key: Value) -> None:
        """Takes in an event; `key` is None if the metric has no `by`."""
        take = AGGREGATES[self.kind].take
        if self.kind == "distinct":
            self.members.add(value)
        elif key is None:
            self.current = take(self.current, value)
        else:
            self.keys[key] = take(self.keys.get(key), value)

    def value(self) -> float:
        if self.kind == "distinct":
            return float(len(self.members))
        if self.keys:
            return max(self.keys.values())
        return self.current or 0.0


class Window:
    """The values of all metrics, and the XP, since the window's beginning."""

    def __init__(self) -> None:
        self.metrics: dict[str, Aggregate] = {}
        self.xp = 0

    def keep(self, metrics: set[str]) -> None:
        """Drops all other metrics; they begin at 0 if they come back."""
        self.metrics = {name: aggregate for name, aggregate in self.metrics.items() if name in metrics}

    def add(self, metric: Metric, value: Value, key: Value) -> None:
        self.metrics.setdefault(metric.name, Aggregate(metric.kind)).add(value, key)

    def value(self, name: str) -> float:
        if name == "xp":
            return float(self.xp)
        return self.metrics[name].value() if name in self.metrics else 0.0


@dataclass
class Session:
    """A running session. `started` has the fields of its latest `session.started`."""

    last: int
    window: Window = field(default_factory=Window)
    started: dict[str, Any] | None = None
    started_at: int = 0


class Windows:
    """A track's windows, updated for one event after the other (step 1)."""

    def __init__(self) -> None:
        self.total, self.day, self.week, self.season = Window(), Window(), Window(), Window()
        self.current_day: int | None = None
        self.current_week: int | None = None
        self.current_season: str | None = None
        self.awarded_today: dict[tuple[str | None, str], int] = {}
        self.sessions: dict[str, Session] = {}
        self.session: Session | None = None

    def enter(self, event: Event, day: int, week: int, season: str | None) -> None:
        self.move(day, week, season)
        self.session = self._session(event) if event.session is not None else None

    def move(self, day: int, week: int, season: str | None) -> None:
        """Begins the windows anew that a day, with its week and its season, is not in."""
        if day != self.current_day:
            self.day, self.current_day, self.awarded_today = Window(), day, {}
        if week != self.current_week:
            self.week, self.current_week = Window(), week
        if season != self.current_season:
            self.season, self.current_season = Window(), season

    def _session(self, event: Event) -> Session:
        assert event.session is not None
        session = self.sessions.get(event.session)
        if session is None or event.time - session.last > DAY_MS:
            session = self.sessions[event.session] = Session(last=event.time)
        session.last = event.time
        if event.type == "session.started":
            session.started, session.started_at = event.fields, event.time
        return session

    def go_over(self, old: Rules, new: Rules, season: str | None) -> None:
        """Goes over to another version, given its season on the day of the event that needs the version. Unchanged metrics
        keep their values, and capped awards keep their used amounts."""
        if season != self.current_season:
            self.season, self.current_season = Window(), season
        kept = {metric.name for metric in new.metrics if metric in old.metrics}
        for window in [self.total, self.day, self.week, self.season, *(session.window for session in self.sessions.values())]:
            window.keep(kept)
        self.awarded_today = {key: used for key, used in self.awarded_today.items() if key in old.capped & new.capped}

    def leave(self, event: Event) -> None:
        """After an event's last step: `session.ended` ends the session it is in."""
        if event.type == "session.ended" and event.session is not None:
            self.sessions.pop(event.session, None)

    def running(self) -> list[Window]:
        """The windows that the current event counts in."""
        windows = [self.total, self.day, self.week]
        windows += [self.season] if self.current_season is not None else []
        return windows + [self.session.window] if self.session else windows

    def value(self, window: str, name: str) -> float:
        if window == "session":
            return self.session.window.value(name) if self.session else 0.0
        chosen: Window = getattr(self, window)
        return chosen.value(name)


def measure(metric: Metric, event: Event, look: Lookup, windows: Windows) -> None:
    """Step 3 for one metric, which takes in an event, in every window that the event is in."""
    if not names(metric.types, event.type) or not holds(metric.where, look):
        return
    key = metric.by(look) if metric.by else None
    value: Value = 1.0 if metric.expr is None else metric.expr(look)
    if metric.kind == "run":
        value = value is True
    if value is None or (metric.by and key is None):
        return
    for window in windows.running():
        window.add(metric, value, key)
