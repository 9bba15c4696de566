// simdjson's first stage finds the structure of the text (where strings, scalars and brackets start) and checks UTF-8
// and control characters, many bytes at a time. Its second stages do not fit: the DOM refuses numbers that no double
// holds and forgets how numbers were written, and On-Demand checks only what is visited and takes some lone surrogates.
// So the structure is walked here.

#include "CSimdjson.h"
#include "Number.h"
#include "Text.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace {

using simdjson::internal::dom_parser_implementation;

bool is_space(uint8_t byte) {
    return byte <= ' ' && (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r');
}

std::string_view view(const uint8_t *text, size_t length) {
    return {reinterpret_cast<const char *>(text), length};
}

}  // namespace

// Members are written in place, without being set to zero first.
struct MemberList {
    std::unique_ptr<laurel_json_member[]> items{new laurel_json_member[64]};
    size_t count = 0;
    size_t capacity = 64;

    laurel_json_member &add() {
        if (count == capacity) {
            std::unique_ptr<laurel_json_member[]> larger(new laurel_json_member[capacity * 2]);
            std::copy_n(items.get(), count, larger.get());
            items = std::move(larger);
            capacity *= 2;
        }
        return items[count++];
    }
};

struct laurel_json {
    std::unique_ptr<dom_parser_implementation> stage;
    size_t capacity = 0;
    MemberList members;
    MemberList data;
    std::vector<uint32_t> order;
    // Texts that differ from the input. What is written there is never longer than what it was read from.
    std::unique_ptr<uint8_t[]> arena;
    size_t arena_capacity = 0;
    uint8_t *arena_end = nullptr;

    const uint8_t *input = nullptr;
    uint32_t length = 0;
    const uint32_t *starts = nullptr;
    uint32_t count = 0;
    uint32_t at = 0;
    uint32_t data_length = 0;
    bool has_escapes = false;
    std::string_view duplicate;
    bool duplicate_in_data = false;

