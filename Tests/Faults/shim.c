// SPDX-License-Identifier: Apache-2.0

/* A disk with faults: put before the C library with LD_PRELOAD, it counts what a process does to the files of one folder,
 * and at one of these calls does something else.
 *
 *     FAULT_FOLDER  only files below it count; a path without a slash at its end
 *     FAULT_AT      the number of the call that is struck, from 1; 0 for none
 *     FAULT_KIND    kill   the process is gone before the call
 *                   tear   half of what is written is there, then the process is gone
 *                   short  half is written, and the call says so
 *                   eio, enospc  the call fails with that
 *     FAULT_LASTS   1: and so does every call after it, as on a disk that stays full or broken
 *     FAULT_COUNT   a file that takes the number of calls, when the process ends
 *     FAULT_RECORD  a file to which every call is appended, with what it wrote (see `record` below)
 *
 * Counted are writes, truncations, syncs, and removals and renames of names. Memory that is mapped is not seen: SQLite maps
 * its index of the log alone, which a power cut takes with it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation { op_write = 'w', op_truncate = 't', op_sync = 's', op_unlink = 'u', op_rename = 'r', op_create = 'c' };

static const char *folder, *kind, *count_path;
static size_t folder_length;
static long strike_at;
static int lasts, recorder = -1;
static atomic_long calls;
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    folder = getenv("FAULT_FOLDER");
    kind = getenv("FAULT_KIND");
    count_path = getenv("FAULT_COUNT");
    strike_at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
    lasts = getenv("FAULT_LASTS") && *getenv("FAULT_LASTS") == '1';
    folder_length = folder ? strlen(folder) : 0;
    const char *path = getenv("FAULT_RECORD");
    if (path) recorder = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

__attribute__((destructor)) static void end(void) {
    if (!count_path) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    int file = syscall(SYS_openat, AT_FDCWD, count_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, text, length);
        syscall(SYS_close, file);
    }
}

static int is_inside(const char *path) {
    return folder && strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/';
}

/* The path of an open file within the folder; 0 for any other file. */
static int path_of(int descriptor, char *path) {
    char link[48];
    if (!folder) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, PATH_MAX - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    return is_inside(path);
}

static int absolute(const char *name, char *path) {
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
    } else {
        if (!getcwd(path, PATH_MAX)) return 0;
        size_t length = strlen(path);
        snprintf(path + length, PATH_MAX - length, "/%s", name);
    }
    return is_inside(path);
}

static void put(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t done = syscall(SYS_write, recorder, next, count);
        if (done <= 0) _exit(97);
        next += done;
        count -= done;
    }
}

/* operation 1 | length of the path 4 | path | offset 8 | count 8 | bytes written, or the new path of a rename */
static void record(enum operation operation, const char *path, int64_t offset, const void *bytes, int64_t count) {
    if (recorder < 0) return;
    char code = operation;
    uint32_t length = strlen(path);
    pthread_mutex_lock(&recording);
    put(&code, 1);
    put(&length, 4);
    put(path, length);
    put(&offset, 8);
    put(&count, 8);
    if (bytes) put(bytes, count);
    pthread_mutex_unlock(&recording);
}

