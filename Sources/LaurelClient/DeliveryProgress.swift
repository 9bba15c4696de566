// SPDX-License-Identifier: Apache-2.0

/// The progress of delivery: the elements of ``LaurelClient/progress``.
public struct DeliveryProgress: Sendable, Hashable {
    /// The states of the outbox.
    public enum State: Sendable, Hashable {
        /// Nothing waits, or delivery was not started.
        case idle
        /// A batch with this number of events is being sent.
        case sending(Int)
        /// The last attempt failed. The value is the time until the next one.
        case waiting(Duration)
        /// The last attempt failed, and an automatic retry would not help: see ``DeliveryError/isRetryable``.
        case blocked
        /// The client was closed.
        case closed
    }

    /// The state of the outbox.
    public var state: State = .idle
    /// The number of durable events that are not delivered yet.
    public var pending = 0
    /// The size of their JSON, in bytes.
    public var pendingBytes = 0
    /// The number of events delivered since the client was opened, including those that the receiver refused.
    public var sent = 0
    /// The number of delivered events that the receiver found invalid.
    public var refused = 0
    /// The number of events dropped since the client was opened, for lack of room: see
    /// ``OutboxLimits/WhenFull/dropOldest``.
    public var dropped = 0
    /// The number of failed attempts in a row.
    public var failures = 0
    /// The message of the last failed attempt, or of the last receipt with refused events.
    public var lastProblem: String?

    /// Creates a value; each parameter is described at its property.
    public init() {}
}
