// SPDX-License-Identifier: Apache-2.0

/// Where in the rules an expression stands, which decides what it may name.
struct NameScope {
    enum Place: Equatable {
        /// By its index: only the metrics above are seen.
        case metric(Int)
        case streak, xp, levels, cefr, achievement
    }

    let place: Place
    /// The event types it is evaluated for; nil for all.
    var eventTypes: [String]?

    init(_ place: Place, eventTypes: [String]? = nil) {
        self.place = place
        self.eventTypes = eventTypes
    }
}
