# SPDX-License-Identifier: Apache-2.0
"""Contestants that take turns."""

import dataclasses
import os
import sys
import typing


@dataclasses.dataclass
class Trial:
    """One contestant at one work on one input."""

    work: str
    input: str
    contestant: str
    # Returns named numbers.
    measure: typing.Callable[[], dict]
    # Made ready before, and not counted.
    prepare: typing.Callable[[], None] = lambda: None
    # Where running it again would give the same number.
    once: bool = False
    results: list = dataclasses.field(default_factory=list)

    def values(self, name):
        return [result[name] for result in self.results if name in result]

    @property
    def title(self):
        return f"{self.work}, {self.input}: {self.contestant}"


def hold(trials, runs, keep):
    """All trials of a round one after the other, each round beginning elsewhere, so that noise hits all alike.

    Calls `keep` after each, so that what was measured survives a failure hours later.
    """
    for round_ in range(runs):
        start = round_ * 5 % len(trials)
        for trial in trials[start:] + trials[:start]:
            if trial.once and trial.results:
                continue
            print(f"run {round_ + 1} of {runs}: {trial.title}", file=sys.stderr, flush=True)
            trial.prepare()
            # What others wrote is not to reach the disk on this one's time.
            os.sync()
            trial.results.append(trial.measure())
            keep()
