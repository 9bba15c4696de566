// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <sqlite3.h>
#include <stdint.h>

// Pages in the write-ahead log, by the checksums that SQLite gives them: that of a frame follows from the frame before it,
// from its own header and from its page.

enum { LOG_HEADER = 32, FRAME_HEADER = 24, FRAME_SIZE = FRAME_HEADER + 4096 };

// What a connection that writes has done to the log since its last commit: pages that it wrote a second time have no right
// checksum until then.
struct log_writes {
    // Where the first of those pages stands.
    sqlite3_int64 rewritten;
    // Where a frame's header was written last, to be followed by its page.
    sqlite3_int64 header;
};

void log_writes_none(struct log_writes *writes);
void log_writes_note(struct log_writes *writes, int count, sqlite3_int64 offset);

// Whether a page that was read from the log is not what was written. A log that cannot be read says nothing.
int log_page_is_damaged(sqlite3_file *log, const struct log_writes *writes, const uint8_t *page, sqlite3_int64 offset);

int log_is_page(int count, sqlite3_int64 offset);

// Marks the pages, of so many, that the log holds and that have not been moved into the file yet: `ahead` has a byte for each.
int log_pages_ahead(sqlite3_file *log, sqlite3_file *database, uint8_t *ahead, int64_t count);

struct laurel_log_state;

// Reads all of a log. The database's file leads to the shared memory, in which SQLite keeps how much of the log is in use.
int log_examine(sqlite3_file *log, sqlite3_file *database, struct laurel_log_state *state);
