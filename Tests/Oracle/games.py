# SPDX-License-Identifier: Apache-2.0
"""The state that a learner's overall track keeps for games. Language tracks read it there."""
from __future__ import annotations

from typing import Any

from catalogue import CATALOGUE
from events import Event
from expressions import Value
from game_rules import League
from goals import Standing
from purse import Purse
from rules import Rules
from seen import plain_value, visible_fields
from words import Fit


class Games:
    """A learner's profile, fitted parameters, experiments, balances and goals, in the version of the learner's latest event."""

    def __init__(self, rules: Rules, learner: str) -> None:
        self.rules = rules
        self.learner = learner
        self.profile: dict[str, Any] = {}
        self.fits: list[Fit] = []
        self.purse = Purse(rules)
        self.goals = {goal.id: Standing() for goal in rules.goals}
        # The fields of the latest `league.finished` of each league, whatever the version knows.
        self.results: dict[str, dict[str, Any]] = {}
        self.has_begun = False

    def go_over(self, rules: Rules, time: int) -> None:
        """Goes over to the next version for an event at a time, or for a reading before the first event. A declared field keeps
        its value if it is declared with the same type."""
        before, after = (version.declared.get("learner.updated", {}) for version in (self.rules, rules))
        self.profile = {
            name: value for name, value in self.profile.items()
            if name in CATALOGUE["learner.updated"] or before[name] == after.get(name)
        }
        self.goals = {goal.id: self.goals.get(goal.id, Standing()) for goal in rules.goals}
        self.rules = rules
        if self.has_begun:
            self.purse.go_over(rules, time)
        else:
            self.purse = Purse(rules)

    def enter(self, event: Event) -> None:
        """Step 1."""
        if not self.has_begun:
            self.purse.anchor(event.time)
        self.has_begun = True
        self.refill(event.time)
        if event.type == "learner.updated":
            self.profile |= visible_fields(event, None, self.rules)
        if event.type == "scheduler.fitted":
            self.fits.append((event.language, event.fields["parameters"]))
        if event.type == "league.finished":
            self.results[event.fields["league"]] = event.fields

    def refill(self, time: int) -> None:
        """Refills the balances until an event, or until the instant of a reading."""
        if self.has_begun:
            self.purse.refill(time)

    def value(self, name: str, day: int) -> Value:
        """The value on a local day of a name that is the same in every track."""
        group, _, rest = name.partition(".")
        if group == "learner":
            return plain_value(self.profile.get(rest))
        if group == "balance":
            return float(self.purse.balances[rest])
        if group == "goals":
            return float(len(self.goals[rest].completions))
        if group == "league":
            league, _, what = rest.partition(".")
            return self.tier(self.rules.leagues[league]) if what == "tier" else plain_value(self.results.get(league, {}).get("rank"))
        assert group == "experiment", name
        return self.experiments(day).get(rest)

    def tier(self, league: League) -> str:
        """The learner's tier, by a version's definition of a league."""
        placed = self.results.get(league.name, {}).get("next")
        return placed if placed in league.tiers else league.tiers[0]

    def book(self, event: Event, awards: list[tuple[str, int]]) -> None:
        """Books the awards of an event, then its adjustment, or the price of what it buys."""
        for currency, amount in awards:
            self.purse.award(currency, amount, event.time)
        if event.type == "currency.adjusted":
            self.purse.add(event.fields["currency"], event.fields["amount"], event.time)
        if event.type == "item.bought" and event.fields["item"] in self.rules.items:
            self.purse.bought[event.fields["item"]] += event.fields["count"]
            for currency, amount in self.rules.items[event.fields["item"]].price.items():
                self.purse.add(currency, -amount * event.fields["count"], event.time)

    def experiments(self, day: int) -> dict[str, str]:
        """The learner's variant of each experiment that runs on a local day."""
        variants = {e.name: e.variant(self.learner) for e in self.rules.experiments if e.period.holds(day)}
        return {name: variant for name, variant in variants.items() if variant is not None}
