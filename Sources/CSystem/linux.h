// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <linux/stat.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// Returns 1 if a path is a mount point, 0 if not or if the system does not tell.
static inline int laurel_is_mounted(const char *path) {
    struct statx found;
    if (syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &found) != 0) return 0;
    return (found.stx_attributes_mask & found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// Locks or unlocks the first byte of a file. The lock belongs to the open file description. `kind` is F_WRLCK or
// F_UNLCK. Returns -1 with `errno` on failure; EAGAIN means that another holder has the lock.
static inline int laurel_lock_first_byte(int descriptor, short kind) {
    struct flock request = {.l_type = kind, .l_whence = SEEK_SET, .l_len = 1};
    // 37 is F_OFD_SETLK, which the C library declares for GNU sources only.
    return fcntl(descriptor, 37, &request);
}

// Names the calling thread, for lists of threads.
static inline void laurel_thread_name(const char *name) { prctl(PR_SET_NAME, name); }

// An event of a watched socket.
typedef struct {
    // The tag given to `laurel_sockets_add`.
    uint64_t tag;
    // 1 if the peer has sent bytes or has closed the connection.
    int has_bytes;
    // 1 if the socket has room to send.
    int has_room;
} laurel_socket_event;

// Opens a watcher of many sockets. Returns its descriptor, or -1 with `errno`.
static inline int laurel_sockets_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Watches a socket until all its descriptors are closed. Returns 0, or -1 with `errno`.
static inline int laurel_sockets_add(int sockets, int socket, uint64_t tag) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.u64 = tag}};
    return epoll_ctl(sockets, EPOLL_CTL_ADD, socket, &event);
}

// Starts or stops events about room to send.
static inline int laurel_sockets_await_room(int sockets, int socket, uint64_t tag, int wanted) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | (wanted ? EPOLLOUT : 0), .data = {.u64 = tag}};
    return epoll_ctl(sockets, EPOLL_CTL_MOD, socket, &event);
}

static inline void laurel_sockets_remove(int sockets, int socket) {
    struct epoll_event event = {0};
    epoll_ctl(sockets, EPOLL_CTL_DEL, socket, &event);
}

// Waits for events, for at most `milliseconds`, or without limit if -1. Returns the number of events.
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

// Sends as many bytes as there is room for, without a signal if the peer has closed. Returns their number, or -1 with `errno`.
static inline ssize_t laurel_socket_send(int socket, const void *bytes, size_t count) {
    return send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Receives the bytes that have arrived. Returns their number, 0 at the end, or -1 with `errno`.
static inline ssize_t laurel_socket_receive(int socket, void *bytes, size_t count) {
    return recv(socket, bytes, count, MSG_DONTWAIT);
}
