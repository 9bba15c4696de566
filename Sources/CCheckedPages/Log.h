// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <sqlite3.h>
#include <stdint.h>

// Pages in the write-ahead log. SQLite's own checksums are used: the checksum of a frame depends on the previous
// frame's checksum, on the frame's header and on its page.

enum { LOG_HEADER = 32, FRAME_HEADER = 24, FRAME_SIZE = FRAME_HEADER + 4096 };

// The writes of a connection to the log since its last commit. A page that was written a second time has a wrong
// checksum until the commit.
struct log_writes {
    // The offset of the first such page; INT64_MAX if there is none.
    sqlite3_int64 rewritten;
    // The offset of the frame header written last, if its page must follow; otherwise -1.
    sqlite3_int64 header;
};

void log_writes_none(struct log_writes *writes);
void log_writes_note(struct log_writes *writes, int count, sqlite3_int64 offset);

int log_is_page(int count, sqlite3_int64 offset);

struct frame {
    uint8_t header[FRAME_HEADER];
    uint8_t page[4096];
};

// Returns 1 if a frame that was read from the log has a wrong checksum. Returns 0 if the log cannot be read.
int log_frame_is_damaged(sqlite3_file *log, const struct frame *frame, sqlite3_int64 offset);

// Frames of an unfinished transaction that are not in the file yet. SQLite writes headers and pages one by one. Here
// up to sixteen frames are collected and written together. They are written at the latest with the frame that ends
// the transaction, and before any other access to the log.
struct log_frames {
    // The memory for the frames, allocated with the first frame.
    uint8_t *bytes;
    int count;
    // SQLite's code of a failed write. Until the transaction is given up, nothing more is written.
    int failure;
    // The offset of the first byte in the log.
    sqlite3_int64 offset;
};

// Takes a header, or the page after it. Returns 1 if the collected frames must be written now, 0 if more frames may
// be collected, and -1 if the bytes were not taken.
int log_frames_take(struct log_frames *frames, const void *bytes, int count, sqlite3_int64 offset);
// Drops the collected frames. Call it when the write lock is released: remaining frames belong to a transaction that
// was given up.
void log_frames_drop(struct log_frames *frames);
void log_frames_free(struct log_frames *frames);

// Marks the pages that the log has and that were not moved into the file yet. `ahead` has a byte for each of `count`
// pages.
int log_pages_ahead(sqlite3_file *log, sqlite3_file *database, uint8_t *ahead, int64_t count);

struct laurel_log_state;

// Examines the whole log. The database's file gives access to the shared memory, which says how much of the log is in
// use.
int log_examine(sqlite3_file *log, sqlite3_file *database, struct laurel_log_state *state);
