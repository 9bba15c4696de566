#pragma once

#include "Text.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <simdjson.h>

// Where the tokens of a record start.
struct Structure {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
    size_t capacity = 0;

    // The stretch of input whose structure is known, as far as it is not parsed yet, and the first backslash in that.
    const uint8_t *ahead = nullptr;
    const uint8_t *ahead_end = nullptr;
    const uint8_t *backslash = nullptr;

    // What the structure is of; the record being parsed goes from `start` to `end` in it.
    const uint8_t *base = nullptr;
    uint32_t start = 0;
    uint32_t end = 0;
    // The token at hand: where it starts in `base`. Behind the last one stands the end of the input.
    const uint32_t *at = nullptr;
    bool has_escapes = false;

    // Finds the structure of a stretch, for all its records.
    void look_ahead(const uint8_t *input, uint32_t length);
    // Goes to the first token of a record; throws Failure where it has none.
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

    void reserve(size_t bytes);
    simdjson::error_code read(const uint8_t *input, uint32_t length);
    void find_backslash(const uint8_t *from);
};
