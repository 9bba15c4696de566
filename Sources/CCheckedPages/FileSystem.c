// SPDX-License-Identifier: Apache-2.0

#include "CCheckedPages.h"
#include "CheckedFile.h"
#include <pthread.h>
#include <string.h>

// A file system for SQLite: the default one, except for databases and their logs.

static sqlite3_vfs file_system;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static sqlite3_vfs *real(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int open_file(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags, int *result) {
    if (!name || !(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) {
        return real(vfs)->xOpen(real(vfs), name, base, flags, result);
    }
    struct checked_file *file = checked(base);
    memset(file, 0, sizeof *file);
    file->below = (sqlite3_file *)(file + 1);
    int opened = flags;
    int code = real(vfs)->xOpen(real(vfs), name, file->below, flags, &opened);
    if (result) *result = opened;
    if (code != SQLITE_OK) {
        if (file->below->pMethods) file->below->pMethods->xClose(file->below);
        return code;
    }
    log_writes_none(&file->writes);
    int is_log = flags & SQLITE_OPEN_WAL;
    file->is_reader = opened & SQLITE_OPEN_READONLY;
    if (is_log) {
        sqlite3_file *database = sqlite3_database_file_object(name);
        if (database && database->pMethods == &checked_database_methods) {
            file->database = checked(database);
            file->database->log = file;
        }
    }
    base->pMethods = is_log ? &checked_log_methods : &checked_database_methods;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) { return real(vfs)->xDelete(real(vfs), name, syncs); }
static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    return real(vfs)->xAccess(real(vfs), name, flags, result);
}
static int full_name(sqlite3_vfs *vfs, const char *name, int count, char *result) {
    return real(vfs)->xFullPathname(real(vfs), name, count, result);
}
static int randomness(sqlite3_vfs *vfs, int count, char *bytes) { return real(vfs)->xRandomness(real(vfs), count, bytes); }
static int sleep_for(sqlite3_vfs *vfs, int microseconds) { return real(vfs)->xSleep(real(vfs), microseconds); }
static int current_time(sqlite3_vfs *vfs, double *days) { return real(vfs)->xCurrentTime(real(vfs), days); }
static int last_error(sqlite3_vfs *vfs, int count, char *text) { return real(vfs)->xGetLastError(real(vfs), count, text); }
static int current_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *time) {
    return real(vfs)->xCurrentTimeInt64(real(vfs), time);
}

static void make(void) {
    sqlite3_vfs *usual = sqlite3_vfs_find(0);
    file_system.iVersion = 2;
    file_system.szOsFile = (int)sizeof(struct checked_file) + usual->szOsFile;
    file_system.mxPathname = usual->mxPathname;
    file_system.zName = "laurel-checked-pages";
    file_system.pAppData = usual;
    file_system.xOpen = open_file;
    file_system.xDelete = delete_file;
    file_system.xAccess = access_file;
    file_system.xFullPathname = full_name;
    file_system.xRandomness = randomness;
    file_system.xSleep = sleep_for;
    file_system.xCurrentTime = current_time;
    file_system.xGetLastError = last_error;
    file_system.xCurrentTimeInt64 = current_milliseconds;
    sqlite3_vfs_register(&file_system, 0);
}

const char *laurel_checked_pages_vfs(void) {
    pthread_once(&once, make);
    return file_system.zName;
}

int laurel_checked_pages_are_on(struct sqlite3 *database) {
    int bytes = -1;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
    return code == SQLITE_OK && bytes == 8;
}

int laurel_checked_pages_reserve(struct sqlite3 *database) {
    int bytes = 8;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

int64_t laurel_checked_pages_take_damage(struct sqlite3 *database) {
    sqlite3_int64 damage = 0;
    sqlite3_file_control(database, "main", OPERATION_TAKE_DAMAGE, &damage);
    return damage;
}

int laurel_checked_pages_examine(struct sqlite3 *database, uint32_t number) {
    struct page_question question = {number, 0};
    int code = sqlite3_file_control(database, "main", OPERATION_EXAMINE, &question);
    return code == SQLITE_OK ? question.state : -code;
}

int64_t laurel_checked_pages_count(struct sqlite3 *database) {
    sqlite3_int64 count = 0;
    int code = sqlite3_file_control(database, "main", OPERATION_COUNT, &count);
    return code == SQLITE_OK ? count : -code;
}

int laurel_checked_pages_ahead(struct sqlite3 *database, uint8_t *ahead, int64_t count) {
    sqlite3_file *log = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK || !log || log->pMethods != &checked_log_methods) return code;
    struct checked_file *file = checked(log);
    return file->database ? log_pages_ahead(file->below, file->database->below, ahead, count) : SQLITE_OK;
}

int laurel_checked_pages_examine_log(struct sqlite3 *database, struct laurel_log_state *state) {
    memset(state, 0, sizeof *state);
    sqlite3_file *log = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK || !log || log->pMethods != &checked_log_methods) return code;
    struct checked_file *file = checked(log);
    return file->database ? log_examine(file->below, file->database->below, state) : SQLITE_OK;
}
