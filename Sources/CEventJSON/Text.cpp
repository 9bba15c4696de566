// SPDX-License-Identifier: Apache-2.0

#include "Text.h"

#include <simdjson.h>

uint32_t laurel_json_locate_bad_utf8(const uint8_t *input, uint32_t length) {
    uint32_t valid = 0;
    while (valid < length) {
        uint32_t size = input[valid] < 0x80 ? 1 : input[valid] < 0xE0 ? 2 : input[valid] < 0xF0 ? 3 : 4;
        if (valid + size > length) return valid;
        if (size > 1 && !simdjson::validate_utf8(reinterpret_cast<const char *>(input + valid), size)) return valid;
        valid += size;
    }
    return length;
}

namespace {

// Returns the value of a hexadecimal digit, or -1.
int hex(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

int32_t hex4(const uint8_t *at, const uint8_t *end) {
    if (end - at < 4) return -1;
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex(at[i]);
        if (digit < 0) return -1;
        value = value << 4 | digit;
    }
    return value;
}

uint8_t *put_utf8(uint32_t scalar, uint8_t *out) {
    if (scalar < 0x80) {
        *out++ = uint8_t(scalar);
    } else if (scalar < 0x800) {
        *out++ = uint8_t(0xC0 | scalar >> 6);
        *out++ = uint8_t(0x80 | (scalar & 0x3F));
    } else if (scalar < 0x10000) {
        *out++ = uint8_t(0xE0 | scalar >> 12);
        *out++ = uint8_t(0x80 | (scalar >> 6 & 0x3F));
        *out++ = uint8_t(0x80 | (scalar & 0x3F));
    } else {
        *out++ = uint8_t(0xF0 | scalar >> 18);
        *out++ = uint8_t(0x80 | (scalar >> 12 & 0x3F));
        *out++ = uint8_t(0x80 | (scalar >> 6 & 0x3F));
        *out++ = uint8_t(0x80 | (scalar & 0x3F));
    }
    return out;
}

uint8_t unescaped(uint8_t byte) {
    switch (byte) {
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case '"': case '\\': case '/': return byte;
        default: return 0;
    }
}

}  // namespace

uint8_t *laurel_json_unescape(const uint8_t *input, const uint8_t *from, const uint8_t *end, uint8_t *out) {
    while (from < end) {
        if (*from != '\\') {
            *out++ = *from++;
            continue;
        }
        uint32_t where = uint32_t(from - input);
        if (end - from < 2) throw Failure{LAUREL_JSON_BAD_ESCAPE, where};
        if (from[1] != 'u') {
            uint8_t byte = unescaped(from[1]);
            if (byte == 0) throw Failure{LAUREL_JSON_BAD_ESCAPE, where};
            *out++ = byte;
            from += 2;
            continue;
        }
        int32_t unit = hex4(from + 2, end);
        if (unit < 0) throw Failure{LAUREL_JSON_BAD_ESCAPE, where};
        from += 6;
        uint32_t scalar = uint32_t(unit);
        if (scalar >= 0xD800 && scalar < 0xE000) {
            int32_t low = end - from >= 6 && from[0] == '\\' && from[1] == 'u' ? hex4(from + 2, end) : -1;
            if (scalar >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) throw Failure{LAUREL_JSON_LONE_SURROGATE, where};
            scalar = 0x10000 + ((scalar - 0xD800) << 10) + (uint32_t(low) - 0xDC00);
            from += 6;
        }
        out = put_utf8(scalar, out);
    }
    return out;
}
