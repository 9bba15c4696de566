# SPDX-License-Identifier: Apache-2.0
"""Contestants that take turns."""

import dataclasses
import os
import sys
import typing


@dataclasses.dataclass
class Trial:
    """One contestant's run of one work on one input."""

    work: str
    input: str
    contestant: str
    # Returns named numbers.
    measure: typing.Callable[[], dict]
    # Preparations, which are not measured.
    prepare: typing.Callable[[], None] = lambda: None
    # True if another run would give the same number.
    once: bool = False
    results: list = dataclasses.field(default_factory=list)

    def values(self, name):
        return [result[name] for result in self.results if name in result]

    @property
    def title(self):
        return f"{self.work}, {self.input}: {self.contestant}"


def hold(trials, runs, keep):
    """Runs the trials of each round one after the other. Each round begins with another trial, so that noise hits all equally.

    Calls `keep` after each trial, so that its figures survive a failure hours later.
    """
    for round_ in range(runs):
        start = round_ * 5 % len(trials)
        for trial in trials[start:] + trials[:start]:
            if trial.once and trial.results:
                continue
            print(f"run {round_ + 1} of {runs}: {trial.title}", file=sys.stderr, flush=True)
            trial.prepare()
            # Earlier writes must not reach the disk during this trial.
            os.sync()
            trial.results.append(trial.measure())
            keep()
