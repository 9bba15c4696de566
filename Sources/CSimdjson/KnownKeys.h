// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Members.h"

#include <cstring>

// A key that was met, as it stands with its quotes and the colon behind it.
struct KnownKey {
    // Zeros follow it.
    uint64_t token[2] = {};
    // A byte of ones per byte of the token.
    uint64_t mask[2] = {};
    // Of the token.
    uint32_t size = 0;
    uint8_t attribute = LAUREL_JSON_OTHER;
    uint8_t key_class = 0;
    // Which key followed it last; null where none did.
    KnownKey *next = nullptr;

    // How many bytes are read where a key may stand.
    static constexpr uint32_t longest = sizeof token;

    inline __attribute__((always_inline)) bool stands(const uint8_t *at) const {
        uint64_t bytes[2];
        std::memcpy(bytes, at, sizeof bytes);
        return (((bytes[0] ^ token[0]) & mask[0]) | ((bytes[1] ^ token[1]) & mask[1])) == 0;
    }
};

// The keys that were met lately in objects of one kind, one of each class.
class KnownKeys {
  public:
    // The key of a member, without escapes and with a colon right behind it, that was not recognised but will be; null
    // where it is too long for that.
    KnownKey *meet(const laurel_json_member &member) {
        uint32_t size = member.raw_key_length + 1;
        if (size > KnownKey::longest) return nullptr;
        KnownKey &known = keys[member.key_class];
        if (known.size != size || !known.stands(member.raw_key)) {
            known = {};
            std::memcpy(&known.token, member.raw_key, size);
            std::memset(&known.mask, 0xFF, size);
            known.size = size;
            known.attribute = member.attribute;
            known.key_class = member.key_class;
        }
        return &known;
    }

  private:
    KnownKey keys[64];
};
