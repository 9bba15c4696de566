// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/param.h>

// Whether a path is where something is mounted: 1 or 0; 0 also where the system does not say.
static inline int laurel_is_mounted(const char *path) {
    struct statfs found;
    return statfs(path, &found) == 0 && strcmp(found.f_mntonname, path) == 0;
}

// There are no such locks: those of a file's bytes and those of `flock` are of one kind here, and would keep each other out.
static inline int laurel_lock_first_byte(int descriptor, short kind) {
    (void)descriptor;
    (void)kind;
    errno = ENOTSUP;
    return -1;
}
