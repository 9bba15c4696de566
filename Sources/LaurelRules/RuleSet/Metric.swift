// SPDX-License-Identifier: Apache-2.0

/// A named aggregate over events.
package struct Metric: Sendable {
    package let name: String
    package let aggregate: Aggregate
    /// The event types it aggregates.
    package let types: [String]
    /// The aggregate's operand; nil if it has none.
    package let expression: Program?
    /// `where`: the events that count.
    package let filter: Program?
    /// `by`, of any type: one value per key, of which the largest counts.
    package let key: Program?
}
