# SPDX-License-Identifier: Apache-2.0
"""A learner's balances, and the number of items bought."""
from __future__ import annotations

from awards import MOST
from game_rules import Currency
from rules import Rules


class Purse:
    """The balances, by currency. An anchor is the time from which a refill's periods count; a balance has one if it has a
    refill, is below its `hold`, and an event has been folded."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.balances = {name: currency.start for name, currency in rules.currencies.items()}
        self.anchors: dict[str, int] = {}
        self.bought = {item: 0 for item in rules.items}

    def go_over(self, rules: Rules, time: int) -> None:
        """Goes over to the next version for an event at a time. Currencies and items that a version lacks begin anew later."""
        self.refill(time)
        fresh = Purse(rules)
        self.balances = fresh.balances | {name: b for name, b in self.balances.items() if name in rules.currencies}
        self.bought = fresh.bought | {item: count for item, count in self.bought.items() if item in rules.items}
        self.rules = rules
        self.anchor(time)

    def anchor(self, time: int) -> None:
        """Anchors the balances that need an anchor and have none."""
        below = [name for name, currency in self.rules.currencies.items() if self._refills(currency)]
        self.anchors = {name: self.anchors.get(name, time) for name in below}

    def refill(self, time: int) -> None:
        for name, anchor in self.anchors.items():
            currency = self.rules.currencies[name]
            assert currency.refill and currency.hold is not None
            periods = (time - anchor) // currency.refill.every
            self.balances[name] = min(currency.hold, self.balances[name] + periods * currency.refill.by)
            self.anchors[name] = anchor + periods * currency.refill.every
        self.anchor(time)

    def _refills(self, currency: Currency) -> bool:
        return currency.refill is not None and currency.hold is not None and self.balances[currency.name] < currency.hold

    def award(self, name: str, amount: int, time: int) -> None:
        """Adds an award: never beyond `hold`, and never into debt."""
        balance, hold = self.balances[name], self.rules.currencies[name].hold
        if amount > 0:
            self._set(name, max(balance, balance + amount if hold is None else min(hold, balance + amount)), time)
        else:
            self._set(name, max(min(balance, 0), balance + amount), time)

    def add(self, name: str, amount: int, time: int) -> None:
        """Adds an amount as it is, if the rules have the currency."""
        if name in self.balances:
            self._set(name, self.balances[name] + amount, time)

    def _set(self, name: str, balance: int, time: int) -> None:
        self.balances[name] = max(-MOST, min(balance, MOST))
        self.anchor(time)

    def next_refills(self) -> dict[str, int]:
        """The instants of the next refills, by currency."""
        refills = {name: self.rules.currencies[name].refill for name in self.anchors}
        return {name: self.anchors[name] + refill.every for name, refill in refills.items() if refill}
