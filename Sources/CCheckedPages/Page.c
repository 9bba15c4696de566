// SPDX-License-Identifier: Apache-2.0

#include "Page.h"
#include "CCheckedPages.h"
#include <string.h>
#include <xxhash.h>

// Fields of the header that change with a backup or another journal mode: the versions for writing and reading, the
// change counter and the size, the schema's cookie, the counter once more and SQLite's version.
static const struct { int first, end; } volatile_fields[] = {{18, 20}, {24, 32}, {40, 44}, {92, 100}};
enum { VOLATILE_FIELDS = 4, VOLATILE_BYTES = 2 + 8 + 4 + 8 };

uint64_t laurel_xxh3(const void *bytes, size_t count, uint64_t seed) { return XXH3_64bits_withSeed(bytes, count, seed); }

int page_header_has_checksums(const uint8_t *header) {
    return memcmp(header, "SQLite format 3", 16) == 0 && header[16] == PAGE_SIZE >> 8 && header[17] == 0
        && header[20] == RESERVED;
}

uint32_t page_big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The checksum of a page. It is never zero, because zero means that there is no checksum.
static uint64_t checksum(const uint8_t *page, uint32_t number) {
    if (number != 1) {
        uint64_t hash = laurel_xxh3(page, CHECKED, number);
        return hash ? hash : 1;
    }
    uint8_t stable[CHECKED], changing[VOLATILE_BYTES];
    memcpy(stable, page, CHECKED);
    int count = 0;
    for (int field = 0; field < VOLATILE_FIELDS; field++) {
        int first = volatile_fields[field].first, length = volatile_fields[field].end - first;
        memcpy(changing + count, page + first, length);
        memset(stable + first, 0, length);
        count += length;
    }
    uint32_t low = (uint32_t)laurel_xxh3(stable, CHECKED, number);
    uint32_t high = (uint32_t)laurel_xxh3(changing, VOLATILE_BYTES, number);
    return (uint64_t)(high ? high : 1) << 32 | (low ? low : 1);
}

static uint64_t stored_checksum(const uint8_t *page) {
    uint64_t stored = 0;
    for (int index = RESERVED - 1; index >= 0; index--) stored = stored << 8 | page[CHECKED + index];
    return stored;
}

void page_seal(uint8_t *page, uint32_t number) {
    uint64_t hash = checksum(page, number);
    for (int index = 0; index < RESERVED; index++) page[CHECKED + index] = (uint8_t)(hash >> 8 * index);
}

static int is_zero(const uint8_t *page) { return page[0] == 0 && memcmp(page, page + 1, PAGE_SIZE - 1) == 0; }

// Returns 1 if the header has one of the two versions of SQLite's format. No program writes other versions.
static int has_known_versions(const uint8_t *page) {
    return page[18] == page[19] && (page[18] == 1 || page[18] == 2);
}

int page_state(const uint8_t *page, uint32_t number) {
    uint64_t stored = stored_checksum(page);
    if (stored == 0) return is_zero(page) ? LAUREL_PAGE_EMPTY : LAUREL_PAGE_UNCHECKED;
    uint64_t computed = checksum(page, number);
    if (stored == computed) return LAUREL_PAGE_SOUND;
    if (number == 1 && (uint32_t)stored == (uint32_t)computed && has_known_versions(page)) {
        return LAUREL_PAGE_HEADER_CHANGED;
    }
    return LAUREL_PAGE_DAMAGED;
}