/* Counts a call. Whether it is struck: then it fails with `errno`, or writes `*count` bytes only, or never returns. */
static int is_struck(enum operation operation, size_t *count, int *dies) {
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (strike_at == 0 || (lasts ? call < strike_at : call != strike_at)) return 0;
    if (strcmp(kind, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(kind, "tear") == 0 || strcmp(kind, "short") == 0) {
        *dies = kind[0] == 't';
        if (operation == op_write && *count > 1) *count /= 2;
        else if (*dies) kill(getpid(), SIGKILL);
        return 0;
    }
    /* A full disk can still sync its data, and remove names. */
    int is_full = strcmp(kind, "enospc") == 0;
    if (is_full && (operation == op_sync || operation == op_unlink)) return 0;
    errno = is_full ? ENOSPC : EIO;
    return 1;
}

static void die_if(int dies) {
    if (dies) kill(getpid(), SIGKILL);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset, int is_positioned) {
    char path[PATH_MAX];
    int dies = 0;
    int is_ours = path_of(descriptor, path);
    if (is_ours && is_struck(op_write, &count, &dies)) return -1;
    if (is_ours && recorder >= 0 && !is_positioned) {
        struct stat status;
        int is_appending = fcntl(descriptor, F_GETFL) & O_APPEND;
        offset = is_appending && fstat(descriptor, &status) == 0 ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    ssize_t done = is_positioned ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                                 : syscall(SYS_write, descriptor, bytes, count);
    if (is_ours && done > 0) record(op_write, path, offset, bytes, done);
    die_if(dies);
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return write_at(descriptor, bytes, count, 0, 0); }

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at(descriptor, bytes, count, offset, 1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return write_at(descriptor, bytes, count, offset, 1);
}

static int truncate_to(int descriptor, off_t size) {
    char path[PATH_MAX];
    size_t count = 0;
    int dies = 0;
    int is_ours = path_of(descriptor, path);
    if (is_ours && is_struck(op_truncate, &count, &dies)) return -1;
    int result = syscall(SYS_ftruncate, descriptor, size);
    if (is_ours && result == 0) record(op_truncate, path, size, NULL, 0);
    return result;
}

int ftruncate(int descriptor, off_t size) { return truncate_to(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return truncate_to(descriptor, size); }

static int sync_of(long call, int descriptor) {
    char path[PATH_MAX];
    size_t count = 0;
    int dies = 0;
    int is_ours = path_of(descriptor, path) || (folder && strcmp(path, folder) == 0);
    if (is_ours && is_struck(op_sync, &count, &dies)) return -1;
    /* If only processes die, everything written is kept. */
    if (is_ours) record(op_sync, path, 0, NULL, 0);
    return is_ours ? 0 : syscall(call, descriptor);
}

int fsync(int descriptor) { return sync_of(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return sync_of(SYS_fdatasync, descriptor); }

int unlink(const char *name) {
    char path[PATH_MAX];
    size_t count = 0;
    int dies = 0;
    int is_ours = absolute(name, path);
    if (is_ours && is_struck(op_unlink, &count, &dies)) return -1;
    int result = syscall(SYS_unlinkat, AT_FDCWD, name, 0);
    if (is_ours && result == 0) record(op_unlink, path, 0, NULL, 0);
    return result;
}

int rename(const char *name, const char *other) {
    char path[PATH_MAX], next[PATH_MAX];
    size_t count = 0;
    int dies = 0;
    int is_ours = absolute(name, path) && absolute(other, next);
    if (is_ours && is_struck(op_rename, &count, &dies)) return -1;
    int result = syscall(SYS_renameat2, AT_FDCWD, name, AT_FDCWD, other, 0);
    if (is_ours && result == 0) record(op_rename, path, 0, next, strlen(next));
    return result;
}

/* The creation or truncation of a file is only recorded. */
static int open_at(int directory, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int is_ours = recorder >= 0 && (flags & (O_CREAT | O_TRUNC)) && absolute(name, path);
    int is_new = is_ours && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
    int descriptor = syscall(SYS_openat, directory, name, flags, mode);
    if (is_ours && descriptor >= 0) {
        if (is_new) record(op_create, path, 0, NULL, 0);
        else if (flags & O_TRUNC) record(op_truncate, path, 0, NULL, 0);
    }
    return descriptor;
}

#define WITH_MODE(call)                                                                                                \
    mode_t mode = 0;                                                                                                   \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }                                                                                                                  \
    return call;

int open(const char *name, int flags, ...) { WITH_MODE(open_at(AT_FDCWD, name, flags, mode)) }
int open64(const char *name, int flags, ...) { WITH_MODE(open_at(AT_FDCWD, name, flags, mode)) }
int openat(int directory, const char *name, int flags, ...) { WITH_MODE(open_at(directory, name, flags, mode)) }
int openat64(int directory, const char *name, int flags, ...) { WITH_MODE(open_at(directory, name, flags, mode)) }
