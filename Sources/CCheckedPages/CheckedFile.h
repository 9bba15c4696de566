// SPDX-License-Identifier: Apache-2.0

#pragma once
#include "Log.h"
#include <sqlite3.h>

// A database's file, or its log, between SQLite and the file below.
struct checked_file {
    sqlite3_file base;
    // Behind this struct, in the memory that SQLite gives.
    sqlite3_file *below;
    // Of a log: the database's file.
    struct checked_file *database;
    // Of a database: its log's file, while that is open.
    struct checked_file *log;
    struct log_writes writes;
    struct log_frames frames;
    // Whether the database's pages carry checksums, as far as its first page has been seen.
    int has_checksums;
    // Nobody writes through it, so it never reads pages that are not in use.
    int is_reader;
    // See laurel_checked_pages_take_damage.
    sqlite3_int64 damage;
};

// Operations of xFileControl, beside SQLite's.
enum { OPERATION_TAKE_DAMAGE = 0x4C610001, OPERATION_EXAMINE, OPERATION_COUNT };

struct page_question {
    uint32_t number;
    int state;
};

extern const sqlite3_io_methods checked_database_methods, checked_log_methods;

static inline struct checked_file *checked(sqlite3_file *file) { return (struct checked_file *)file; }
static inline sqlite3_file *below(sqlite3_file *file) { return checked(file)->below; }
