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

int log_is_page(int count, sqlite3_int64 offset);

struct frame {
    uint8_t header[FRAME_HEADER];
    uint8_t page[4096];
};

// Whether a frame that was read from the log is not what was written. A log that cannot be read says nothing.
int log_frame_is_damaged(sqlite3_file *log, const struct frame *frame, sqlite3_int64 offset);

// Frames of a transaction under way that are not in the file yet. SQLite writes a header or a page at a time; from here up to
// sixteen frames go there at once. They do at the latest with the one that ends the transaction, and before anything else is
// done with the log.
struct log_frames {
    // Made with the first frame.
    uint8_t *bytes;
    int count;
    // Why some could not be written: until the transaction is given up, nothing else is.
    int failure;
    // Where the first byte belongs.
    sqlite3_int64 offset;
};

// Takes a header, or the page behind it. Gives 1 where those taken are to be written now, 0 where more may come, and -1 where it
// does not take the bytes.
int log_frames_take(struct log_frames *frames, const void *bytes, int count, sqlite3_int64 offset);
// To be told when the lock for writing is given back: what is left is of a transaction that was given up.
void log_frames_drop(struct log_frames *frames);
void log_frames_free(struct log_frames *frames);

// Marks the pages, of so many, that the log holds and that have not been moved into the file yet: `ahead` has a byte for each.
int log_pages_ahead(sqlite3_file *log, sqlite3_file *database, uint8_t *ahead, int64_t count);

struct laurel_log_state;

// Reads all of a log. The database's file leads to the shared memory, in which SQLite keeps how much of the log is in use.
int log_examine(sqlite3_file *log, sqlite3_file *database, struct laurel_log_state *state);
