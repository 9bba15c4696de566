// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CEventJSON.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

// A list of members. They are written in place, without being set to zero first.
struct MemberList {
    std::unique_ptr<laurel_json_member[]> items{new laurel_json_member[64]};
    size_t count = 0;
    size_t capacity = 64;

    // The memory for one more member. It belongs to the list once `count` is incremented.
    laurel_json_member &next() {
        if (count == capacity) {
            std::unique_ptr<laurel_json_member[]> larger(new laurel_json_member[capacity * 2]);
            std::copy_n(items.get(), count, larger.get());
            items = std::move(larger);
            capacity *= 2;
        }
        return items[count];
    }

    // Returns a member that has the same key as an earlier member; null if all keys differ. The first `first` members
    // are left out.
    const laurel_json_member *duplicate(size_t first = 0) {
        const laurel_json_member *list = items.get() + first;
        size_t count = this->count - first;
        auto key = [&](size_t i) {
            return std::string_view(reinterpret_cast<const char *>(list[i].key), list[i].key_length);
        };
        if (count <= 24) {
            for (size_t i = 1; i < count; i++) {
                for (size_t j = 0; j < i; j++) {
                    if (key(i) == key(j)) return list + i;
                }
            }
            return nullptr;
        }
        order.resize(count);
        for (size_t i = 0; i < count; i++) order[i] = uint32_t(i);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            int compared = key(a).compare(key(b));
            return compared < 0 || (compared == 0 && a < b);
        });
        for (size_t i = 1; i < count; i++) {
            if (key(order[i]) == key(order[i - 1])) return list + order[i];
        }
        return nullptr;
    }

  private:
    std::vector<uint32_t> order;
};

// Returns the attribute that a key names.
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

// Stores the position of a member, the `count`th of its event, if the member is an attribute.
inline void laurel_json_place(laurel_json_result &result, const laurel_json_member &member, uint32_t count) {
    if (member.attribute != LAUREL_JSON_OTHER && member.kind != LAUREL_JSON_NULL) {
        result.positions[member.attribute] = count;
    } else {
        result.has_others = 1;
    }
}

// A set of classes of keys, with a bit for each class. Equal keys are in the same class. Different keys are usually
// in different classes, and those of the catalogue always are. So if a key's bit is not set yet, no equal key came
// before.
struct KeysTaken {
    uint64_t bits = 0;
    bool maybe_twice = false;

    void add(const laurel_json_member &member) {
        const uint8_t *key = member.key;
        const uint32_t length = member.key_length;
        uint32_t key_class = member.attribute;
        if (key_class == LAUREL_JSON_OTHER) {
            key_class = length == 0 ? 0 : (length + key[0] + key[length - 1] + key[length / 2] * 17) & 63;
        }
        maybe_twice |= (bits >> key_class & 1) != 0;
        bits |= uint64_t(1) << key_class;
    }
};
