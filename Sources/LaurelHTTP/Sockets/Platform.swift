// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// A clock that never goes backwards.
enum MonotonicClock {
    static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}
