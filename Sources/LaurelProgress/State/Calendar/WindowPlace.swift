// SPDX-License-Identifier: Apache-2.0

/// The windows that contain an event, in addition to the total, the day and the week. These may be a session and a
/// season.
struct WindowPlace: Equatable {
    /// Bit 0 is set in a session, bit 1 in a season.
    let index: Int
    static let count = 4
    /// The place that is both in a session and in a season.
    static let everywhere = WindowPlace(isInSession: true, isInSeason: true)
    static let all: [WindowPlace] = [false, true].flatMap { season in
        [false, true].map { WindowPlace(isInSession: $0, isInSeason: season) }
    }

    @inline(__always)
    init(isInSession: Bool, isInSeason: Bool) { index = (isInSession ? 1 : 0) | (isInSeason ? 2 : 0) }

    var isInSession: Bool { index & 1 != 0 }
    var isInSeason: Bool { index & 2 != 0 }
}
