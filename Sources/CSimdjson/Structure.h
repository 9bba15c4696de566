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

    // The stretch of input whose records are being parsed, and how far may be read from it on.
    const uint8_t *stretch = nullptr;
    const uint8_t *stretch_end = nullptr;
    const uint8_t *readable_end = nullptr;
    // Whether the rest of the stretch may have a structure: false once it turned out to be broken.
    bool may_look_ahead = false;
    // How many records in a row were not read in the shorter way, without their structure.
    uint32_t unusual = 0;

    // The part of it whose structure is known, as far as it is not parsed yet, and the first backslash in that.
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

    void announce(const uint8_t *input, size_t length, size_t readable);
    // Whether a control character stands behind a record of the stretch, and 16 bytes may be read from there on.
    bool is_ended(const uint8_t *record, uint32_t length) const {
        return is_within(record, length, stretch, stretch_end) && size_t(readable_end - record) >= length + size_t(16) &&
               record[length] < ' ';
    }
    // Whether the structure of a record was found together with that of others.
    bool is_known(const uint8_t *record, uint32_t length) const {
        return is_within(record, length, ahead, ahead_end);
    }
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

    static bool is_within(const uint8_t *record, uint32_t length, const uint8_t *from, const uint8_t *to) {
        return from && record >= from && record + length <= to;
    }

    // Finds the structure of the rest of the stretch, for all its records.
    void look_ahead(const uint8_t *from);
    void reserve(size_t bytes);
    simdjson::error_code read(const uint8_t *input, uint32_t length);
    void find_backslash(const uint8_t *from);
};
