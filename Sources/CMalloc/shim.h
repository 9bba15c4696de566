// SPDX-License-Identifier: Apache-2.0

// Only the GNU C library has options for its heaps.
#if defined(__linux__)
#include <malloc.h>
#endif
