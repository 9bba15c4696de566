// SPDX-License-Identifier: Apache-2.0

/// A rule that awards XP or a currency for events.
package struct XPRule: Sendable {
    package let id: String
    /// The index of the currency that the rule awards; nil for XP.
    package let currency: Int?
    /// The bucket that receives the XP; the `id` if `bucket` is not set. Not used for a currency.
    package let bucket: String
    /// The event types for which the rule awards.
    package let types: RuleTypes
    package internal(set) var when: Program?
    package let award: Program
    /// The maximum per day; nil without a limit.
    package internal(set) var dailyCap: Double?
    /// The days on which the rule acts.
    package internal(set) var period = Period.always
}
