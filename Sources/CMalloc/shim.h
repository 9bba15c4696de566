// SPDX-License-Identifier: Apache-2.0

// Only the GNU C library has heaps to be fitted.
#if defined(__linux__)
#include <malloc.h>
#endif
