// SPDX-License-Identifier: Apache-2.0

/// The days for which a service keeps its records. nil keeps them for ever.
public struct Retention: Sendable, Hashable {
    /// Quarantined lines, from when they came.
    public var quarantine: Int?
    /// Jobs, from their end.
    public var jobs: Int? = 30
    /// Webhook messages, delivered or waiting, from the events that caused them.
    public var webhookMessages: Int?
    /// Entries of the audit log.
    public var audit: Int? = 365

    public init() {}
}
