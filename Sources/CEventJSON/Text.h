// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CEventJSON.h"

// What is wrong, and where in the input.
struct Failure {
    int32_t error;
    uint32_t offset;
};

// Where a text that is not UTF-8 goes wrong.
uint32_t laurel_json_locate_bad_utf8(const uint8_t *input, uint32_t length);

// Checks the escapes of a string between its quotes and writes the text they stand for, which is never longer.
// Returns the end of what was written; throws Failure, with the offset in the input.
uint8_t *laurel_json_unescape(const uint8_t *input, const uint8_t *from, const uint8_t *end, uint8_t *out);
