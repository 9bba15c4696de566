// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// A clock that only goes on.
enum MonotonicClock {
    static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}
