// SPDX-License-Identifier: Apache-2.0

#include "CheckedFile.h"
#include "CCheckedPages.h"
#include "Page.h"
#include <errno.h>
#include <string.h>

// MARK: The database's file

static void look_at_header(struct checked_file *file, const uint8_t *header) {
    file->has_checksums = page_header_has_checksums(header);
}

// Reads the header from the file again, because another program may have moved the first page there.
static void look_at_header_again(struct checked_file *file) {
    uint8_t header[HEADER_SIZE];
    if (file->below->pMethods->xRead(file->below, header, HEADER_SIZE, 0) == SQLITE_OK) look_at_header(file, header);
}

// Returns 1 if a first page says that there are no checksums, but contains a valid checksum.
static int lost_its_checksums(const uint8_t *page) {
    uint8_t copy[PAGE_SIZE];
    memcpy(copy, page, PAGE_SIZE);
    copy[16] = PAGE_SIZE >> 8;
    copy[17] = 0;
    copy[20] = RESERVED;
    int state = page_state(copy, 1);
    return state == LAUREL_PAGE_SOUND || state == LAUREL_PAGE_HEADER_CHANGED;
}

static int is_page(int count, sqlite3_int64 offset) { return count == PAGE_SIZE && offset % PAGE_SIZE == 0; }

static int check_page(struct checked_file *file, uint8_t *page, uint32_t number) {
    if (number == 1) {
        look_at_header(file, page);
        if (!file->has_checksums) {
            if (!lost_its_checksums(page)) return SQLITE_OK;
            file->damage = number;
            return SQLITE_IOERR_DATA;
        }
    }
    if (!file->has_checksums) return SQLITE_OK;
    int state = page_state(page, number);
    if (state == LAUREL_PAGE_DAMAGED || (state == LAUREL_PAGE_EMPTY && file->is_reader)) {
        file->damage = number;
        return SQLITE_IOERR_DATA;
    }
    memset(page + CHECKED, 0, RESERVED);
    return SQLITE_OK;
}

static int database_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    struct checked_file *file = checked(base);
    int code = file->below->pMethods->xRead(file->below, bytes, count, offset);
    if (is_page(count, offset)) {
        uint32_t number = (uint32_t)(offset / PAGE_SIZE) + 1;
        if (code == SQLITE_OK) return check_page(file, bytes, number);
        if (code == SQLITE_IOERR_SHORT_READ && file->has_checksums && file->is_reader) {
            file->damage = number;
            return SQLITE_IOERR_DATA;
        }
    } else if (code == SQLITE_OK && offset == 0 && count >= HEADER_SIZE) {
        look_at_header(file, bytes);
    }
    return code;
}

// Writes to the file below. If the file would become larger than the process may write, returns SQLITE_FULL, as for a
// full disk.
static int write_below(struct checked_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = file->below->pMethods->xWrite(file->below, bytes, count, offset);
    return code == SQLITE_IOERR_WRITE && errno == EFBIG ? SQLITE_FULL : code;
}

static int database_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    struct checked_file *file = checked(base);
    if (is_page(count, offset)) {
        if (offset == 0) look_at_header(file, bytes);
        if (file->has_checksums) {
            uint8_t page[PAGE_SIZE];
            memcpy(page, bytes, PAGE_SIZE);
            page_seal(page, (uint32_t)(offset / PAGE_SIZE) + 1);
            return write_below(file, page, count, offset);
        }
    }
    return write_below(file, bytes, count, offset);
}

static int look_at_page(struct checked_file *file, struct page_question *question) {
    uint8_t page[PAGE_SIZE];
    sqlite3_int64 offset = (sqlite3_int64)(question->number - 1) * PAGE_SIZE;
    int code = file->below->pMethods->xRead(file->below, page, PAGE_SIZE, offset);
    if (code == SQLITE_OK) question->state = page_state(page, question->number);
    return code;
}

// Finds the state of a page. Only the holder of the checkpoint lock moves pages from the log into the file, and may
// have written half of a page. So a page that seems damaged is read again while this lock is held, which delays no
// other process for long. If another process holds the lock, the page may be whole a moment later.
static int examine(struct checked_file *file, struct page_question *question) {
    enum { CHECKPOINT_LOCK = 1 };
    sqlite3_file *below = file->below;
    int code = look_at_page(file, question);
    for (int attempt = 0; code == SQLITE_OK && question->state == LAUREL_PAGE_DAMAGED && attempt < 4; attempt++) {
        int locked = below->pMethods->xShmLock(below, CHECKPOINT_LOCK, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED);
        if (locked != SQLITE_OK) sqlite3_sleep(5);
        code = look_at_page(file, question);
        if (locked != SQLITE_OK) continue;
        below->pMethods->xShmLock(below, CHECKPOINT_LOCK, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
        break;
    }
    return code;
}

static int database_control(sqlite3_file *base, int operation, void *argument) {
    struct checked_file *file = checked(base);
    switch (operation) {
    case OPERATION_TAKE_DAMAGE:
        *(sqlite3_int64 *)argument = file->damage;
        file->damage = 0;
        return SQLITE_OK;
    case OPERATION_EXAMINE: return examine(file, argument);
    case OPERATION_COUNT: {
        int code = file->below->pMethods->xFileSize(file->below, argument);
        *(sqlite3_int64 *)argument /= PAGE_SIZE;
        return code;
    }
    case SQLITE_FCNTL_CKPT_START: look_at_header_again(file); break;
    default: break;
    }
    return file->below->pMethods->xFileControl(file->below, operation, argument);
}

// MARK: The log

// Writes the collected frames.
static int write_frames(struct checked_file *file) {
    struct log_frames *frames = &file->frames;
    if (frames->count > 0 && frames->failure == SQLITE_OK) {
        frames->failure = write_below(file, frames->bytes, frames->count, frames->offset);
    }
    frames->count = 0;
    return frames->failure;
}

static int log_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    struct checked_file *file = checked(base);
    int code = write_frames(file);
    if (code != SQLITE_OK) return code;
    if (!log_is_page(count, offset) || offset >= file->writes.rewritten) {
        return file->below->pMethods->xRead(file->below, bytes, count, offset);
    }
    struct frame frame;
    sqlite3_int64 start = offset - FRAME_HEADER;
    code = file->below->pMethods->xRead(file->below, &frame, FRAME_SIZE, start);
    memcpy(bytes, frame.page, count);
    if (code != SQLITE_OK || !log_frame_is_damaged(file->below, &frame, start)) return code;
    if (file->database) file->database->damage = -((start - LOG_HEADER) / FRAME_SIZE + 1);
    return SQLITE_IOERR_DATA;
}

