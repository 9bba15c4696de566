// SPDX-License-Identifier: Apache-2.0

// simdjson only checks that a text is UTF-8. Its parsers are not used: see docs/ARCHITECTURE.md. Its DOM refuses
// numbers that no double represents, and does not keep the spelling of numbers. Its first stage, which finds the
// tokens, is not part of the interface. So this code finds and parses the tokens.

#include "CEventJSON.h"
#include "Members.h"
#include "Number.h"
#include "Structure.h"
#include "Text.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include <simdjson.h>

namespace {

std::string_view view(const uint8_t *text, size_t length) {
    return {reinterpret_cast<const char *>(text), length};
}

}  // namespace

struct laurel_json : Structure {
    MemberList members;
    MemberList data;
    // Memory for texts that differ from the input. A text in this memory is never longer than its source in the
    // input.
    std::unique_ptr<uint8_t[]> arena;
    size_t arena_capacity = 0;
    uint8_t *arena_end = nullptr;
    laurel_json_result *result = nullptr;

    void reserve_arena() {
        // Twice the length, because keys and values are stored separately from the minified whole.
        size_t wanted = 2 * size_t(end);
        if (arena_capacity < wanted) {
            arena_capacity = std::max<size_t>(wanted, 8192);
            arena.reset(new uint8_t[arena_capacity]);
        }
        arena_end = arena.get();
    }

    [[noreturn]] __attribute__((noinline, cold)) void fail(int32_t error) const {
        throw Failure{*at < end ? error : LAUREL_JSON_ENDS_EARLY, std::min(*at, end)};
    }

    // Reads and checks the string at the current token, and moves to the next token. `raw` includes the quotes.
    void string(const uint8_t *&text, uint32_t &text_length, const uint8_t *&raw, uint32_t &raw_length) {
        const uint8_t *opening = base + *at;
        uint32_t size = token_end() - *at;
        if (size < 2 || opening[size - 1] != '"') fail(LAUREL_JSON_UNCLOSED_STRING);
        at++;
        raw = opening;
        raw_length = size;
        text = opening + 1;
        text_length = size - 2;
        if (text + text_length <= base + plain_end || !std::memchr(text, '\\', text_length)) return;
        uint8_t *out = laurel_json_unescape(base, text, text + text_length, arena_end);
        text = arena_end;
        text_length = uint32_t(out - arena_end);
        arena_end = out;
    }

    // Reads a scalar that is not a string.
    void scalar(laurel_json_member &member) {
        std::string_view token = view(base + *at, token_end() - *at);
        member.text = member.raw = base + *at;
        member.text_length = member.raw_length = uint32_t(token.size());
        if (token[0] == '-' || (token[0] >= '0' && token[0] <= '9')) {
            if (!laurel_json_number(member.text, member.text + token.size(), member)) fail(LAUREL_JSON_BAD_NUMBER);
        } else if (token == "null") {
            member.kind = LAUREL_JSON_NULL;
        } else if (token == "true") {
            member.kind = LAUREL_JSON_TRUE;
        } else if (token == "false") {
            member.kind = LAUREL_JSON_FALSE;
        } else {
            fail(LAUREL_JSON_EXPECTED_VALUE);
        }
        at++;
    }

    // Copies the current token without the white space after it.
    void copy_token(uint8_t *&out) const {
        uint32_t size = token_end() - *at;
        std::memcpy(out, base + *at, size);
        out += size;
    }

    void nested_scalar(uint8_t *&out) {
        copy_token(out);
        if (peek() != '"') {
            laurel_json_member ignored;
            scalar(ignored);
            return;
        }
        const uint8_t *text, *raw;
        uint32_t text_length, raw_length;
        uint8_t *kept = arena_end;
        // The string is only checked. Its text is written after the copy, and then dropped.
        arena_end = out;
        string(text, text_length, raw, raw_length);
        arena_end = kept;
    }

