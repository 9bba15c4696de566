// SPDX-License-Identifier: Apache-2.0

/// What an event is worth.
package struct XPRule: Sendable {
    package let id: String
    /// What its XP is booked under; its `id` where not set.
    package let bucket: String
    /// The event types it applies to.
    package let types: [String]
    package let when: Program?
    package let award: Program
    /// The most that it awards in one day; nil for no limit.
    package let dailyCap: Double?
    /// The days on which it awards anything.
    package internal(set) var period = Period.always
}
