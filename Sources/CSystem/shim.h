// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

// The functions that differ by platform. Both headers define the same functions.
#if defined(__APPLE__)
#include "darwin.h"
#else
#include "linux.h"
#endif

// Returns 1 if the process has a limit for the size of files, else 0.
static inline int laurel_file_size_is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// A thread. On some platforms a handle is a number, on others a pointer.
typedef struct {
    pthread_t handle;
} laurel_thread;

// Starts a thread. Returns 0, or an error number.
static inline int laurel_thread_start(laurel_thread *thread, void *(*run)(void *), void *argument) {
    return pthread_create(&thread->handle, 0, run, argument);
}

// Starts a thread that is never joined, with a stack of `stack` bytes. Returns 0, or an error number.
static inline int laurel_thread_start_detached(void *(*run)(void *), void *argument, size_t stack) {
    pthread_attr_t attributes;
    pthread_t thread;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) return failure;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack);
    failure = pthread_create(&thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return failure;
}

static inline int laurel_thread_join(laurel_thread thread) { return pthread_join(thread.handle, 0); }
