# SPDX-License-Identifier: Apache-2.0
"""The parts of reports' tables: shares, and ranges of numbers."""
from __future__ import annotations

import math
from typing import Any

from progress import plain

Rows = list[list[Any]]


def share(counts: list[int]) -> float | None:
    return plain(100 * counts[1] / counts[0]) if counts[0] else None


def bins(values: list[float]) -> Rows:
    """Some twelve ranges of one round width, at least five: lower bound, upper bound, number of values."""
    if not values:
        return []
    width = round_width((max(values) - min(values)) / 12)
    if all(value == int(value) for value in values):
        width = max(1.0, width)
    width = width or 1.0
    first = math.floor(min(values) / width)
    count = math.floor(max(values) / width) - first + 1
    if count < 5:
        before = (5 - count) // 2
        first -= before if min(values) < 0 else min(before, first)
        count = 5
    places = [min(count - 1, max(0, math.floor(value / width) - first)) for value in values]
    return [[plain((first + i) * width), plain((first + i + 1) * width), places.count(i)] for i in range(count)]


def round_width(least: float) -> float:
    if least <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
