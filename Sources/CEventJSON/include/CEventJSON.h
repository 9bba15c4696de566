// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Marks.h"

#include <stddef.h>
#include <stdint.h>

// Events as JSON objects, each taken apart into its attributes and the members of its attribute `data`.
//
// All pointers stay valid until the next parse, as long as the input does: texts without escapes point into the input,
// others into memory of the parser.

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
    // `payload` holds the bits of a double whose shortest spelling denotes exactly the number that was written.
    LAUREL_JSON_DOUBLE,
    // Any other number: `text` is what was written.
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
    // `offset` is that of the second one; `duplicate` names it.
    LAUREL_JSON_DUPLICATE_KEY,
    LAUREL_JSON_TOO_LONG,
    LAUREL_JSON_NO_MEMORY,
};

enum { LAUREL_JSON_MAX_DEPTH = 128, LAUREL_JSON_MAX_BYTES = 1 << 24 };

// The attributes that have a place of their own.
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
    // Without quotes, escapes resolved.
    const uint8_t *key;
    // A string without quotes, escapes resolved; a number as written; an array or object without white space.
    const uint8_t *text;
    // As written, quotes included; arrays and objects without white space.
    const uint8_t *raw_key;
    const uint8_t *raw;
    uint32_t key_length;
    uint32_t text_length;
    uint32_t raw_key_length;
    uint32_t raw_length;
    uint64_t payload;
    uint8_t kind;
    // An array all of whose elements are strings.
    uint8_t only_strings;
    // Of a member of the event itself, which attribute it is.
    uint8_t attribute;
} laurel_json_member;

typedef struct {
    // After an error, the members that were read before it.
    const laurel_json_member *members;
    // Those of the member `data`, where it is an object.
    const laurel_json_member *data;
    uint32_t member_count;
    uint32_t data_count;
    // Per attribute, the index of its member plus one; 0 where it is absent or null.
    uint32_t positions[LAUREL_JSON_OTHER];
    // Whether there are members without a position.
    uint8_t has_others;
    // How many bytes the object `data` takes in the input.
    uint32_t data_length;
    int32_t error;
    // Where in the input the error is.
    uint32_t offset;
    uint8_t duplicate_in_data;
    const uint8_t *duplicate;
    uint32_t duplicate_length;
} laurel_json_result;

// The member that is an attribute; NULL where that is absent or null.
static inline const laurel_json_member *laurel_json_find(const laurel_json_result *result, uint8_t attribute) {
    uint32_t position = result->positions[attribute];
    return position > 0 ? result->members + (position - 1) : NULL;
}

// NULL where memory is short.
laurel_json *laurel_json_create(void);
void laurel_json_destroy(laurel_json *parser);

// Parses one record. Never fails but by `error`.
void laurel_json_parse(laurel_json *parser, const uint8_t *input, size_t length, laurel_json_result *result);

// The closing quote of a text without escapes; NULL where it has any, or is not UTF-8. A control character stands somewhere
// behind it.
const uint8_t *laurel_json_utf8_text_end(const uint8_t *text);

// Reads a text that is one JSON number; the kind is one of the three above, or -1 where it is none.
int32_t laurel_json_read_number(const uint8_t *text, size_t length, uint64_t *payload);

// The number of such digits with a point before the last ones of them, where there are at most 15, and at most 15 behind the
// point. One division of exact numbers is exact (Clinger 1990).
static inline double laurel_json_decimal(uint64_t digits, uint32_t places) {
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    return (double)digits / powers[places];
}

#ifdef __cplusplus
}
#endif
