// SPDX-License-Identifier: Apache-2.0

#include "Number.h"

#include <charconv>
#include <cstring>

namespace {

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// A decimal number: digits without leading zeros, times ten to the exponent.
struct Decimal {
    bool negative = false;
    // The value of the digits; of the first 19 digits if there are more.
    uint64_t mantissa = 0;
    // The number of significant digits, without leading zeros.
    size_t digits = 0;
    int64_t exponent = 0;

    void add(uint8_t byte) {
        if (digits == 0 && byte == '0') return;
        if (digits < 19) mantissa = mantissa * 10 + (byte - '0');
        digits++;
    }
};

// Parses a number by the grammar of RFC 8259. Returns false if the text is not such a number. The exponent is limited
// to bounds that no double reaches.
bool scan(const uint8_t *at, const uint8_t *end, Decimal &number) {
    if (at < end && *at == '-') {
        number.negative = true;
        at++;
    }
    if (at == end || !is_digit(*at)) return false;
    if (*at == '0' && at + 1 < end && is_digit(at[1])) return false;
    while (at < end && is_digit(*at)) number.add(*at++);
    if (at < end && *at == '.') {
        const uint8_t *first = ++at;
        while (at < end && is_digit(*at)) number.add(*at++);
        if (at == first) return false;
        number.exponent -= at - first;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        bool negative = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        const uint8_t *first = at;
        int64_t exponent = 0;
        while (at < end && is_digit(*at)) {
            if (exponent < 1'000'000'000'000) exponent = exponent * 10 + (*at - '0');
            at++;
        }
        if (at == first) return false;
        number.exponent += negative ? -exponent : exponent;
    }
    return at == end;
}

void strip_zeros(Decimal &number) {
    while (number.mantissa % 10 == 0) {
        number.mantissa /= 10;
        number.digits--;
        number.exponent++;
    }
}

void set(laurel_json_member &member, double value) {
    member.kind = LAUREL_JSON_DOUBLE;
    std::memcpy(&member.payload, &value, sizeof value);
}

bool set_integer(laurel_json_member &member, const Decimal &number) {
    if (number.exponent < 0 || number.exponent > 18) return false;
    uint64_t value = number.mantissa;
    uint64_t limit = (uint64_t(1) << 63) - (number.negative ? 0 : 1);
    for (int64_t i = 0; i < number.exponent; i++) {
        if (value > limit / 10) return false;
        value *= 10;
    }
    if (value > limit) return false;
    member.kind = LAUREL_JSON_INTEGER;
    member.payload = number.negative ? 0 - value : value;
    return true;
}

// Sets a number of up to 15 digits and an exponent of −22 to 22. One division or multiplication then gives the
// nearest double (Clinger 1990). No two such numbers have the same double, so the double's shortest spelling is the
// number.
bool set_short(laurel_json_member &member, const Decimal &number) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number.digits > 15 || number.exponent < -22 || number.exponent > 22) return false;
    double value = double(number.mantissa);
    value = number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent];
    set(member, number.negative ? -value : value);
    return true;
}

bool set_long(laurel_json_member &member, const uint8_t *start, const uint8_t *end, const Decimal &number) {
    double value = 0;
    auto parsed = std::from_chars(reinterpret_cast<const char *>(start), reinterpret_cast<const char *>(end), value);
    if (parsed.ec != std::errc()) return false;
    char shortest[32];
    auto spelled = std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::scientific);
    Decimal back;
    if (spelled.ec != std::errc()) return false;
    if (!scan(reinterpret_cast<uint8_t *>(shortest), reinterpret_cast<uint8_t *>(spelled.ptr), back)) return false;
    if (back.mantissa == 0) return false;
    strip_zeros(back);
    if (back.mantissa != number.mantissa || back.exponent != number.exponent) return false;
    set(member, value);
    return true;
}

// Treats zeros from the 20th digit on as part of the exponent. Returns false if one of these digits is not zero.
bool drop_zeros(const uint8_t *at, const uint8_t *end, Decimal &number) {
    size_t seen = 0;
    for (; at < end && (*at | 0x20) != 'e'; at++) {
        if (!is_digit(*at) || (seen == 0 && *at == '0')) continue;
        seen++;
        if (seen > 19 && *at != '0') return false;
    }
    number.exponent += int64_t(seen - 19);
    number.digits = 19;
    return true;
}

}  // namespace

bool laurel_json_number(const uint8_t *start, const uint8_t *end, laurel_json_member &member) {
    Decimal number;
    if (!scan(start, end, number)) return false;
    if (number.digits == 0) {
        if (number.negative) {
            set(member, -0.0);
        } else {
            member.kind = LAUREL_JSON_INTEGER;
            member.payload = 0;
        }
        return true;
    }
    member.kind = LAUREL_JSON_SPELLED;
    if (number.digits > 19 && !drop_zeros(start, end, number)) return true;
    strip_zeros(number);
    if (set_integer(member, number) || set_short(member, number)) return true;
    set_long(member, start, end, number);
    return true;
}

int32_t laurel_json_read_number(const uint8_t *text, size_t length, uint64_t *payload) {
    laurel_json_member member = {};
    if (!laurel_json_number(text, text + length, member)) return -1;
    *payload = member.payload;
    return member.kind;
}
