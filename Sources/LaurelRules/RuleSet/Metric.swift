// SPDX-License-Identifier: Apache-2.0

/// A named aggregate over events.
package struct Metric: Sendable {
    package let name: String
    package let aggregate: Aggregate
    /// The event types it aggregates.
    package let types: [String]
    /// The aggregate's operand; nil if it has none.
    package let expression: Program?
    /// The `where` condition, which events must meet.
    package let filter: Program?
    /// The `by` expression, of any type. Each key has its own value, and the metric is the largest.
    package let key: Program?
}
