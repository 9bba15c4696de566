// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Marks.h"

#include <stddef.h>
#include <stdint.h>

// Parses events as JSON objects into their attributes, and into the members of their attribute `data`.
//
// All pointers are valid until the next parse, and only as long as the input exists. Texts without escapes point into
// the input. Other texts point into the parser's memory.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct laurel_json laurel_json;

enum {
    LAUREL_JSON_NULL = 0,
    LAUREL_JSON_FALSE,
    LAUREL_JSON_TRUE,
    // `payload` is an Int64.
    LAUREL_JSON_INTEGER,
    // `payload` is the bit pattern of a double whose shortest spelling is exactly the written number.
    LAUREL_JSON_DOUBLE,
    // Any other number. `text` is the number as written.
    LAUREL_JSON_SPELLED,
    LAUREL_JSON_STRING,
    LAUREL_JSON_ARRAY,
    LAUREL_JSON_OBJECT,
};

enum {
    LAUREL_JSON_OK = 0,
    LAUREL_JSON_EMPTY,
    LAUREL_JSON_NOT_UTF8,
    LAUREL_JSON_CONTROL_CHARACTER,
    LAUREL_JSON_UNCLOSED_STRING,
    LAUREL_JSON_NOT_AN_OBJECT,
    LAUREL_JSON_ENDS_EARLY,
    LAUREL_JSON_EXPECTED_KEY,
    LAUREL_JSON_EXPECTED_COLON,
    LAUREL_JSON_EXPECTED_VALUE,
    LAUREL_JSON_EXPECTED_COMMA,
    LAUREL_JSON_TRAILING,
    LAUREL_JSON_BAD_NUMBER,
    LAUREL_JSON_BAD_ESCAPE,
    LAUREL_JSON_LONE_SURROGATE,
    LAUREL_JSON_TOO_DEEP,
    // `offset` is the offset of the second key; `duplicate` is the key.
    LAUREL_JSON_DUPLICATE_KEY,
    LAUREL_JSON_TOO_LONG,
    LAUREL_JSON_NO_MEMORY,
};

enum { LAUREL_JSON_MAX_DEPTH = 128, LAUREL_JSON_MAX_BYTES = 1 << 24 };

// The attributes that have an element in `positions`.
enum {
    LAUREL_JSON_ID = 0,
    LAUREL_JSON_SOURCE,
    LAUREL_JSON_TYPE,
    LAUREL_JSON_SUBJECT,
    LAUREL_JSON_TIME,
    LAUREL_JSON_SPECVERSION,
    LAUREL_JSON_LANGUAGE,
    LAUREL_JSON_SESSION,
    LAUREL_JSON_TIMEZONE,
    LAUREL_JSON_DATA,
    LAUREL_JSON_OTHER,
};

typedef struct {
    // The key without quotes, with escapes resolved.
    const uint8_t *key;
    // For a string, its text without quotes, with escapes resolved. For a number, the number as written. For an array
    // or object, the JSON without white space.
    const uint8_t *text;
    // The key and the value as written, including quotes. Arrays and objects have no white space.
    const uint8_t *raw_key;
    const uint8_t *raw;
    uint32_t key_length;
    uint32_t text_length;
    uint32_t raw_key_length;
    uint32_t raw_length;
    uint64_t payload;
    uint8_t kind;
    // 1 for an array that contains only strings.
    uint8_t only_strings;
    // For a member of the event itself, its attribute.
    uint8_t attribute;
} laurel_json_member;

typedef struct {
    // The members of the event; after an error, the members that were read before it.
    const laurel_json_member *members;
    // The members of the attribute `data`, if it is an object.
    const laurel_json_member *data;
    uint32_t member_count;
    uint32_t data_count;
    // For each attribute, the index of its member plus one; 0 if the attribute is absent or null.
    uint32_t positions[LAUREL_JSON_OTHER];
    // 1 if there are members without a position.
    uint8_t has_others;
    // The number of bytes of the object `data` in the input.
    uint32_t data_length;
    int32_t error;
    // The offset of the error in the input.
    uint32_t offset;
    uint8_t duplicate_in_data;
    const uint8_t *duplicate;
    uint32_t duplicate_length;
} laurel_json_result;

// Returns the member that is an attribute; NULL if the attribute is absent or null.
static inline const laurel_json_member *laurel_json_find(const laurel_json_result *result, uint8_t attribute) {
    uint32_t position = result->positions[attribute];
    return position > 0 ? result->members + (position - 1) : NULL;
}

// Returns NULL if memory is short.
laurel_json *laurel_json_create(void);
void laurel_json_destroy(laurel_json *parser);

// Parses one record. Errors are reported only in `error`.
void laurel_json_parse(laurel_json *parser, const uint8_t *input, size_t length, laurel_json_result *result);

// Returns the closing quote of a text without escapes; NULL if the text has escapes, or is not UTF-8. A control
// character must come somewhere after the text.
const uint8_t *laurel_json_utf8_text_end(const uint8_t *text);

// Reads a text that is one JSON number. Returns its kind, which is one of the three above; -1 if the text is not a
// number.
int32_t laurel_json_read_number(const uint8_t *text, size_t length, uint64_t *payload);

// Returns the number with these digits and a point before the last `places` digits. There may be at most 15 digits
// and at most 15 places. Both operands of the division are exact, so the result is the nearest double (Clinger 1990).
static inline double laurel_json_decimal(uint64_t digits, uint32_t places) {
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    return (double)digits / powers[places];
}

#ifdef __cplusplus
}
#endif
