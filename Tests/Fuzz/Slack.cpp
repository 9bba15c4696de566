// SPDX-License-Identifier: Apache-2.0

// The C of CEventJSON on inputs that lie at the very end of their memory, for the address sanitizer. What looks for the end of a
// text reads 16 bytes at a time, and relies on a control character behind it with 15 bytes more (`OrdinaryEvent.slack`); all else
// reads the input alone.
//
//     slack SECONDS SEED

#include "CEventJSON.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace {

constexpr size_t SLACK = 16;

std::mt19937_64 random_numbers;

size_t below(size_t limit) { return random_numbers() % limit; }

// A copy that ends where its memory does.
std::unique_ptr<uint8_t[]> exact(const std::string &bytes) {
    std::unique_ptr<uint8_t[]> copy(new uint8_t[std::max<size_t>(bytes.size(), 1)]);
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    return copy;
}

std::string text(size_t longest) {
    static const char *const pieces[] = {"a", "word", "\xC3\xA9", "\xF0\x9F\x98\x80", "\xC3", "\xFF", "\\", "\\u0041", "\"",
                                         "{", "}", ":", ",", "12345678901234567890", "1.5e300", "null", " ", "\t"};
    std::string made;
    const size_t length = below(longest);
    while (made.size() < length) made += pieces[below(sizeof pieces / sizeof *pieces)];
    return made;
}

[[noreturn]] void fail(const char *what, const std::string &input) {
    std::fprintf(stderr, "%s:", what);
    for (const char byte : input) std::fprintf(stderr, " %02x", uint8_t(byte));
    std::fprintf(stderr, "\n");
    std::exit(1);
}

// As `OrdinaryEvent.end(ofText:)` does.
void find_end() {
    std::string line = text(80);
    const size_t first = size_t(
        std::find_if(line.begin(), line.end(), [](char byte) {
            return byte == '"' || byte == '\\' || uint8_t(byte) < ' ';
        }) - line.begin());
    line += '\n';
    const size_t end = line.size() + SLACK - 1;
    line.append(SLACK - 1, "\"a\\ \xFF"[below(5)]);
    const auto memory = exact(line);
    const uint8_t *at = memory.get();
    uint32_t found = laurel_json_marks(at);
    while (!found) {
        at += 16;
        if (size_t(at - memory.get()) + 16 > end) fail("no mark was found", line);
        found = laurel_json_marks(at);
    }
    at += __builtin_ctz(found);
    // Bytes beyond ASCII are marks, too, for the other to look at.
    if (size_t(at - memory.get()) > first) fail("a mark was passed over", line);
    const uint8_t *quote = laurel_json_utf8_text_end(memory.get());
    if (quote && size_t(quote - memory.get()) != first) fail("another end of the text", line);
    const uint8_t *mark = laurel_json_next_mark(memory.get(), memory.get() + line.size());
    if (size_t(mark - memory.get()) != first) fail("another mark", line);
}

void parse(laurel_json *parser) {
    std::string input = below(2) ? text(200)
                                 : "{\"id\":\"" + text(40) + "\",\"time\":" + text(20) + ",\"data\":{\"" + text(20) +
                                       "\":" + text(30) + "}}";
    const auto memory = exact(input);
    laurel_json_result result;
    laurel_json_parse(parser, memory.get(), input.size(), &result);
    // All that was found can be read.
    size_t sum = 0;
    for (uint32_t i = 0; i < result.member_count; i++) {
        const laurel_json_member &member = result.members[i];
        for (uint32_t k = 0; k < member.key_length; k++) sum += member.key[k];
        for (uint32_t k = 0; k < member.text_length; k++) sum += member.text[k];
        for (uint32_t k = 0; k < member.raw_length; k++) sum += member.raw[k];
    }
    if (sum == SIZE_MAX) fail("never", input);
}

void number() {
    static const char digits[] = "0123456789.-+eE";
    std::string input;
    for (size_t left = below(40); left > 0; left--) input += digits[below(sizeof digits - 1)];
    const auto memory = exact(input);
    uint64_t payload = 0;
    laurel_json_read_number(memory.get(), input.size(), &payload);
}

}  // namespace

int main(int count, char **words) {
    const double seconds = count > 1 ? std::atof(words[1]) : 2;
    random_numbers.seed(count > 2 ? std::strtoull(words[2], nullptr, 10) : 1);
    laurel_json *parser = laurel_json_create();
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    size_t inputs = 0;
    while (std::chrono::steady_clock::now() < end) {
        for (int i = 0; i < 1000; i++, inputs++) {
            find_end();
            parse(parser);
            number();
        }
    }
    laurel_json_destroy(parser);
    std::printf("  %zu slack\n", inputs);
}
