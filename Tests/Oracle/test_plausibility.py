# SPDX-License-Identifier: Apache-2.0
"""Stories computed by hand: limits, flags, and flags that are cleared.

    python3 -m unittest
"""
from __future__ import annotations

import unittest
from typing import Any

from test_oracle import event, told, tracks
from test_versions import END, versions

RULES = "plausible: {line.spoken: {at_most: 2, per: minute}}\nxp: [{id: line, on: line.spoken, award: 10}]"
DAY = "2026-03-01T"


def spoken(*times: str, **more: Any) -> list[dict[str, Any]]:
    return [event("line.spoken", f"{DAY}{time}Z", id=f"l{index}", **more) for index, time in enumerate(times)]


def naming(kind: str, target: str, at: str = "12:00:00", **more: Any) -> dict[str, Any]:
    return event(kind, f"{DAY}{at}Z", {"source": "app", "id": target}, **more)


def flags(events: list[dict[str, Any]], rules: str = RULES, track: str = "*", at: str = END) -> tuple[int, int]:
    progress = tracks(rules, events, at)[track]
    return progress["flaggedEvents"], progress["flaggedXP"]


class Limits(unittest.TestCase):
    def test_the_span(self) -> None:
        self.assertEqual(flags(spoken("10:00:00", "10:00:30", "10:00:59.999")), (1, 10))
        self.assertEqual(flags(spoken("10:00:00", "10:00:30", "10:01:00")), (0, 0))
        self.assertEqual(flags(spoken("10:00:00", "10:00:00", "10:00:00")), (1, 10))
        self.assertEqual(flags(spoken("10:00:00"), RULES.replace("2", "0")), (1, 10))

    def test_tracks(self) -> None:
        events = spoken("10:00:00", "10:00:30", language="es") + [event("line.spoken", f"{DAY}10:00:40Z", language="de")]
        self.assertEqual(flags(events, track="de"), (1, 10))
        self.assertEqual(flags(events, track="es"), (0, 0))

    def test_corrections(self) -> None:
        events = spoken("10:00:00", "10:00:30", "10:00:40", "10:01:10")
        self.assertEqual(flags(events), (2, 20))
        self.assertEqual(flags([*events, naming("event.retracted", "l0")]), (1, 10))
        self.assertEqual(flags([*events, naming("flag.cleared", "l2")]), (1, 10))
        self.assertEqual(flags([*events, naming("flag.cleared", "l2", "09:00:00")]), (1, 10))
        self.assertEqual(flags([*events, naming("flag.cleared", "l2")], at=f"{DAY}11:00:00Z"), (2, 20))
        cleared = [*events, naming("flag.cleared", "l2", id="c", session="s"), event("session.discarded", f"{DAY}13:00:00Z", session="s")]
        self.assertEqual(flags(cleared), (1, 10))
        self.assertEqual(flags([*cleared, naming("event.retracted", "c")]), (2, 20))

    def test_rewards(self) -> None:
        rules = f"metrics: {{lines: {{count: line.spoken}}}}\n{RULES}\nachievements: [{{id: a, value: total.lines, at_least: 3, xp: 100}}]"
        self.assertEqual(flags(spoken("10:00:00", "10:00:30", "10:00:40"), rules), (1, 110))

    def test_versions(self) -> None:
        rules = versions("name: none", ("2026-03-02", RULES), ("2026-03-03", "name: later"))
        lines = [event("line.spoken", f"2026-03-{time}Z") for time in ("01T23:59:40", "01T23:59:50", "02T00:00:10", "03T00:00:00")]
        self.assertNotIn("flaggedEvents", told(rules, lines[:2], END)["*"])
        self.assertEqual(told(rules, lines, END)["*"]["flaggedEvents"], 1)


if __name__ == "__main__":
    unittest.main()
