// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/event.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/socket.h>

// Returns 1 if a path is a mount point, 0 if not or if the system does not tell.
static inline int laurel_is_mounted(const char *path) {
    struct statfs found;
    return statfs(path, &found) == 0 && strcmp(found.f_mntonname, path) == 0;
}

// Not supported: on this system, a lock of a byte and a lock by `flock` exclude each other.
static inline int laurel_lock_first_byte(int descriptor, short kind) {
    (void)descriptor;
    (void)kind;
    errno = ENOTSUP;
    return -1;
}

// Names the calling thread, for lists of threads.
static inline void laurel_thread_name(const char *name) { pthread_setname_np(name); }

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
static inline int laurel_sockets_open(void) {
    int sockets = kqueue();
    if (sockets >= 0) fcntl(sockets, F_SETFD, FD_CLOEXEC);
    return sockets;
}

// Watches a socket until all its descriptors are closed. Returns 0, or -1 with `errno`.
static inline int laurel_sockets_add(int sockets, int socket, uint64_t tag) {
    int one = 1;
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &one, sizeof one);
    struct kevent change;
    EV_SET(&change, socket, EVFILT_READ, EV_ADD, 0, 0, (void *)(uintptr_t)tag);
    return kevent(sockets, &change, 1, NULL, 0, NULL);
}

// Starts or stops events about room to send.
static inline int laurel_sockets_await_room(int sockets, int socket, uint64_t tag, int wanted) {
    struct kevent change;
    EV_SET(&change, socket, EVFILT_WRITE, wanted ? EV_ADD : EV_DELETE, 0, 0, (void *)(uintptr_t)tag);
    return kevent(sockets, &change, 1, NULL, 0, NULL);
}

static inline void laurel_sockets_remove(int sockets, int socket) {
    struct kevent changes[2];
    EV_SET(&changes[0], socket, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    EV_SET(&changes[1], socket, EVFILT_WRITE, EV_DELETE, 0, 0, NULL);
    kevent(sockets, &changes[0], 1, NULL, 0, NULL);
    kevent(sockets, &changes[1], 1, NULL, 0, NULL);
}

// Waits for events, for at most `milliseconds`, or without limit if -1. Returns the number of events.
static inline int laurel_sockets_wait(int sockets, laurel_socket_event *events, int room, int milliseconds) {
    struct kevent found[64];
    struct timespec limit = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    int count = kevent(sockets, NULL, 0, found, room < 64 ? room : 64, milliseconds < 0 ? NULL : &limit);
    for (int i = 0; i < count; i++) {
        events[i].tag = (uint64_t)(uintptr_t)found[i].udata;
        events[i].has_bytes = found[i].filter == EVFILT_READ;
        events[i].has_room = found[i].filter == EVFILT_WRITE;
    }
    return count < 0 ? 0 : count;
}

// Sends as many bytes as there is room for, without a signal if the peer has closed. Returns their number, or -1 with `errno`.
static inline ssize_t laurel_socket_send(int socket, const void *bytes, size_t count) {
    return send(socket, bytes, count, MSG_DONTWAIT);
}

// Receives the bytes that have arrived. Returns their number, 0 at the end, or -1 with `errno`.
static inline ssize_t laurel_socket_receive(int socket, void *bytes, size_t count) {
    return recv(socket, bytes, count, MSG_DONTWAIT);
}