static int log_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    struct checked_file *file = checked(base);
    if (file->frames.failure != SQLITE_OK) return file->frames.failure;
    log_writes_note(&file->writes, count, offset);
    int taken = log_frames_take(&file->frames, bytes, count, offset);
    if (taken == 0) return SQLITE_OK;
    int code = write_frames(file);
    if (taken > 0 || code != SQLITE_OK) return code;
    taken = log_frames_take(&file->frames, bytes, count, offset);
    return taken < 0 ? write_below(file, bytes, count, offset) : SQLITE_OK;
}

static int log_truncate(sqlite3_file *base, sqlite3_int64 size) {
    int code = write_frames(checked(base));
    return code == SQLITE_OK ? below(base)->pMethods->xTruncate(below(base), size) : code;
}

static int log_sync(sqlite3_file *base, int flags) {
    int code = write_frames(checked(base));
    return code == SQLITE_OK ? below(base)->pMethods->xSync(below(base), flags) : code;
}

static int log_size(sqlite3_file *base, sqlite3_int64 *size) {
    int code = write_frames(checked(base));
    return code == SQLITE_OK ? below(base)->pMethods->xFileSize(below(base), size) : code;
}

static int log_close(sqlite3_file *base) {
    struct checked_file *file = checked(base);
    write_frames(file);
    log_frames_free(&file->frames);
    if (file->database) file->database->log = 0;
    return below(base)->pMethods->xClose(below(base));
}

static int log_control(sqlite3_file *base, int operation, void *argument) {
    return below(base)->pMethods->xFileControl(below(base), operation, argument);
}

// MARK: Calls passed on unchanged

static int close_file(sqlite3_file *base) { return below(base)->pMethods->xClose(below(base)); }
static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    return below(base)->pMethods->xTruncate(below(base), size);
}
static int sync_file(sqlite3_file *base, int flags) { return below(base)->pMethods->xSync(below(base), flags); }
static int file_size(sqlite3_file *base, sqlite3_int64 *size) { return below(base)->pMethods->xFileSize(below(base), size); }
static int lock(sqlite3_file *base, int level) { return below(base)->pMethods->xLock(below(base), level); }
static int unlock(sqlite3_file *base, int level) { return below(base)->pMethods->xUnlock(below(base), level); }
static int has_reserved_lock(sqlite3_file *base, int *result) {
    return below(base)->pMethods->xCheckReservedLock(below(base), result);
}
static int sector_size(sqlite3_file *base) { return below(base)->pMethods->xSectorSize(below(base)); }
static int characteristics(sqlite3_file *base) { return below(base)->pMethods->xDeviceCharacteristics(below(base)); }
static int shared_map(sqlite3_file *base, int region, int size, int extends, void volatile **memory) {
    return below(base)->pMethods->xShmMap(below(base), region, size, extends, memory);
}
static int shared_lock(sqlite3_file *base, int first, int count, int flags) {
    enum { WRITE_LOCK = 0 };
    struct checked_file *log = checked(base)->log;
    if (log && first == WRITE_LOCK && (flags & SQLITE_SHM_UNLOCK)) log_frames_drop(&log->frames);
    return below(base)->pMethods->xShmLock(below(base), first, count, flags);
}
static void shared_barrier(sqlite3_file *base) { below(base)->pMethods->xShmBarrier(below(base)); }
static int shared_unmap(sqlite3_file *base, int removes) {
    return below(base)->pMethods->xShmUnmap(below(base), removes);
}

// Version 2 has shared memory, but no memory mapping of the file. Mapped pages would be read unchecked.
const sqlite3_io_methods checked_database_methods = {
    2, close_file, database_read, database_write, truncate_file, sync_file, file_size, lock, unlock, has_reserved_lock,
    database_control, sector_size, characteristics, shared_map, shared_lock, shared_barrier, shared_unmap, 0, 0,
};
const sqlite3_io_methods checked_log_methods = {
    2, log_close, log_read, log_write, log_truncate, log_sync, log_size, lock, unlock, has_reserved_lock,
    log_control, sector_size, characteristics, shared_map, shared_lock, shared_barrier, shared_unmap, 0, 0,
};
