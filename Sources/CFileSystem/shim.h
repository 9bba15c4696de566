#include <fcntl.h>
#include <linux/stat.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether a path is where something is mounted: 1 or 0; 0 also where the system does not say.
static inline int laurel_is_mounted(const char *path) {
    struct statx found;
    if (syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &found) != 0) return 0;
    return (found.stx_attributes_mask & found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// Whether files may become no larger than some size that the process was given: 1 or 0.
static inline int laurel_file_size_is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}
