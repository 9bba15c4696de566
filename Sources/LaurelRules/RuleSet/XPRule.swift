// SPDX-License-Identifier: Apache-2.0

/// The XP that events are worth.
package struct XPRule: Sendable {
    package let id: String
    /// The bucket that the XP is credited to; the `id` if not set.
    package let bucket: String
    /// The event types that the rule applies to.
    package let types: [String]
    package let when: Program?
    package let award: Program
    /// The most XP in one day; nil without a limit.
    package let dailyCap: Double?
    /// The days on which the rule acts.
    package internal(set) var period = Period.always
}