    // Checks an array or object inside `depth` other values, and copies it without white space. There is no
    // recursion.
    void nested(laurel_json_member &member, uint32_t depth) {
        bool is_object[LAUREL_JSON_MAX_DEPTH + 1];
        uint32_t level = 0;
        uint8_t *out = arena_end;
        uint32_t elements = 0, strings = 0;
        // True right after an opening bracket. The closing bracket may then come instead of a value.
        bool opened = false;
        do {
            uint8_t byte = peek();
            bool closing = opened && byte == (is_object[level] ? '}' : ']');
            if (!closing) {
                if (level > 0 && is_object[level]) nested_key(out);
                byte = peek();
                if (level == 1) elements++;
                if (level == 1 && byte == '"') strings++;
                opened = byte == '{' || byte == '[';
                if (opened) {
                    if (depth + ++level > LAUREL_JSON_MAX_DEPTH) fail(LAUREL_JSON_TOO_DEEP);
                    is_object[level] = byte == '{';
                    *out++ = byte;
                    at++;
                    continue;
                }
                if (*at >= end) fail(LAUREL_JSON_ENDS_EARLY);
                nested_scalar(out);
            }
            opened = false;
            close(is_object, level, out);
        } while (level > 0);
        member.only_strings = member.kind == LAUREL_JSON_ARRAY && elements == strings;
        member.text = member.raw = arena_end;
        member.text_length = member.raw_length = uint32_t(out - arena_end);
        arena_end = out;
    }

    // Reads the closing brackets after a nested value. If they do not end the outermost value, a comma must follow.
    void close(const bool *is_object, uint32_t &level, uint8_t *&out) {
        while (level > 0 && peek() == (is_object[level] ? '}' : ']')) {
            *out++ = peek();
            at++;
            level--;
        }
        if (level == 0) return;
        if (peek() != ',') fail(LAUREL_JSON_EXPECTED_COMMA);
        *out++ = ',';
        at++;
    }

    void nested_key(uint8_t *&out) {
        if (peek() != '"') fail(LAUREL_JSON_EXPECTED_KEY);
        nested_scalar(out);
        if (peek() != ':') fail(LAUREL_JSON_EXPECTED_COLON);
        *out++ = ':';
        at++;
    }

    void value(laurel_json_member &member, uint32_t depth) {
        switch (peek()) {
            case '"':
                member.kind = LAUREL_JSON_STRING;
                string(member.text, member.text_length, member.raw, member.raw_length);
                return;
            case '{':
                member.kind = LAUREL_JSON_OBJECT;
                return nested(member, depth);
            case '[':
                member.kind = LAUREL_JSON_ARRAY;
                return nested(member, depth);
            default:
                if (*at >= end) fail(LAUREL_JSON_ENDS_EARLY);
                return scalar(member);
        }
    }

    // Reads the object `data`, and keeps its members.
    void data_object(laurel_json_member &member) {
        uint32_t from = *at;
        member.kind = LAUREL_JSON_OBJECT;
        member.text = member.raw = base + from;
        data.count = 0;
        object<true>();
        result->data_length = at[-1] + 1 - from;
        member.text_length = member.raw_length = result->data_length;
    }

    // Reads the members of the object at the current token: the event, or its data.
    template <bool in_data> void object() {
        MemberList &into = in_data ? data : members;
        KeysTaken taken;
        at++;
        if (peek() == '}') {
            at++;
            return;
        }
        while (plain_members<in_data>(into, taken)) {
            if (member<in_data>(into, taken)) break;
        }
        at++;
        if (!taken.maybe_twice) return;
        if (const laurel_json_member *second = into.duplicate()) fail_duplicate(*second, in_data);
    }

    // Reads a member and the separator after it. Moves past the separator if it is a comma. Returns true for the last
    // member.
    template <bool in_data> __attribute__((noinline)) bool member(MemberList &into, KeysTaken &taken) {
        laurel_json_member &member = into.next();
        key(member);
        member.attribute = in_data ? uint8_t(LAUREL_JSON_OTHER) : laurel_json_attribute(member.key, member.key_length);
        member.only_strings = 0;
        taken.add(member);
        if (!in_data && member.attribute == LAUREL_JSON_DATA && peek() == '{') {
            data_object(member);
        } else {
            value(member, in_data ? 2 : 1);
        }
        // The member is counted only now, so that an error leaves only complete members.
        into.count++;
        if (!in_data) laurel_json_place(*result, member, uint32_t(into.count));
        if (peek() == '}') return true;
        if (peek() != ',') fail(LAUREL_JSON_EXPECTED_COMMA);
        at++;
        return false;
    }

