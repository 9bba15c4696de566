// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CEventJSON.h"

#include <cstring>

// Reads a whole token as a JSON number into `kind` and `payload`. Returns false if the token is not a number.
bool laurel_json_number(const uint8_t *start, const uint8_t *end, laurel_json_member &member);

// Reads a token that is a number of the most frequent form: digits only, or up to 15 digits with a point among them,
// the last digit not 0. Returns false for any other token, even if it is another number.
inline bool laurel_json_short_number(const uint8_t *text, uint32_t length, laurel_json_member &member) {
    if (length > 16) return false;
    uint64_t digits = 0;
    uint32_t point = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t digit = uint32_t(text[i]) - '0';
        if (digit < 10) {
            digits = digits * 10 + digit;
        } else if (text[i] == '.' && point == 0) {
            point = i;
        } else {
            return false;
        }
    }
    if (text[0] == '0' ? length > 1 && point != 1 : text[0] == '.') return false;
    if (point == 0) {
        member.kind = LAUREL_JSON_INTEGER;
        member.payload = digits;
        return true;
    }
    if (point == length - 1 || digits % 10 == 0) return false;
    double value = laurel_json_decimal(digits, length - 1 - point);
    member.kind = LAUREL_JSON_DOUBLE;
    std::memcpy(&member.payload, &value, sizeof value);
    return true;
}
