// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

// What the platforms do in different ways, the same functions in each of these headers.
#if defined(__APPLE__)
#include "darwin.h"
#else
#include "linux.h"
#endif

// Whether files may become no larger than some size that the process was given: 1 or 0.
static inline int laurel_file_size_is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// A thread, whatever stands for one: a number or a pointer.
typedef struct {
    pthread_t handle;
} laurel_thread;

// 0, or why the machine has no thread to give.
static inline int laurel_thread_start(laurel_thread *thread, void *(*run)(void *), void *argument) {
    return pthread_create(&thread->handle, 0, run, argument);
}

static inline int laurel_thread_join(laurel_thread thread) { return pthread_join(thread.handle, 0); }
