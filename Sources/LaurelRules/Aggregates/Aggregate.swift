// SPDX-License-Identifier: Apache-2.0

/// A kind of metric: its keys in a rules file, its possible values, and the change that an event makes to it.
///
/// Each aggregate is a file in this folder and an entry in ``all``.
package struct Aggregate: Sendable {
    /// All aggregates, in the order of the documentation.
    package static let all: [Aggregate] = [.count, .sum, .max, .last, .distinct, .run]

    /// The expression that an aggregate takes.
    struct Operand: Sendable {
        /// The key of the expression.
        let key: String
        /// The type of the expression; nil for any type.
        let type: ValueType?
    }

    /// The change that an event makes to the metric.
    package enum Change: Sendable {
        /// It adds 1.
        case count
        /// It adds the value of the expression.
        case sum
        /// It replaces the metric by the value of the expression.
        case last
        /// It adds 1 if the expression is true, else it resets the metric to 0.
        case run
        /// It adds 1 if the expression has a new value.
        case distinct
        /// It combines the metric with the value of the expression. The first value becomes the metric.
        case combine(@convention(c) (_ metric: Double, _ value: Double) -> Double)
    }

    /// The key in a rules file.
    package let name: String
    package let change: Change
    /// The expression; nil for an aggregate that only counts events.
    let operand: Operand?
    /// True if `by` can keep a value per key.
    let allowsKeys: Bool
    /// True if the values are whole numbers from 0 on.
    let isWhole: Bool
    /// The possible numbers of the metric, given the possible values of its expression.
    let range: @Sendable (ValueRange?) -> NumberRange

    /// - Parameter operand: an expression under another key than the aggregate's own.
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

    /// An aggregate of numbers, whose expression stands under its own key. It starts at 0.
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

    /// True if the aggregate's own key names the event types; false if `on` does.
    var namesTypes: Bool { operand?.key != name }

    /// True if a track keeps more of the metric than a number.
    package var isKeptApart: Bool {
        switch change {
        case .distinct, .combine: true
        case .count, .sum, .last, .run: false
        }
    }
}

extension Aggregate: Equatable {
    package static func == (one: Aggregate, other: Aggregate) -> Bool { one.name == other.name }
}
