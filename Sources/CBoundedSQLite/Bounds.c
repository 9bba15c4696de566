// SPDX-License-Identifier: Apache-2.0

#include "CBoundedSQLite.h"

#include <sqlite3.h>

static sqlite3_mem_methods plain;
static _Thread_local int is_bounded;
static _Thread_local sqlite3_int64 left;

static int take(sqlite3_int64 bytes) {
    if (!is_bounded) return 1;
    if (bytes > left) return 0;
    left -= bytes;
    return 1;
}

static void *bounded_malloc(int size) {
    if (!take(size)) return 0;
    void *memory = plain.xMalloc(size);
    if (memory == 0 && is_bounded) left += size;
    return memory;
}

static void bounded_free(void *memory) {
    // Memory that was allocated before the bound began is also added to `left`. So the bound is a little wider.
    if (is_bounded && memory != 0) left += plain.xSize(memory);
    plain.xFree(memory);
}

static void *bounded_realloc(void *memory, int size) {
    sqlite3_int64 more = size - (sqlite3_int64)plain.xSize(memory);
    if (more > 0 && !take(more)) return 0;
    void *moved = plain.xRealloc(memory, size);
    if (is_bounded && (moved == 0 ? more > 0 : more < 0)) left += moved == 0 ? more : -more;
    return moved;
}

int laurel_sqlite3_count_memory(void) {
    if (plain.xMalloc != 0) return SQLITE_OK;
    sqlite3_mem_methods found;
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &found);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods bounded = found;
    bounded.xMalloc = bounded_malloc;
    bounded.xFree = bounded_free;
    bounded.xRealloc = bounded_realloc;
    plain = found;
    code = sqlite3_config(SQLITE_CONFIG_MALLOC, &bounded);
    if (code != SQLITE_OK) plain.xMalloc = 0;
    return code;
}

void laurel_sqlite3_begin_bound(long long bytes) {
    left = bytes;
    is_bounded = 1;
}

void laurel_sqlite3_end_bound(void) { is_bounded = 0; }

void laurel_sqlite3_confine(sqlite3 *database, int length) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    // The time to match a pattern is the product of the lengths of pattern and text.
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500);
    if (length > 0) sqlite3_limit(database, SQLITE_LIMIT_LENGTH, length);
}
