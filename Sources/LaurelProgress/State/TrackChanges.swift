// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The changes of a track's numbers that achievements can read. Changes of metrics are not included, because they
/// depend on the event's type: see ``TypePlan/readers``.
struct TrackChanges: OptionSet {
    let rawValue: UInt16

    /// The event itself. Every event sets this bit.
    static let event = TrackChanges(rawValue: 1)
    static let session = TrackChanges(rawValue: 2)
    static let day = TrackChanges(rawValue: 4)
    static let week = TrackChanges(rawValue: 8)
    /// XP in any window, and the level.
    static let xp = TrackChanges(rawValue: 16)
    static let streak = TrackChanges(rawValue: 32)
    static let words = TrackChanges(rawValue: 64)
    static let season = TrackChanges(rawValue: 128)
    /// Balances, and the numbers of completions of goals.
    static let learner = TrackChanges(rawValue: 256)
    static let all = TrackChanges(rawValue: .max)
}

extension Window {
    /// The change that the start of the window causes; empty for the total, which never starts again.
    var change: TrackChanges {
        switch self {
        case .total: []
        case .session: .session
        case .day: .day
        case .week: .week
        case .season: .season
        }
    }
}
