// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The windows of the calendar that contain a local day. When the key of a window changes, its numbers start from 0.
struct WindowKeys: Equatable {
    /// The number of the local day.
    var day: Int32
    /// The number of the first day of the week.
    var week: Int32
    /// The index of the season in the rules; −1 on days in no season.
    var season: Int32 = -1

    /// The key of a window of the calendar; 0 for the other windows, which have no key.
    subscript(window: Window) -> Int32 {
        switch window {
        case .total, .session: 0
        case .day: day
        case .week: week
        case .season: season
        }
    }

    @inline(__always)
    static func == (one: WindowKeys, other: WindowKeys) -> Bool {
        one.day == other.day && one.week == other.week && one.season == other.season
    }

    @inline(__always)
    var isInSeason: Bool { season >= 0 }
}
