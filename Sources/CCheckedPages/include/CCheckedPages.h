// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stddef.h>
#include <stdint.h>

struct sqlite3;

// Databases whose every page carries a checksum: a layer between SQLite and the file system.
//
// Each page of 4096 bytes ends in 8 bytes that SQLite leaves alone (`SQLITE_FCNTL_RESERVE_BYTES`). In the file they hold an
// XXH3 of the page and its number; in memory and in the log they are zero. So a page that any other SQLite program moves
// from the log into the file has zeros there, and counts as unchecked, not as damaged.
//
// On the first page two halves of 32 bits stand for the bytes that stay and for the fields of the header that a copy by
// another program changes.
//
// Pages in the log are checked by SQLite's own checksums, which SQLite itself looks at only when it recovers the log: here
// they are looked at by whoever reads a page, and as pages are moved into the file.

// The name to open databases with. The first call registers it, beside the default; safe from any thread.
const char *laurel_checked_pages_vfs(void);

// Has the pages of a database that has none yet carry checksums; of another one, all pages from the next VACUUM on.
int laurel_checked_pages_reserve(struct sqlite3 *database);

// Whether the database's pages carry checksums, those included that are in the log: 1 or 0.
int laurel_checked_pages_are_on(struct sqlite3 *database);

// The page that the connection last found damaged, and forgets it; 0 where there is none. Negative: a page in the log.
int64_t laurel_checked_pages_take_damage(struct sqlite3 *database);

enum {
    LAUREL_PAGE_SOUND = 0,
    // Another program wrote it.
    LAUREL_PAGE_UNCHECKED = 1,
    // All of it is zero: it was never written.
    LAUREL_PAGE_EMPTY = 2,
    // The first page alone: another program has changed fields of the header.
    LAUREL_PAGE_HEADER_CHANGED = 3,
    LAUREL_PAGE_DAMAGED = 4,
};

// What page `number` of the file is like, from 1; below zero an error of SQLite's.
int laurel_checked_pages_examine(struct sqlite3 *database, uint32_t number);

// Marks the pages, of so many, that the log holds and that have not been moved into the file yet, by a one in the byte of each:
// what the file has in their places is written anew before anybody reads it. Gives 0, or an error of SQLite's.
int laurel_checked_pages_ahead(struct sqlite3 *database, uint8_t *ahead, int64_t count);

// Pages in the file, whether they are in use or not; below zero an error of SQLite's.
int64_t laurel_checked_pages_count(struct sqlite3 *database);

struct laurel_log_state {
    // Pages in the log that are in use.
    int64_t pages;
    // The first of them that is not what was written, from 1; 0 where all are sound.
    int64_t damaged;
    // Transactions, at least, that were written and are not read: the log is damaged before them.
    int64_t lost;
};

// Reads the whole log; to be called within a transaction. Gives 0, or an error of SQLite's.
int laurel_checked_pages_examine_log(struct sqlite3 *database, struct laurel_log_state *state);

// XXH3 of some bytes, 64 bits.
uint64_t laurel_xxh3(const void *bytes, size_t count, uint64_t seed);
