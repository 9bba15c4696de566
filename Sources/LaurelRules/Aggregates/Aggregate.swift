// SPDX-License-Identifier: Apache-2.0

/// A kind of metric: how it reads in a rules file, which values it can have, and how an event changes it.
///
/// An aggregate is one file in this folder and an entry in ``all``.
package struct Aggregate: Sendable {
    /// Every aggregate there is, in the order of the documentation.
    package static let all: [Aggregate] = [.count, .sum, .max, .last, .distinct, .run]

    /// The expression that an aggregate is of.
    struct Operand: Sendable {
        /// The key under which it stands.
        let key: String
        /// nil for any type.
        let type: ValueType?
    }

    /// How an event changes the metric.
    package enum Change: Sendable {
        /// It adds 1.
        case count
        /// It adds the expression's value.
        case sum
        /// It makes the expression's value the metric's.
        case last
        /// It adds 1 where the expression is true, else the metric begins again at 0.
        case run
        /// It adds 1 where the expression has a value that it has not had yet.
        case distinct
        /// The metric becomes a function of itself and of the expression's value; of the value alone at the first one.
        case combine(@convention(c) (_ metric: Double, _ value: Double) -> Double)
    }

    /// Its key in a rules file.
    package let name: String
    package let change: Change
    /// nil for an aggregate of events alone.
    let operand: Operand?
    /// True if `by` keeps a value per key.
    let allowsKeys: Bool
    /// True if the values are whole numbers from 0 on.
    let isWhole: Bool
    /// The numbers that the metric can be, from the values that its expression can have.
    let range: @Sendable (ValueRange?) -> NumberRange

    /// - Parameter operand: the expression under another key than the aggregate's own.
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

    /// An aggregate of the numbers that stand under its own key; it is 0 before any.
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

    /// True if its own key names the event types; false if `on` does.
    var namesTypes: Bool { operand?.key != name }

    /// True if a track keeps more of it than its number.
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
