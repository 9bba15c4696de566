// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

// Wrappers of variadic functions, and of macros with casts, which Swift does not import.

static inline int laurel_sqlite3_keep_log_on_close(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

static inline int laurel_sqlite3_forgo_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline int laurel_sqlite3_distrust_schema(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// SQLite copies the bytes before the call returns.
static inline int laurel_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The bytes must stay valid until the statement is reset or bound again.
static inline int laurel_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

// SQLite copies the bytes before the call returns.
static inline void laurel_sqlite3_result_text(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The bytes must stay valid until the statement is stepped again.
static inline void laurel_sqlite3_result_lent_text(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

// The write-ahead log of the main database; null if the connection has no open log.
static inline sqlite3_file *laurel_sqlite3_log(sqlite3 *database) {
    sqlite3_file *log = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    return code == SQLITE_OK && log && log->pMethods ? log : 0;
}

static inline int laurel_sqlite3_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return file->pMethods->xFileSize(file, size);
}

static inline int laurel_sqlite3_file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return file->pMethods->xWrite(file, bytes, count, offset);
}

static inline int laurel_sqlite3_file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return file->pMethods->xTruncate(file, size);
}
