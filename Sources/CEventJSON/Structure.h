// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Text.h"

#include <algorithm>
#include <memory>

// The tokens of a record: brackets, colons, commas, strings, and any other text without white space.
struct Structure {
    // The record's bytes, and their number.
    const uint8_t *base = nullptr;
    uint32_t end = 0;
    // The offset in `base` of the current token. After the last token, the record's length is listed four times. So a
    // member's four tokens can be read without a check for the end.
    const uint32_t *at = nullptr;
    // The offset of the first backslash in a string; `end` if there is none.
    uint32_t plain_end = 0;

    // Finds the tokens of a record, and moves to the first one. Throws Failure if there is none, if the record is not
    // UTF-8, or if a string does not end or contains a control character.
    void find(const uint8_t *record, uint32_t length);

    // The first byte of the current token; 0 at the end, because no token starts with 0.
    uint8_t peek() const { return *at < end ? base[*at] : 0; }

    // The end of the current token. Only white space lies between this end and the next token.
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
