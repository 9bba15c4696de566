// SPDX-License-Identifier: Apache-2.0

/// A named aggregate over events.
package struct Metric: Sendable {
    package let name: String
    package let aggregate: Aggregate
    /// The event types that the metric aggregates.
    package let types: RuleTypes
    /// The aggregate's operand; nil if the aggregate has no operand.
    package let expression: Program?
    /// The `where` condition that events must satisfy; nil if there is none.
    package let filter: Program?
    /// The `by` expression, of any type; nil if there is none. Each key has its own number, and the metric is the
    /// largest of them.
    package let key: Program?
}
