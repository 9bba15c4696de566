// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CEventJSON.h"

// An error, and its offset in the input.
struct Failure {
    int32_t error;
    uint32_t offset;
};

// Returns the offset of the first invalid character in a text that is not UTF-8.
uint32_t laurel_json_locate_bad_utf8(const uint8_t *input, uint32_t length);

// Checks the escapes of a string between its quotes, and writes the string's text, which is never longer. Returns the
// end of the written text. Throws Failure, with the offset in the input.
uint8_t *laurel_json_unescape(const uint8_t *input, const uint8_t *from, const uint8_t *end, uint8_t *out);
