// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstring>

// Looks for the end of a text, 16 bytes at a time.

using Bytes16 = int8_t __attribute__((ext_vector_type(16)));

// A bit for each of 16 bytes.
inline uint32_t bits_of(Bytes16 found) {
    using Bits = bool __attribute__((ext_vector_type(16)));
    return __builtin_bit_cast(uint16_t, __builtin_convertvector(found, Bits));
}

// Of the 16 bytes from `at` on, as bits: quotes, backslashes, and what is less than a space, which as signed numbers are
// control characters and all beyond ASCII.
inline uint32_t marks_of(const uint8_t *at) {
    Bytes16 bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bits_of(Bytes16(bytes == '"') | Bytes16(bytes == '\\') | Bytes16(bytes < ' '));
}

// The next quote, backslash or control character; `stop`, up to which may be read, where there is none.
inline const uint8_t *next_mark(const uint8_t *at, const uint8_t *stop) {
    using Unsigned = uint8_t __attribute__((ext_vector_type(16)));
    for (; stop - at >= 16; at += 16) {
        Unsigned bytes;
        std::memcpy(&bytes, at, sizeof bytes);
        uint32_t found = bits_of(Bytes16(bytes == '"') | Bytes16(bytes == '\\') | Bytes16(bytes < ' '));
        if (found) return at + __builtin_ctz(found);
    }
    while (at < stop && *at != '"' && *at != '\\' && *at >= ' ') at++;
    return at;
}
