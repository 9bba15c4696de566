// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "KnownKeys.h"
#include "Marks.h"
#include "Members.h"
#include "Number.h"

#include <cstring>

#include <simdjson.h>

// Reads records as most are in one pass: the attributes are texts, `data` is an object of texts, numbers, true, false and
// null, nothing is escaped, and no white space stands but before keys and values. Whatever else a record has, every error
// too, is for the walk along its structure to find, from the beginning.
//
// Behind the record stands a control character, as at the end of a line. Nothing that is looked for here goes on beyond
// one, so that no other bound is needed: all reading begins in the record or at that character.
class UsualRecords {
  public:
    // Bytes that may be read from the end of the record on, at least.
    static constexpr size_t slack = 16;

    UsualRecords() {
        for (uint8_t attribute = 0; attribute < LAUREL_JSON_OTHER; attribute++) {
            laurel_json_member &member = members.next();
            member = {};
            member.attribute = attribute;
            member.kind = attribute == LAUREL_JSON_DATA ? LAUREL_JSON_OBJECT : LAUREL_JSON_STRING;
            members.count++;
        }
    }

    // Whether the record is of that kind, and was read. If not, nothing that was written is of use.
    bool read(const uint8_t *record, const uint8_t *end, laurel_json_result &result) {
        members.count = LAUREL_JSON_OTHER;
        data.count = 0;
        if (*record != '{' || event(record + 1, result) != end) return false;
        if (members.count > LAUREL_JSON_OTHER + 1 && members.duplicate(LAUREL_JSON_OTHER)) return false;
        result.is_usual = 1;
        result.members = members.items.get();
        result.member_count = uint32_t(members.count);
        result.data = data.items.get();
        result.data_count = uint32_t(data.count);
        return true;
    }

  private:
    // First of all, each attribute at its own place, whether it is there or not, of which only the text is written; then
    // other members.
    MemberList members;
    MemberList data;

    KnownKeys event_keys;
    KnownKeys data_keys;
    // The keys that the last event, and the data of the last one of a class of types, began with.
    KnownKey *first_of_event = nullptr;
    KnownKey *first_of_data[64] = {};
    // What followed keys that are not known.
    KnownKey *after_extension = nullptr;
    KnownKey *after_long_key = nullptr;

    // All that follows returns where to go on, or null where the record is not of that kind.

    // The attributes, from behind the opening brace on.
    const uint8_t *event(const uint8_t *at, laurel_json_result &result) {
        laurel_json_member *const attributes = members.items.get();
        KnownKey **expected = &first_of_event;
        while (true) {
            at = skip_spaces(at);
            KnownKey *known = *expected;
            if (__builtin_expect(known && known->stands(at), 1)) {
                at = skip_spaces(at + known->size);
                expected = &known->next;
            } else {
                laurel_json_member member;
                at = new_key<false>(at, member, expected, known);
                if (!at) return nullptr;
                at = skip_spaces(at);
                if (!known) {
                    at = extension(at, member, result);
                    if (!at) return nullptr;
                    if (*at != ',') break;
                    at++;
                    continue;
                }
            }
            const uint32_t attribute = known->attribute;
            if (result.positions[attribute] != 0) return nullptr;
            const uint8_t *end;
            if (*at == '"' && attribute != LAUREL_JSON_DATA) {
                end = text_end(at + 1);
                if (!end) return nullptr;
                attributes[attribute].text = at + 1;
                attributes[attribute].text_length = uint32_t(end - at) - 1;
                end++;
            } else {
                if (*at != '{' || attribute != LAUREL_JSON_DATA) return nullptr;
                end = object(at + 1, first_key(result));
                if (!end) return nullptr;
                result.data_length = uint32_t(end - at);
            }
            result.positions[attribute] = attribute + 1;
            at = end;
            if (*at != ',') break;
            at++;
        }
        return *at == '}' ? at + 1 : nullptr;
    }

    // Where the first key of the event's data is remembered: by its type, mostly.
    KnownKey **first_key(const laurel_json_result &result) {
        const laurel_json_member &type = members.items[LAUREL_JSON_TYPE];
        if (result.positions[LAUREL_JSON_TYPE] == 0 || type.text_length == 0) return first_of_data;
        return first_of_data + ((type.text_length * 31 + type.text[0] * 7 + type.text[type.text_length - 1]) & 63);
    }

    // The value of a member that is no attribute.
    __attribute__((noinline)) const uint8_t *extension(const uint8_t *at, laurel_json_member member,
                                                       laurel_json_result &result) {
        const uint8_t *end = value(at, member);
        if (!end) return nullptr;
        member.raw = at;
        member.raw_length = uint32_t(end - at);
        members.next() = member;
        members.count++;
        result.has_others = 1;
        return end;
    }

