// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Finds the end of a text, 16 bytes at a time. The code is C, because a Swift module calls it.

typedef int8_t laurel_json_signed __attribute__((ext_vector_type(16)));
typedef uint8_t laurel_json_unsigned __attribute__((ext_vector_type(16)));

// Converts the result of comparing 16 bytes into 16 bits.
static inline uint32_t laurel_json_bits(laurel_json_signed found) {
    typedef bool Bits __attribute__((ext_vector_type(16)));
    const Bits bits = __builtin_convertvector(found, Bits);
    uint16_t result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

// Marks quotes, backslashes, control characters and bytes beyond ASCII among the 16 bytes from `at` on, with a bit
// for each byte. As signed numbers, bytes beyond ASCII are less than a space.
static inline uint32_t laurel_json_marks(const uint8_t *at) {
    laurel_json_signed bytes;
    memcpy(&bytes, at, sizeof bytes);
    return laurel_json_bits((laurel_json_signed)((bytes == '"') | (bytes == '\\') | (bytes < ' ')));
}

// Returns the next quote, backslash or control character before `stop`; `stop` if there is none.
static inline const uint8_t *laurel_json_next_mark(const uint8_t *at, const uint8_t *stop) {
    for (; stop - at >= 16; at += 16) {
        laurel_json_unsigned bytes;
        memcpy(&bytes, at, sizeof bytes);
        const uint32_t found = laurel_json_bits((laurel_json_signed)((bytes == '"') | (bytes == '\\') | (bytes < ' ')));
        if (found) return at + __builtin_ctz(found);
    }
    while (at < stop && *at != '"' && *at != '\\' && *at >= ' ') at++;
    return at;
}
