// SPDX-License-Identifier: Apache-2.0

/// A currency. Each learner has a balance in it, which is a whole number. The awards of currencies are in
/// ``RuleSet/xpRules``.
package struct CurrencyRule: Sendable {
    /// The growth of a balance below `hold` as time passes.
    package struct Refill: Sendable {
        /// The length of a period in milliseconds.
        package let every: Int64
        /// The amount that each whole period adds.
        package let amount: Double
    }

    package let name: String
    /// The balance before the learner's first event.
    package let start: Double
    /// The largest balance that awards, gifts and refills reach; nil without a limit.
    package let hold: Double?
    package internal(set) var refill: Refill?
}