    // The members of `data`, from behind its opening brace on. `expected` is where its first key is remembered.
    const uint8_t *object(const uint8_t *at, KnownKey **expected) {
        KeysTaken taken;
        while (true) {
            laurel_json_member &member = data.next();
            at = skip_spaces(at);
            KnownKey *known = *expected;
            if (__builtin_expect(known && known->stands(at), 1)) {
                member.key = at + 1;
                member.key_length = known->size - 3;
                member.key_class = known->key_class;
                at += known->size;
                expected = &known->next;
            } else {
                if (*at == '}' && data.count == 0) break;
                at = new_key<true>(at, member, expected, known);
                if (!at) return nullptr;
            }
            taken.add(member.key_class);
            at = value(skip_spaces(at), member);
            if (!at) return nullptr;
            data.count++;
            if (*at != ',') break;
            at++;
        }
        if (*at != '}' || (taken.maybe_twice && data.duplicate())) return nullptr;
        return at + 1;
    }

    // A key that is not the one expected; from now on it is. `known` is null for what is no attribute, or too long.
    template <bool in_data>
    __attribute__((noinline)) const uint8_t *new_key(const uint8_t *at, laurel_json_member &member,
                                                     KnownKey **&expected, KnownKey *&known) {
        if (*at != '"') return nullptr;
        const uint8_t *end = text_end(at + 1);
        if (!end || end[1] != ':') return nullptr;
        member.raw_key = at;
        member.raw_key_length = uint32_t(end + 1 - at);
        member.key = at + 1;
        member.key_length = member.raw_key_length - 2;
        member.attribute = in_data ? uint8_t(LAUREL_JSON_OTHER) : laurel_json_attribute(member.key, member.key_length);
        laurel_json_set_class(member);
        known = in_data ? data_keys.meet(member) : nullptr;
        if (!in_data && member.attribute != LAUREL_JSON_OTHER) known = event_keys.meet(member);
        if (known) *expected = known;
        expected = known ? &known->next : in_data ? &after_long_key : &after_extension;
        return end + 2;
    }

    static inline __attribute__((always_inline)) const uint8_t *value(const uint8_t *at, laurel_json_member &member) {
        member.only_strings = 0;
        if (*at != '"') return scalar(at, member);
        const uint8_t *end = text_end(at + 1);
        if (!end) return nullptr;
        member.kind = LAUREL_JSON_STRING;
        member.text = at + 1;
        member.text_length = uint32_t(end - at) - 1;
        return end + 1;
    }

    static const uint8_t *scalar(const uint8_t *at, laurel_json_member &member) {
        const uint8_t *end = at;
        uint64_t number = 0;
        while (uint32_t(*end - '0') < 10) number = number * 10 + (*end++ - '0');
        if ((*end == ',' || *end == '}') && end > at && end - at <= 16 && (*at != '0' || end == at + 1)) {
            member.kind = LAUREL_JSON_INTEGER;
            member.payload = number;
        } else {
            end = other_scalar(at, end, member);
            if (!end) return nullptr;
        }
        member.text = at;
        member.text_length = uint32_t(end - at);
        return end;
    }

    // A scalar that is no text and no natural number, of which digits go up to `end`.
    static const uint8_t *other_scalar(const uint8_t *at, const uint8_t *end, laurel_json_member &member) {
        auto is = [at](const char *name, size_t size) { return std::memcmp(at, name, size) == 0; };
        switch (*at) {
            case 'n': member.kind = LAUREL_JSON_NULL; return is("null", 4) ? at + 4 : nullptr;
            case 't': member.kind = LAUREL_JSON_TRUE; return is("true", 4) ? at + 4 : nullptr;
            case 'f': member.kind = LAUREL_JSON_FALSE; return is("false", 5) ? at + 5 : nullptr;
            default: break;
        }
        while (*end > ',' && *end != '}') end++;
        if (end == at) return nullptr;
        bool is_number = laurel_json_short_number(at, uint32_t(end - at), member) || laurel_json_number(at, end, member);
        return is_number ? end : nullptr;
    }

    static const uint8_t *skip_spaces(const uint8_t *at) {
        while (__builtin_expect(*at == ' ', 0)) at++;
        return at;
    }

    // The closing quote of a text that is UTF-8 without escapes.
    static inline __attribute__((always_inline)) const uint8_t *text_end(const uint8_t *text) {
        const uint8_t *at = text;
        uint32_t found;
        while ((found = marks_of(at)) == 0) at += sizeof(Bytes16);
        at += __builtin_ctz(found);
        return __builtin_expect(*at == '"', 1) ? at : text_end_beyond_ascii(text, at);
    }

    static __attribute__((noinline)) const uint8_t *text_end_beyond_ascii(const uint8_t *text, const uint8_t *at) {
        while (*at >= ' ' && *at != '"' && *at != '\\') at++;
        if (*at != '"') return nullptr;
        return simdjson::validate_utf8(reinterpret_cast<const char *>(text), size_t(at - text)) ? at : nullptr;
    }
};
