# SPDX-License-Identifier: Apache-2.0
"""Random limits of what a person can do, most so low that random events exceed them."""
from __future__ import annotations

from random import Random
from typing import Any

from plausibility import SPANS

TYPES = ["line.spoken", "review.graded", "session.ended", "word.added", "xp.adjusted", "achievement.granted", "quest.finished", "session.started"]


def with_limits(document: dict[str, Any]) -> dict[str, Any]:
    """The rules with limits. They depend on the rules' name, so that the rest of the random rules stays as it is."""
    rng = Random(document["name"])
    known = [kind for kind in TYPES if kind != "quest.finished" or kind in document["events"]]
    chosen = rng.sample(known, rng.choice([0, 1, 2, 3, 4]))
    if not chosen:
        return document
    return document | {"plausible": {kind: {"at_most": str(rng.randint(0, 4)), "per": rng.choice(list(SPANS))} for kind in chosen}}