    // Reads members of the most frequent form: texts and short numbers, without white space between the tokens,
    // before the first escape. Returns true if a member of another form follows. Otherwise the closing bracket is the
    // current token.
    template <bool in_data> bool plain_members(MemberList &into, KeysTaken &taken) {
        // These are copies. Otherwise the compiler must assume that writing a member may change them.
        const uint8_t *const bytes = base;
        const uint32_t stop = plain_end;
        const uint32_t *token = at;
        laurel_json_member *member = into.items.get() + into.count;
        const laurel_json_member *const room = into.items.get() + into.capacity;
        KeysTaken seen = taken;
        bool closed = false;
        // A member's tokens are key, colon, value and separator. If the separator is before `stop`, so are the other
        // three.
        while (!closed && token[3] < stop && member < room && is_plain_string(bytes, token) && bytes[token[1]] == ':') {
            const uint8_t separator = bytes[token[3]];
            closed = separator == '}';
            if (!closed && separator != ',') break;
            if (is_plain_string(bytes, token + 2)) {
                member->kind = LAUREL_JSON_STRING;
                put_string(bytes, token + 2, member->text, member->text_length, member->raw, member->raw_length);
            } else if (in_data && laurel_json_short_number(bytes + token[2], token[3] - token[2], *member)) {
                member->text = member->raw = bytes + token[2];
                member->text_length = member->raw_length = token[3] - token[2];
            } else {
                closed = false;
                break;
            }
            put_string(bytes, token, member->key, member->key_length, member->raw_key, member->raw_key_length);
            member->only_strings = 0;
            member->attribute =
                in_data ? uint8_t(LAUREL_JSON_OTHER) : laurel_json_attribute(member->key, member->key_length);
            seen.add(*member);
            into.count++;
            if (!in_data) laurel_json_place(*result, *member, uint32_t(into.count));
            member++;
            token += 4;
        }
        taken = seen;
        at = closed ? token - 1 : token;
        return !closed;
    }

    // Returns true if the token is a string that ends right before the next token.
    static bool is_plain_string(const uint8_t *bytes, const uint32_t *token) {
        return bytes[token[0]] == '"' && bytes[token[1] - 1] == '"' && token[1] - token[0] >= 2;
    }

    static void put_string(const uint8_t *bytes, const uint32_t *token, const uint8_t *&text, uint32_t &text_length,
                           const uint8_t *&raw, uint32_t &raw_length) {
        raw = bytes + token[0];
        text = raw + 1;
        raw_length = token[1] - token[0];
        text_length = raw_length - 2;
    }

    // Reads the key at the current token, and the colon after it.
    void key(laurel_json_member &member) {
        if (peek() != '"') fail(LAUREL_JSON_EXPECTED_KEY);
        string(member.key, member.key_length, member.raw_key, member.raw_key_length);
        if (peek() != ':') fail(LAUREL_JSON_EXPECTED_COLON);
        at++;
    }

    [[noreturn]] __attribute__((noinline, cold)) void fail_duplicate(const laurel_json_member &member, bool in_data) {
        result->duplicate = member.key;
        result->duplicate_length = member.key_length;
        result->duplicate_in_data = in_data;
        throw Failure{LAUREL_JSON_DUPLICATE_KEY, uint32_t(member.raw_key - base)};
    }

    void parse(const uint8_t *record, uint32_t length) {
        members.count = 0;
        data.count = 0;
        find(record, length);
        reserve_arena();
        if (peek() != '{') fail(LAUREL_JSON_NOT_AN_OBJECT);
        object<false>();
        if (*at < end) fail(LAUREL_JSON_TRAILING);
    }
};

laurel_json *laurel_json_create(void) {
    try {
        return new laurel_json;
    } catch (...) {
        return nullptr;
    }
}

void laurel_json_destroy(laurel_json *parser) { delete parser; }

void laurel_json_parse(laurel_json *parser, const uint8_t *input, size_t length, laurel_json_result *result) {
    *result = {};
    parser->result = result;
    try {
        if (length > LAUREL_JSON_MAX_BYTES) throw Failure{LAUREL_JSON_TOO_LONG, 0};
        parser->parse(input, uint32_t(length));
    } catch (const Failure &failure) {
        result->error = failure.error;
        result->offset = failure.offset;
        if (failure.error == LAUREL_JSON_TOO_LONG) return;
    } catch (...) {
        result->error = LAUREL_JSON_NO_MEMORY;
        return;
    }
    result->members = parser->members.items.get();
    result->member_count = uint32_t(parser->members.count);
    result->data = parser->data.items.get();
    result->data_count = uint32_t(parser->data.count);
}

const uint8_t *laurel_json_utf8_text_end(const uint8_t *text) {
    const uint8_t *at = text;
    while (*at >= ' ' && *at != '"' && *at != '\\') at++;
    if (*at != '"') return nullptr;
    return simdjson::validate_utf8(reinterpret_cast<const char *>(text), size_t(at - text)) ? at : nullptr;
}
