#pragma once

#include "CSimdjson.h"

#include <algorithm>
#include <cstring>
#include <memory>

// Members are written in place, without being set to zero first.
struct MemberList {
    std::unique_ptr<laurel_json_member[]> items{new laurel_json_member[64]};
    size_t count = 0;
    size_t capacity = 64;

    // Room for one more, which does not count until `count` says so.
    laurel_json_member &next() {
        if (count == capacity) {
            std::unique_ptr<laurel_json_member[]> larger(new laurel_json_member[capacity * 2]);
            std::copy_n(items.get(), count, larger.get());
            items = std::move(larger);
            capacity *= 2;
        }
        return items[count];
    }
};

// Which attribute a key names.
inline __attribute__((always_inline)) uint8_t laurel_json_attribute(const uint8_t *key, uint32_t length) {
    auto is = [key](const char *name, size_t size) { return std::memcmp(key, name, size) == 0; };
    switch (length) {
        case 2: return is("id", 2) ? LAUREL_JSON_ID : LAUREL_JSON_OTHER;
        case 4:
            if (is("type", 4)) return LAUREL_JSON_TYPE;
            if (is("time", 4)) return LAUREL_JSON_TIME;
            return is("data", 4) ? LAUREL_JSON_DATA : LAUREL_JSON_OTHER;
        case 6: return is("source", 6) ? LAUREL_JSON_SOURCE : LAUREL_JSON_OTHER;
        case 7:
            if (is("subject", 7)) return LAUREL_JSON_SUBJECT;
            return is("session", 7) ? LAUREL_JSON_SESSION : LAUREL_JSON_OTHER;
        case 8:
            if (is("timezone", 8)) return LAUREL_JSON_TIMEZONE;
            return is("language", 8) ? LAUREL_JSON_LANGUAGE : LAUREL_JSON_OTHER;
        case 11: return is("specversion", 11) ? LAUREL_JSON_SPECVERSION : LAUREL_JSON_OTHER;
        default: return LAUREL_JSON_OTHER;
    }
}

// A bit per attribute, and per kind of other keys: only where it is taken may an equal one have been before. Equal keys
// are of one kind; different ones mostly are not (those of the catalogue never are).
struct KeysTaken {
    uint64_t bits = 0;
    bool maybe_twice = false;

    void add(const laurel_json_member &member) {
        uint32_t bit = member.attribute;
        if (bit == LAUREL_JSON_OTHER) {
            const uint8_t *key = member.key;
            uint32_t length = member.key_length;
            bit = (length == 0 ? 0 : length + key[0] + key[length - 1] + key[length / 2] * 17) & 63;
        }
        maybe_twice |= (bits >> bit & 1) != 0;
        bits |= uint64_t(1) << bit;
    }
};
