// SPDX-License-Identifier: Apache-2.0

/// How delivering goes: the elements of ``LaurelClient/progress``.
public struct DeliveryProgress: Sendable, Hashable {
    /// What the outbox is doing.
    public enum State: Sendable, Hashable {
        /// Nothing is being done: nothing waits, or delivering was not started.
        case idle
        /// A batch of so many events is on its way.
        case sending(Int)
        /// The last attempt failed; the next one comes after so long.
        case waiting(Duration)
        /// The last attempt failed, and trying again by itself would not help: see ``DeliveryError/isRetryable``.
        case blocked
        /// The client was closed.
        case closed
    }

    /// What the outbox is doing.
    public var state: State = .idle
    /// Durable events that are not delivered yet.
    public var pending = 0
    /// Of their JSON.
    public var pendingBytes = 0
    /// Events delivered since the client was opened, those included that the receiver refused.
    public var sent = 0
    /// Those of them that the receiver found wrong.
    public var refused = 0
    /// Events given up since the client was opened, for want of room: see ``OutboxLimits/WhenFull/dropOldest``.
    public var dropped = 0
    /// Failed attempts in a row.
    public var failures = 0
    /// What the last failed attempt, or the last receipt with refused events, said.
    public var lastProblem: String?

    /// Each property says what its parameter means.
    public init() {}
}
