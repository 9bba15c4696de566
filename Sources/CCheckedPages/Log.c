// SPDX-License-Identifier: Apache-2.0

#include "Log.h"
#include "CCheckedPages.h"
#include "Page.h"
#include <stdlib.h>
#include <string.h>

int log_is_page(int count, sqlite3_int64 offset) {
    return count == PAGE_SIZE && offset >= LOG_HEADER + FRAME_HEADER
        && (offset - LOG_HEADER - FRAME_HEADER) % FRAME_SIZE == 0;
}

static int is_frame_header(int count, sqlite3_int64 offset) {
    return count == FRAME_HEADER && offset >= LOG_HEADER && (offset - LOG_HEADER) % FRAME_SIZE == 0;
}

void log_writes_none(struct log_writes *writes) {
    writes->rewritten = INT64_MAX;
    writes->header = -1;
}

void log_writes_note(struct log_writes *writes, int count, sqlite3_int64 offset) {
    if (is_frame_header(count, offset)) {
        // From this offset on, the checksums are right again. SQLite writes new frames here, or corrects the
        // checksums before a commit.
        if (offset + FRAME_HEADER <= writes->rewritten) writes->rewritten = INT64_MAX;
        writes->header = offset;
    } else if (log_is_page(count, offset)) {
        if (writes->header != offset - FRAME_HEADER && offset < writes->rewritten) writes->rewritten = offset;
        writes->header = -1;
    }
}

static uint32_t little_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

// Adds SQLite's checksum over pairs of 32-bit words. The log's header says if the words are big-endian.
static void add(uint32_t sums[2], const uint8_t *bytes, int count, int is_big_endian) {
    uint32_t first = sums[0], second = sums[1];
    if (is_big_endian) {
        for (int place = 0; place < count; place += 8) {
            first += page_big_endian(bytes + place) + second;
            second += page_big_endian(bytes + place + 4) + first;
        }
    } else {
        for (int place = 0; place < count; place += 8) {
            first += little_endian(bytes + place) + second;
            second += little_endian(bytes + place + 4) + first;
        }
    }
    sums[0] = first;
    sums[1] = second;
}

static int has_sums(const struct frame *frame, const uint8_t *before, int is_big_endian) {
    uint32_t sums[2] = {page_big_endian(before), page_big_endian(before + 4)};
    add(sums, frame->header, 8, is_big_endian);
    add(sums, frame->page, sizeof frame->page, is_big_endian);
    return sums[0] == page_big_endian(frame->header + 16) && sums[1] == page_big_endian(frame->header + 20);
}

int log_frame_is_damaged(sqlite3_file *log, const struct frame *frame, sqlite3_int64 offset) {
    uint8_t magic[4], before[8];
    sqlite3_int64 sums = offset == LOG_HEADER ? 24 : offset - FRAME_SIZE + 16;
    // Nearly every log was made on a little-endian machine like this one, so that order is tried first.
    if (log->pMethods->xRead(log, before, sizeof before, sums) != SQLITE_OK || has_sums(frame, before, 0)) return 0;
    if (log->pMethods->xRead(log, magic, sizeof magic, 0) != SQLITE_OK) return 0;
    return !(magic[3] & 1) || !has_sums(frame, before, 1);
}

// MARK: Writing frames together

enum { FRAMES_TOGETHER = 16 };

// Returns 1 if a frame ends a transaction. Other connections then see the transaction.
static int ends_transaction(const uint8_t *header) { return page_big_endian(header + 4) != 0; }

int log_frames_take(struct log_frames *frames, const void *bytes, int count, sqlite3_int64 offset) {
    int is_header = is_frame_header(count, offset);
    int is_page = log_is_page(count, offset) && frames->count % FRAME_SIZE == FRAME_HEADER;
    if (frames->count > 0 ? offset != frames->offset + frames->count : !is_header) return -1;
    if (!is_header && !is_page) return -1;
    // SQLite may write this header alone, for a page that is in the log already.
    if (frames->count == 0 && ends_transaction(bytes)) return -1;
    if (!frames->bytes) frames->bytes = malloc(FRAMES_TOGETHER * FRAME_SIZE);
    if (!frames->bytes) return -1;
    if (frames->count == 0) frames->offset = offset;
    memcpy(frames->bytes + frames->count, bytes, count);
    frames->count += count;
    if (!is_page) return 0;
    return frames->count == FRAMES_TOGETHER * FRAME_SIZE || ends_transaction(frames->bytes + frames->count - FRAME_SIZE);
}

