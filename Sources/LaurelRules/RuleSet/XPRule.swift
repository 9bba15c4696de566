// SPDX-License-Identifier: Apache-2.0

/// A rule that awards XP for events.
package struct XPRule: Sendable {
    package let id: String
    /// The bucket that receives the XP; the `id` if `bucket` is not set.
    package let bucket: String
    /// The event types for which the rule awards XP.
    package let types: RuleTypes
    package let when: Program?
    package let award: Program
    /// The maximum XP per day; nil without a limit.
    package let dailyCap: Double?
    /// The days on which the rule acts.
    package internal(set) var period = Period.always
}
