// SPDX-License-Identifier: Apache-2.0

#include <linux/stat.h>
#include <sys/syscall.h>

// Whether a path is where something is mounted: 1 or 0; 0 also where the system does not say.
static inline int laurel_is_mounted(const char *path) {
    struct statx found;
    if (syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &found) != 0) return 0;
    return (found.stx_attributes_mask & found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// Locks, or unlocks, the first byte of a file for whoever has it open here, by a lock that goes with the descriptor:
// `kind` is F_WRLCK or F_UNLCK. -1 with `errno`, which is EAGAIN where another has it.
static inline int laurel_lock_first_byte(int descriptor, short kind) {
    struct flock request = {.l_type = kind, .l_whence = SEEK_SET, .l_len = 1};
    // F_OFD_SETLK, which the C library shows to GNU sources only.
    return fcntl(descriptor, 37, &request);
}
