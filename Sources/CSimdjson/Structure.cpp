#include "Structure.h"

#include <new>

void Structure::reserve(size_t bytes) {
    if (bytes <= capacity && stage) return;
    size_t wanted = std::max<size_t>(bytes, 4096);
    std::unique_ptr<simdjson::internal::dom_parser_implementation> fresh;
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, fresh)) {
        throw std::bad_alloc();
    }
    stage = std::move(fresh);
    capacity = wanted;
}

// simdjson's first stage over all of an input.
simdjson::error_code Structure::read(const uint8_t *input, uint32_t length) {
    if (length == 0) return simdjson::EMPTY;
    reserve(length);
    base = input;
    simdjson::error_code error = stage->stage1(input, length, simdjson::stage1_mode::regular);
    at = stage->structural_indexes.get();
    // So that whoever looks at a member's four tokens sees where they end; simdjson has room for nine more.
    if (!error) std::fill_n(stage->structural_indexes.get() + stage->n_structural_indexes, 4, length);
    return error;
}

void Structure::announce(const uint8_t *input, size_t length, size_t readable) {
    stretch = input;
    stretch_end = input + length;
    readable_end = input + readable;
    may_look_ahead = true;
    ahead = ahead_end = nullptr;
}

void Structure::look_ahead(const uint8_t *from) {
    // Where something is wrong, each record is to say for itself whether it is that one. Elsewhere no string goes on
    // beyond its line, so that the structure of a line is that of the line alone.
    if (read(from, uint32_t(stretch_end - from))) {
        may_look_ahead = false;
        return;
    }
    ahead = from;
    ahead_end = stretch_end;
    find_backslash(from);
}

void Structure::find_backslash(const uint8_t *from) {
    const void *found = std::memchr(from, '\\', ahead_end - from);
    backslash = found ? static_cast<const uint8_t *>(found) : ahead_end;
}

void Structure::find(const uint8_t *record, uint32_t length) {
    // One record that is not as most is looked at alone; where there are more, they are many, mostly.
    bool are_many = unusual++ > 0;
    if (are_many && may_look_ahead && is_within(record, length, stretch, stretch_end) && !is_known(record, length)) {
        look_ahead(record);
    }
    if (is_known(record, length)) {
        ahead = record + length;
        if (backslash < record) find_backslash(record);
        has_escapes = backslash < record + length;
        start = uint32_t(record - base);
        end = start + length;
        while (*at < start) at++;
        if (*at >= end) throw Failure{LAUREL_JSON_EMPTY, 0};
        return;
    }
    ahead = nullptr;
    start = 0;
    end = length;
    has_escapes = length > 0 && std::memchr(record, '\\', length) != nullptr;
    switch (read(record, length)) {
        case simdjson::SUCCESS: return;
        case simdjson::EMPTY: throw Failure{LAUREL_JSON_EMPTY, 0};
        case simdjson::UTF8_ERROR: throw Failure{LAUREL_JSON_NOT_UTF8, laurel_json_locate_bad_utf8(record, length)};
        case simdjson::UNESCAPED_CHARS:
            throw Failure{LAUREL_JSON_CONTROL_CHARACTER,
                          laurel_json_locate_in_strings(record, length, LAUREL_JSON_CONTROL_CHARACTER)};
        case simdjson::UNCLOSED_STRING:
            throw Failure{LAUREL_JSON_UNCLOSED_STRING,
                          laurel_json_locate_in_strings(record, length, LAUREL_JSON_UNCLOSED_STRING)};
        default: throw Failure{LAUREL_JSON_NO_MEMORY, 0};
    }
}