void log_frames_drop(struct log_frames *frames) {
    frames->count = 0;
    frames->failure = SQLITE_OK;
}

void log_frames_free(struct log_frames *frames) {
    free(frames->bytes);
    frames->bytes = 0;
}

// MARK: The whole log

// The indexes of two 32-bit numbers in the shared memory. FRAMES_IN_USE is SQLite's number of frames in use, in the
// header: a checkpoint does not change it, and a restart of the log sets it to zero. FRAMES_MOVED is the number of
// frames whose pages are durable in the file; it follows the two copies of the header.
enum { FRAMES_IN_USE = 4, FRAMES_MOVED = 24 };

static int index_number(sqlite3_file *database, int place, uint32_t *number) {
    enum { REGION = 32768 };
    void volatile *memory = 0;
    int code = database->pMethods->xShmMap(database, 0, REGION, 0, &memory);
    *number = code == SQLITE_OK && memory ? ((uint32_t volatile *)memory)[place] : 0;
    return code;
}

static int frames_in_use(sqlite3_file *database, uint32_t *count) { return index_number(database, FRAMES_IN_USE, count); }

int log_pages_ahead(sqlite3_file *log, sqlite3_file *database, uint8_t *ahead, int64_t count) {
    uint32_t used, moved;
    int code = frames_in_use(database, &used);
    if (code == SQLITE_OK) code = index_number(database, FRAMES_MOVED, &moved);
    for (uint32_t number = moved + 1; code == SQLITE_OK && number <= used; number++) {
        uint8_t header[FRAME_HEADER];
        code = log->pMethods->xRead(log, header, FRAME_HEADER, LOG_HEADER + (sqlite3_int64)(number - 1) * FRAME_SIZE);
        uint32_t page = code == SQLITE_OK ? page_big_endian(header) : 0;
        if (page > 0 && page <= count) ahead[page - 1] = 1;
    }
    return code;
}

static int read_frame(sqlite3_file *log, uint32_t number, struct frame *frame) {
    sqlite3_int64 offset = LOG_HEADER + (sqlite3_int64)(number - 1) * FRAME_SIZE;
    return log->pMethods->xRead(log, frame, FRAME_SIZE, offset);
}

static int is_of_round(const struct frame *frame, const uint8_t *log_header) {
    return memcmp(frame->header + 8, log_header + 16, 8) == 0;
}

// The number of complete transactions from a frame on. Only transactions that further frames follow are counted,
// because those transactions were durable.
static int64_t later_transactions(sqlite3_file *log, const uint8_t *log_header, uint32_t number) {
    int64_t finished = 0, ended = 0;
    struct frame frame;
    for (; read_frame(log, number, &frame) == SQLITE_OK && is_of_round(&frame, log_header); number++) {
        finished += ended;
        ended = page_big_endian(frame.header + 4) != 0;
    }
    return finished;
}

int log_examine(sqlite3_file *log, sqlite3_file *database, struct laurel_log_state *state) {
    uint8_t header[LOG_HEADER];
    uint32_t used, used_now;
    int code = frames_in_use(database, &used);
    if (code != SQLITE_OK) return code;
    code = log->pMethods->xRead(log, header, LOG_HEADER, 0);
    // The log is empty.
    if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
    if (code != SQLITE_OK) return code;
    uint32_t sums[2] = {page_big_endian(header + 24), page_big_endian(header + 28)};
    int is_big_endian = header[3] & 1;
    state->pages = used;
    struct frame frame;
    for (uint32_t number = 1;; number++) {
        code = read_frame(log, number, &frame);
        if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
        if (code != SQLITE_OK && number > used) return SQLITE_OK;
        add(sums, frame.header, 8, is_big_endian);
        add(sums, frame.page, sizeof frame.page, is_big_endian);
        int is_whole = code == SQLITE_OK && sums[0] == page_big_endian(frame.header + 16)
            && sums[1] == page_big_endian(frame.header + 20);
        if (number <= used) {
            if (is_whole && is_of_round(&frame, header)) continue;
            state->damaged = number;
            return SQLITE_OK;
        }
        // A frame that a program is writing now is not damaged.
        if (is_whole || !is_of_round(&frame, header)) return SQLITE_OK;
        int64_t later = later_transactions(log, header, number);
        if (frames_in_use(database, &used_now) == SQLITE_OK && used_now == used) state->lost = later;
        return SQLITE_OK;
    }
}