    void reserve(size_t bytes) {
        if (bytes <= capacity && stage) return;
        size_t wanted = std::max<size_t>(bytes, 4096);
        std::unique_ptr<dom_parser_implementation> fresh;
        if (simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, fresh)) {
            throw std::bad_alloc();
        }
        // Twice, as keys and values are kept apart from the minified whole.
        arena.reset(new uint8_t[wanted * 2]);
        stage = std::move(fresh);
        capacity = wanted;
    }

    // The byte that the current token starts with; 0 at the end (no token starts with it).
    uint8_t peek() const { return at < count ? input[starts[at]] : 0; }
    uint32_t here() const { return at < count ? starts[at] : length; }

    [[noreturn]] __attribute__((noinline, cold)) void fail(int32_t error) const {
        throw Failure{at < count ? error : LAUREL_JSON_ENDS_EARLY, here()};
    }

    // Where a token ends: behind it only white space stands before the next.
    uint32_t token_end() const {
        uint32_t end = at + 1 < count ? starts[at + 1] : length;
        while (is_space(input[end - 1])) end--;
        return end;
    }

    // The string at the current token; checks it, and moves on. `raw` includes the quotes.
    inline __attribute__((always_inline))
    void string(const uint8_t *&text, uint32_t &text_length, const uint8_t *&raw, uint32_t &raw_length) {
        uint32_t start = starts[at];
        uint32_t end = token_end();
        if (end - start < 2 || input[end - 1] != '"') fail(LAUREL_JSON_UNCLOSED_STRING);
        raw = input + start;
        raw_length = end - start;
        text = raw + 1;
        text_length = raw_length - 2;
        if (has_escapes && std::memchr(text, '\\', text_length)) {
            uint8_t *out = laurel_json_unescape(input, text, text + text_length, arena_end);
            text = arena_end;
            text_length = uint32_t(out - arena_end);
            arena_end = out;
        }
        at++;
    }

    // A scalar that is not a string.
    void scalar(laurel_json_member &member) {
        uint32_t start = starts[at];
        std::string_view token = view(input + start, token_end() - start);
        member.text = member.raw = input + start;
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

    // Copies the current token without the white space behind it.
    void copy_token(uint8_t *&out) const {
        uint32_t size = token_end() - starts[at];
        std::memcpy(out, input + starts[at], size);
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
        // Only checked: what it stands for is written behind the copy and dropped.
        arena_end = out;
        string(text, text_length, raw, raw_length);
        arena_end = kept;
    }

    // An array or object below `depth` others, checked and copied without white space, without recursion.
    void nested(laurel_json_member &member, uint32_t depth) {
        bool is_object[LAUREL_JSON_MAX_DEPTH + 1];
        uint32_t level = 0;
        uint8_t *out = arena_end;
        uint32_t elements = 0, strings = 0;
        // What may stand here: a value (or, right after a bracket, its counterpart), or what follows a value.
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
                if (at >= count) fail(LAUREL_JSON_ENDS_EARLY);
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

    // What follows a value below the top: closing brackets, and a comma unless they were the last.
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
        member.offset = here();
        member.only_strings = 0;
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
                if (at >= count) fail(LAUREL_JSON_ENDS_EARLY);
                return scalar(member);
        }
    }

    // Equal keys are of one kind; different ones mostly are not (those of the catalogue never are).
    static uint32_t key_kind(const uint8_t *key, uint32_t length) {
        return length == 0 ? 0 : length + key[0] + key[length - 1] + key[length / 2] * 17;
    }

    // The members of the object at the current token, which is inside `depth` others.
    void object(MemberList &into, uint32_t depth) {
        at++;
        if (peek() == '}') {
            at++;
            return;
        }
        // A bit per kind of key: only where it is taken may an equal one have been before.
        uint64_t taken = 0;
        bool maybe_twice = false;
        while (true) {
            if (peek() != '"') fail(LAUREL_JSON_EXPECTED_KEY);
            laurel_json_member &member = into.add();
            // Until its value is read it does not count: an error leaves the whole ones.
            into.count--;
            string(member.key, member.key_length, member.raw_key, member.raw_key_length);
            if (peek() != ':') fail(LAUREL_JSON_EXPECTED_COLON);
            at++;
            uint64_t bit = uint64_t(1) << (key_kind(member.key, member.key_length) & 63);
            maybe_twice |= (taken & bit) != 0;
            taken |= bit;
            if (depth == 0 && peek() == '{' && view(member.key, member.key_length) == "data") {
                uint32_t start = starts[at];
                member.kind = LAUREL_JSON_OBJECT;
                member.offset = start;
                member.text = member.raw = input + start;
                data.count = 0;
                object(data, 1);
                data_length = starts[at - 1] + 1 - start;
                member.text_length = member.raw_length = data_length;
            } else {
                value(member, depth + 1);
            }
            into.count++;
            if (peek() == '}') break;
            if (peek() != ',') fail(LAUREL_JSON_EXPECTED_COMMA);
            at++;
        }
        at++;
        if (maybe_twice) check_duplicates(into, depth == 1);
    }

    [[noreturn]] __attribute__((noinline, cold)) void fail_duplicate(const laurel_json_member &member, bool in_data) {
        duplicate = view(member.key, member.key_length);
        duplicate_in_data = in_data;
        throw Failure{LAUREL_JSON_DUPLICATE_KEY, uint32_t(member.raw_key - input)};
    }

    void check_duplicates(const MemberList &all, bool in_data) {
        const laurel_json_member *list = all.items.get();
        auto key = [&](size_t i) { return view(list[i].key, list[i].key_length); };
        if (all.count <= 24) {
            for (size_t i = 1; i < all.count; i++) {
                for (size_t j = 0; j < i; j++) {
                    if (list[i].key_length == list[j].key_length && key(i) == key(j)) fail_duplicate(list[i], in_data);
                }
            }
            return;
        }
        order.resize(all.count);
        for (size_t i = 0; i < order.size(); i++) order[i] = uint32_t(i);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            int compared = key(a).compare(key(b));
            return compared < 0 || (compared == 0 && a < b);
        });
        for (size_t i = 1; i < order.size(); i++) {
            if (key(order[i]) == key(order[i - 1])) fail_duplicate(list[order[i]], in_data);
        }
    }

    void find_structure() {
        switch (stage->stage1(input, length, simdjson::stage1_mode::regular)) {
            case simdjson::SUCCESS:
                starts = stage->structural_indexes.get();
                count = stage->n_structural_indexes;
                return;
            case simdjson::EMPTY: throw Failure{LAUREL_JSON_EMPTY, 0};
            case simdjson::UTF8_ERROR: throw Failure{LAUREL_JSON_NOT_UTF8, laurel_json_locate_bad_utf8(input, length)};
            case simdjson::UNESCAPED_CHARS:
                throw Failure{LAUREL_JSON_CONTROL_CHARACTER,
                              laurel_json_locate_in_strings(input, length, LAUREL_JSON_CONTROL_CHARACTER)};
            case simdjson::UNCLOSED_STRING:
                throw Failure{LAUREL_JSON_UNCLOSED_STRING,
                              laurel_json_locate_in_strings(input, length, LAUREL_JSON_UNCLOSED_STRING)};
            default: throw Failure{LAUREL_JSON_NO_MEMORY, 0};
        }
    }

    void parse(const uint8_t *bytes, uint32_t size) {
        input = bytes;
        length = size;
        at = count = data_length = 0;
        members.count = 0;
        data.count = 0;
        duplicate = {};
        if (size == 0) throw Failure{LAUREL_JSON_EMPTY, 0};
        reserve(size);
        arena_end = arena.get();
        has_escapes = std::memchr(bytes, '\\', size) != nullptr;
        find_structure();
        if (peek() != '{') fail(LAUREL_JSON_NOT_AN_OBJECT);
        object(members, 0);
        if (at < count) fail(LAUREL_JSON_TRAILING);
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
    result->data_length = parser->data_length;
    result->duplicate = reinterpret_cast<const uint8_t *>(parser->duplicate.data());
    result->duplicate_length = uint32_t(parser->duplicate.size());
    result->duplicate_in_data = parser->duplicate_in_data;
}
