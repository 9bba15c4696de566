// SPDX-License-Identifier: Apache-2.0

#pragma once
#include "Log.h"
#include <sqlite3.h>

// A database's file or its log, as a layer between SQLite and the default file system.
struct checked_file {
    sqlite3_file base;
    // The file of the default file system. It follows this struct in the memory that SQLite allocates.
    sqlite3_file *below;
    // For a log, the database's file.
    struct checked_file *database;
    // For a database, its log's file while the log is open.
    struct checked_file *log;
    struct log_writes writes;
    struct log_frames frames;
    // 1 if the database's pages have checksums. The first page decides, as it was when last read or written.
    int has_checksums;
    // 1 if the file was opened for reading only. A reader never reads a page that is not in use.
    int is_reader;
    // See laurel_checked_pages_take_damage.
    sqlite3_int64 damage;
};

// Operations of xFileControl in addition to SQLite's.
enum { OPERATION_TAKE_DAMAGE = 0x4C610001, OPERATION_EXAMINE, OPERATION_COUNT };

struct page_question {
    uint32_t number;
    int state;
};

extern const sqlite3_io_methods checked_database_methods, checked_log_methods;

static inline struct checked_file *checked(sqlite3_file *file) { return (struct checked_file *)file; }
static inline sqlite3_file *below(sqlite3_file *file) { return checked(file)->below; }
