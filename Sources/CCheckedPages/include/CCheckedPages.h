// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stddef.h>
#include <stdint.h>

struct sqlite3;

// Checksums for every page of a database, as a layer between SQLite and the file system.
//
// Each page of 4096 bytes ends in 8 bytes that SQLite does not use (`SQLITE_FCNTL_RESERVE_BYTES`). In the file, they
// contain an XXH3 of the page and its number. In memory and in the log, they are zero. If another SQLite program
// moves a page from the log into the file, the page has zeros there. So it counts as unchecked, not as damaged.
//
// On the first page, the checksum has two halves of 32 bits. One half covers the fields of the header that change if
// another program copies the database. The other half covers all other bytes.
//
// Pages in the log have SQLite's own checksums. SQLite itself checks them only when it recovers the log. This layer
// also checks them whenever a page is read from the log, and when a page is moved into the file.

// The name of the layer, for opening databases. The first call registers the layer, in addition to the default file
// system. Safe to call from any thread.
const char *laurel_checked_pages_vfs(void);

// Turns checksums on. In a database without pages, all pages get checksums. In another database, all pages get them
// at the next VACUUM.
int laurel_checked_pages_reserve(struct sqlite3 *database);

// Returns 1 if the database's pages have checksums, including pages in the log; otherwise 0.
int laurel_checked_pages_are_on(struct sqlite3 *database);

// Returns the page that the connection last found damaged, and forgets it. The result is 0 if there is none, and −N
// for frame N of the log.
int64_t laurel_checked_pages_take_damage(struct sqlite3 *database);

enum {
    LAUREL_PAGE_SOUND = 0,
    // Another program wrote the page.
    LAUREL_PAGE_UNCHECKED = 1,
    // The page is all zero: it was never written.
    LAUREL_PAGE_EMPTY = 2,
    // For the first page only: another program has changed fields of the header.
    LAUREL_PAGE_HEADER_CHANGED = 3,
    LAUREL_PAGE_DAMAGED = 4,
};

// Returns the state of page `number` of the file, from 1. A negative result is an error of SQLite.
int laurel_checked_pages_examine(struct sqlite3 *database, uint32_t number);

// Marks the pages that the log has and that were not moved into the file yet. `ahead` has a byte for each of `count`
// pages, which is set to 1. The file's content of such a page is replaced before anything reads it. Returns 0, or an
// error of SQLite.
int laurel_checked_pages_ahead(struct sqlite3 *database, uint8_t *ahead, int64_t count);

// Returns the number of pages in the file, used or not. A negative result is an error of SQLite.
int64_t laurel_checked_pages_count(struct sqlite3 *database);

struct laurel_log_state {
    // The number of frames in the log that are in use.
    int64_t pages;
    // The first damaged frame, from 1; 0 if no frame is damaged.
    int64_t damaged;
    // The minimum number of transactions that were written but cannot be read, because the log is damaged before
    // them.
    int64_t lost;
};

// Examines the whole log. Call it within a transaction. Returns 0, or an error of SQLite.
int laurel_checked_pages_examine_log(struct sqlite3 *database, struct laurel_log_state *state);

// The 64-bit XXH3 of some bytes.
uint64_t laurel_xxh3(const void *bytes, size_t count, uint64_t seed);
