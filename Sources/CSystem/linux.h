// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <linux/stat.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

// Names the thread that calls it, for those who list threads.
static inline void laurel_thread_name(const char *name) { prctl(PR_SET_NAME, name); }

// What has happened to a socket that is watched.
typedef struct {
    // As it was given.
    uint64_t tag;
    // The other side has sent something, or has gone.
    int has_bytes;
    // There is room for more to be sent.
    int has_room;
} laurel_socket_event;

// What watches many sockets: its descriptor; -1 with `errno`.
static inline int laurel_sockets_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Begins to watch a socket until it is closed by everyone who has it. 0, or -1 with `errno`.
static inline int laurel_sockets_add(int sockets, int socket, uint64_t tag) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.u64 = tag}};
    return epoll_ctl(sockets, EPOLL_CTL_ADD, socket, &event);
}

// Whether to tell of room, too.
static inline int laurel_sockets_await_room(int sockets, int socket, uint64_t tag, int wanted) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | (wanted ? EPOLLOUT : 0), .data = {.u64 = tag}};
    return epoll_ctl(sockets, EPOLL_CTL_MOD, socket, &event);
}

static inline void laurel_sockets_remove(int sockets, int socket) {
    struct epoll_event event = {0};
    epoll_ctl(sockets, EPOLL_CTL_DEL, socket, &event);
}

// Waits for what happens, at most so many milliseconds, or without end for -1. How many events there are.
static inline int laurel_sockets_wait(int sockets, laurel_socket_event *events, int room, int milliseconds) {
    struct epoll_event found[64];
    int count = epoll_wait(sockets, found, room < 64 ? room : 64, milliseconds);
    for (int i = 0; i < count; i++) {
        events[i].tag = found[i].data.u64;
        events[i].has_bytes = (found[i].events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
        events[i].has_room = (found[i].events & EPOLLOUT) != 0;
    }
    return count < 0 ? 0 : count;
}

// Sends what there is room for, without a signal where nobody reads. How many bytes, or -1 with `errno`.
static inline ssize_t laurel_socket_send(int socket, const void *bytes, size_t count) {
    return send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Takes what has been sent. How many bytes, 0 at the end, or -1 with `errno`.
static inline ssize_t laurel_socket_receive(int socket, void *bytes, size_t count) {
    return recv(socket, bytes, count, MSG_DONTWAIT);
}
