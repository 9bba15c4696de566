// SPDX-License-Identifier: Apache-2.0

/// A named aggregate over events.
package struct Metric: Sendable {
    package enum Aggregate: String, Sendable, CaseIterable {
        case count, sum, max, last, distinct, run
    }

    package let name: String
    package let aggregate: Aggregate
    /// The event types it aggregates.
    package let types: [String]
    /// The number of `sum`, `max` and `last`, the value of `distinct` (of any type), the `while` of `run`; nil for
    /// `count`.
    package let expression: Program?
    /// `where`: the events that count.
    package let filter: Program?
    /// `by`, of any type: one value per key, of which the largest counts.
    package let key: Program?
}
