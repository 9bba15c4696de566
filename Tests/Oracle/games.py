# SPDX-License-Identifier: Apache-2.0
"""The state that a learner's overall track keeps for games. Language tracks read it there."""
from __future__ import annotations

from typing import Any

from catalogue import CATALOGUE
from events import Event
from expressions import Value
from rules import Rules
from seen import plain_value, visible_fields


class Games:
    """A learner's profile and experiments, in the version of the learner's latest event."""

    def __init__(self, rules: Rules, learner: str) -> None:
        self.rules = rules
        self.learner = learner
        self.profile: dict[str, Any] = {}

    def go_over(self, rules: Rules) -> None:
        """Goes over to the next version. A declared field keeps its value if it is declared with the same type."""
        before, after = (version.declared.get("learner.updated", {}) for version in (self.rules, rules))
        self.profile = {
            name: value for name, value in self.profile.items()
            if name in CATALOGUE["learner.updated"] or before[name] == after.get(name)
        }
        self.rules = rules

    def enter(self, event: Event) -> None:
        """Step 1."""
        if event.type == "learner.updated":
            self.profile |= visible_fields(event, None, self.rules)

    def value(self, name: str, day: int) -> Value:
        """The value on a local day of a name that is the same in every track."""
        group, _, rest = name.partition(".")
        if group == "learner":
            return plain_value(self.profile.get(rest))
        assert group == "experiment", name
        return self.experiments(day).get(rest)

    def experiments(self, day: int) -> dict[str, str]:
        """The learner's variant of each experiment that runs on a local day."""
        variants = {e.name: e.variant(self.learner) for e in self.rules.experiments if e.period.holds(day)}
        return {name: variant for name, variant in variants.items() if variant is not None}
