# SPDX-License-Identifier: Apache-2.0
"""The hash that assigns learners to variants of experiments, goals of pools and rooms of leagues. It is the hash of GrowthBook, version 2."""
from __future__ import annotations

import struct


def fnv1a(text: str) -> int:
    """FNV-1a with 32 bits over the UTF-16 code units of a text."""
    encoded = text.encode("utf-16-le")
    result = 2_166_136_261
    for unit in struct.unpack(f"<{len(encoded) // 2}H", encoded):
        result = (result ^ unit) * 16_777_619 % 2**32
    return result


def hashed_twice(text: str) -> int:
    """The hash of the decimal digits of a text's hash."""
    return fnv1a(str(fnv1a(text)))
