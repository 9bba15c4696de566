// SPDX-License-Identifier: Apache-2.0

/// The place of an expression in the rules, which decides the names that it can read.
struct NameScope {
    enum Place: Equatable {
        /// A metric, by its index. Only metrics above it can be read.
        case metric(Int)
        case streak, xp, levels, cefr, achievement
    }

    let place: Place
    /// The event types for which the expression is evaluated; nil for all.
    var eventTypes: [String]?

    init(_ place: Place, eventTypes: [String]? = nil) {
        self.place = place
        self.eventTypes = eventTypes
    }
}
