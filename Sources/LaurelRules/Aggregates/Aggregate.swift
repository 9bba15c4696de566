// SPDX-License-Identifier: Apache-2.0

/// A kind of metric: its keys in a rules file, its possible values, and the change that an event makes to it.
///
/// Each aggregate is a file in this folder and an entry in ``all``.
package struct Aggregate: Sendable {
    /// All aggregates, in the order of the documentation.
    package static let all: [Aggregate] = [.count, .sum, .max, .last, .distinct, .run]

    /// The expression that an aggregate requires.
    struct Operand: Sendable {
        /// The expression's key in a rules file.
        let key: String
        /// The required type of the expression; nil if any type is allowed.
        let type: ValueType?
    }

    /// The change that an event makes to the metric.
    package enum Change: Sendable {
        /// The event adds 1 to the metric.
        case count
        /// The event adds the value of the expression to the metric.
        case sum
        /// The event replaces the metric's number by the value of the expression.
        case last
        /// The event adds 1 to the metric if the expression is true. Otherwise it resets the metric to 0.
        case run
        /// The event adds 1 to the metric if the metric has not counted the value of the expression before.
        case distinct
        /// The event combines the metric's number with the value of the expression, as `max` does. The first value
        /// becomes the metric's number.
        case combine(@convention(c) (_ metric: Double, _ value: Double) -> Double)
    }

    /// The aggregate's key in a rules file.
    package let name: String
    package let change: Change
    /// The expression; nil for an aggregate that only counts events.
    let operand: Operand?
    /// True if a rule may give the metric a key `by`, so that the metric has a separate value for each key.
    let allowsKeys: Bool
    /// True if the metric's values are always whole numbers, at least 0.
    let isWhole: Bool
    /// Returns the possible numbers of the metric. The argument contains the possible values of the expression; nil
    /// without an expression.
    let range: @Sendable (ValueRange?) -> NumberRange

    /// Creates an aggregate whose operand, if any, may have another key than the aggregate's own.
    /// - Parameter operand: the expression and its key; nil if the aggregate only counts events.
    init(
        _ name: String,
        _ change: Change,
        operand: Operand? = nil,
        allowsKeys: Bool = false,
        isWhole: Bool = false,
        range: @escaping @Sendable (ValueRange?) -> NumberRange
    ) {
        (self.name, self.change, self.operand, self.range) = (name, change, operand, range)
        (self.allowsKeys, self.isWhole) = (allowsKeys, isWhole)
    }

    /// Creates an aggregate of numbers that starts at 0. The value of the aggregate's own key is the expression.
    init(
        ofNumbers name: String,
        _ change: Change,
        allowsKeys: Bool = false,
        range: @escaping @Sendable (NumberRange) -> NumberRange = { $0.hull(.one(0)) }
    ) {
        self.init(name, change, operand: Operand(key: name, type: .number), allowsKeys: allowsKeys) { value in
            value?.numbers.map(range) ?? .one(0)
        }
    }

    /// True if the aggregate's own key contains the event types; false if the key `on` does.
    var namesTypes: Bool { operand?.key != name }

    /// True if a track stores more than one number for the metric.
    package var isKeptSeparately: Bool {
        switch change {
        case .distinct, .combine: true
        case .count, .sum, .last, .run: false
        }
    }
}

extension Aggregate: Equatable {
    package static func == (one: Aggregate, other: Aggregate) -> Bool { one.name == other.name }
}
