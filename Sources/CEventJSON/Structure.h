// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Text.h"

#include <algorithm>
#include <memory>

// Where the tokens of a record start: brackets, colons and commas, strings, and all else that is no white space.
struct Structure {
    // The record, as far as `end`.
    const uint8_t *base = nullptr;
    uint32_t end = 0;
    // The token at hand: where it starts in `base`. Behind the last one stands the end of the record, four times, so that
    // whoever looks at a member's four tokens sees where they end.
    const uint32_t *at = nullptr;
    // Where the first backslash stands in a string; `end` where there is none.
    uint32_t plain_end = 0;

    // Goes to the first token of a record; throws Failure where it has none, is not UTF-8, or a string in it does not end or
    // holds a control character.
    void find(const uint8_t *record, uint32_t length);

    // The byte that the current token starts with; 0 at the end (no token starts with it).
    uint8_t peek() const { return *at < end ? base[*at] : 0; }

    // Where the current token ends: behind it only white space stands before the next.
    uint32_t token_end() const {
        uint32_t stop = std::min(at[1], end);
        while (is_space(base[stop - 1])) stop--;
        return stop;
    }

  private:
    static bool is_space(uint8_t byte) {
        return byte <= ' ' && (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r');
    }

    std::unique_ptr<uint32_t[]> tokens;
    size_t capacity = 0;

    void reserve(size_t bytes);
};
