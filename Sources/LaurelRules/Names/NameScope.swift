// SPDX-License-Identifier: Apache-2.0

/// The place of an expression in the rules. The place decides which names the expression can read.
struct NameScope {
    enum Part: Equatable {
        /// A metric, given by its index. Its expressions can read only metrics above it.
        case metric(Int)
        case streak, xp, levels, cefr, achievement
        /// The value or the target of a goal. Such an expression is also evaluated when there is no event.
        case goal
    }

    let part: Part
    /// The event types for which the expression is evaluated; nil for all types.
    var eventTypes: [String]?

    init(_ part: Part, eventTypes: [String]? = nil) {
        self.part = part
        self.eventTypes = eventTypes
    }
}
