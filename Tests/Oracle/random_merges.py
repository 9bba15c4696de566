# SPDX-License-Identifier: Apache-2.0
"""Merges of learners among the lines of a random stream."""
from __future__ import annotations

import json
from random import Random


def with_merges(rng: Random, lines: list[bytes]) -> list[bytes]:
    """The lines, with merges of three ids in a chain and of an id without events. Some events also come under the id into which
    theirs is merged."""
    lines = list(lines)
    learners = sorted({json.loads(line)["subject"] for line in lines})
    rng.shuffle(learners)
    chain = list(zip(learners, learners[1:3])) + [("nobody", learners[-1])]
    for merged, into in chain:
        theirs = [line for line in lines if json.loads(line)["subject"] == merged]
        for line in rng.sample(theirs, min(8, len(theirs))):
            _insert(rng, lines, json.loads(line) | {"subject": into})
    for merged, into in chain:
        _insert(rng, lines, {"merged": merged, "into": into})
    return lines


def _insert(rng: Random, lines: list[bytes], value: dict[str, object]) -> None:
    lines.insert(rng.randrange(len(lines) + 1), json.dumps(value, ensure_ascii=False).encode())
