# SPDX-License-Identifier: Apache-2.0
"""Groups computed by hand, and a count of the features that random worlds of groups use.

    python3 -m unittest
"""
from __future__ import annotations

import unittest
from collections import Counter
from random import Random
from typing import Any

from events import Store
from groups import all_groups
from instants import format_instant, parse_time
from progress import At, fold_until
from random_groups import World, rules_document
from rules import rules_of
from test_oracle import event, stored
from versions import Versions

NOW = parse_time("2027-01-01T00:00:00Z")[0]
STREAK = {"metrics": {"lines": {"count": "line.spoken"}}, "streak": {"when": "day.lines >= 1"}}


def read(store: Store, versions: Versions, at: str) -> list[dict[str, Any]]:
    parsed = At.parse(at)
    folds = {name: fold_until(name, store.of_learner(name), versions, parsed) for name in store.learners()}
    return all_groups(folds, versions, parsed)


def text(value: Any) -> Any:
    """Rules as they are loaded: all scalars are text."""
    if isinstance(value, dict):
        return {key: text(item) for key, item in value.items()}
    return [text(item) for item in value] if isinstance(value, list) else str(value)


class Stories(unittest.TestCase):
    """Ana joins on the 2nd and Ben on the 3rd of March. Both practise on the 3rd to 5th, Ana on the 6th."""

    def group(self, body: dict[str, Any], at: str) -> dict[str, Any]:
        def happen(learner: str, what: str, day: int, **data: Any) -> dict[str, Any]:
            written = f"2026-03-{day:02}T10:00:00Z"
            return event(what, written, data, subject=learner, id=f"{learner}-{what}-{day}")

        lines = [happen("ana", "group.joined", 2, group="g", kind="k"), happen("ben", "group.joined", 3, group="g")]
        lines += [happen("ana", "line.spoken", day, durationMs=59_999) for day in range(2, 7)]
        lines += [happen("ben", "line.spoken", day, durationMs=1) for day in range(3, 6)]
        found = read(stored(lines), Versions(rules_of(text(STREAK | {"groups": {"k": body}}), "r")), at)
        self.assertEqual([group["id"] for group in found], ["g"])
        return found[0]

    def test_streak(self) -> None:
        for need, at, expected in (
            ("all", "2026-03-06T12:00:00Z", (3, 3, False)), ("all", "2026-03-07T12:00:00Z", (0, 3, False)),
            ("any", "2026-03-06T12:00:00Z", (4, 4, True)), ("2", "2026-03-05T12:00:00Z", (3, 3, True)),
            ("3", "2026-03-05T12:00:00Z", (0, 0, False)), ("any", "2026-03-02T12:00:00Z", (0, 0, False)),
        ):
            streak = self.group({"streak": {"need": need}}, at)["streak"]
            self.assertEqual((streak["current"], streak["longest"], streak["isReached"]), expected, f"{need} {at}")

    def test_goals(self) -> None:
        """The week began on the 2nd. Minutes are rounded down once for the group."""
        for every, column, expected in (
            ("week", "lines", [8, 5, 3]), ("week", "active_days", [8, 5, 3]), ("day", "lines", [1, 1, 0]), ("week", "minutes", [4, 4, 0]),
        ):
            group = self.group({"goals": [{"id": "a", "every": every, "sum": column, "target": 8}]}, "2026-03-06T12:00:00Z")
            shares = [member["shares"]["a"] for member in group["members"]]
            self.assertEqual([group["goals"][0]["value"], *shares], expected, f"{every} {column}")
            self.assertEqual(group["goals"][0]["isComplete"], expected[0] >= 8)


class RandomWorlds(unittest.TestCase):
    def test_use_every_feature(self) -> None:
        found: Counter[str] = Counter()
        for seed in range(150):
            rng = Random(seed)
            versions, store = Versions(rules_of(text(rules_document(rng)), "r")), Store()
            for number, line in enumerate(World(rng).lines()):
                store.take(line, number, NOW)
            self.assertEqual(store.counts["refused"] + store.counts["conflicts"], 0, seed)
            times = sorted(event.time for event in store.events.values())
            for group in read(store, versions, format_instant(times[len(times) * 3 // 4])):
                streak = group["streak"] or {"current": 0, "longest": 0, "isReached": False}
                found["several members"] += len(group["members"]) > 1
                found["streak"] += streak["current"] > 1
                found["broken streak"] += streak["longest"] > streak["current"]
                found["reached"] += streak["isReached"]
                found["complete"] += any(goal["isComplete"] for goal in group["goals"])
                found["of leavers"] += any(
                    goal["value"] > sum(member["shares"][goal["id"]] for member in group["members"]) + 1 for goal in group["goals"]
                )
                found["no kind"] += group["kind"] is None
        self.assertEqual([name for name, count in found.items() if count < 3], [], found)


if __name__ == "__main__":
    unittest.main()
