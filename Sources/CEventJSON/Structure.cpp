// SPDX-License-Identifier: Apache-2.0

#include "Structure.h"

#include "Marks.h"

#include <simdjson.h>

namespace {

enum Kind : uint8_t { OTHER = 0, SPACE, BRACKET, QUOTE };

struct Kinds {
    uint8_t of[256] = {};

    constexpr Kinds() {
        for (char byte : {' ', '\t', '\n', '\r'}) of[uint8_t(byte)] = SPACE;
        for (char byte : {'{', '}', '[', ']', ':', ','}) of[uint8_t(byte)] = BRACKET;
        of[uint8_t('"')] = QUOTE;
    }
};

constexpr Kinds kinds;

// Data about the strings read so far: the first backslash and the first control character.
struct Strings {
    const uint8_t *const stop;
    const uint8_t *escape = stop;
    const uint8_t *control = nullptr;

    // Returns the byte after a string's closing quote; null if there is no closing quote. `at` is the byte after the
    // opening quote.
    const uint8_t *end(const uint8_t *at) {
        while (true) {
            at = laurel_json_next_mark(at, stop);
            if (at >= stop) return nullptr;
            if (*at == '"') return at + 1;
            const bool is_escape = *at == '\\';
            if (is_escape && escape == stop) escape = at;
            // A control character is invalid even after a backslash.
            at += is_escape;
            if (!control && at < stop && *at < ' ') control = at;
            at++;
        }
    }
};

}  // namespace

void Structure::reserve(size_t bytes) {
    if (bytes <= capacity) return;
    size_t wanted = std::max<size_t>(bytes, 4096);
    // In the worst case, every byte is a token.
    tokens.reset(new uint32_t[wanted + 4]);
    capacity = wanted;
}

void Structure::find(const uint8_t *record, uint32_t length) {
    reserve(length);
    base = record;
    end = length;
    Strings strings{record + length};
    uint32_t *token = tokens.get();
    const uint8_t *from = record;
    const uint8_t *const stop = record + length;
    while (from < stop) {
        if (*from == '"') {
            *token++ = uint32_t(from - record);
            from = strings.end(from + 1);
            if (!from) throw Failure{LAUREL_JSON_UNCLOSED_STRING, token[-1]};
            // Usually a colon, comma or bracket follows a string.
            if (from == stop || kinds.of[*from] != BRACKET) continue;
            *token++ = uint32_t(from++ - record);
            continue;
        }
        const uint8_t kind = kinds.of[*from];
        if (kind != SPACE) *token++ = uint32_t(from - record);
        from++;
        while (kind == OTHER && from < stop && kinds.of[*from] == OTHER) from++;
    }
    if (strings.control) throw Failure{LAUREL_JSON_CONTROL_CHARACTER, uint32_t(strings.control - record)};
    if (token == tokens.get()) throw Failure{LAUREL_JSON_EMPTY, 0};
    if (!simdjson::validate_utf8(reinterpret_cast<const char *>(record), length)) {
        throw Failure{LAUREL_JSON_NOT_UTF8, laurel_json_locate_bad_utf8(record, length)};
    }
    std::fill_n(token, 4, length);
    at = tokens.get();
    plain_end = uint32_t(strings.escape - record);
}
