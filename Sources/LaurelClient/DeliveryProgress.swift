// SPDX-License-Identifier: Apache-2.0

/// The progress of delivery: the elements of ``LaurelClient/progress``.
public struct DeliveryProgress: Sendable, Hashable {
    /// The states of delivery.
    public enum State: Sendable, Hashable {
        /// No event is waiting, or delivery was not started.
        case idle
        /// A batch with this number of events is being sent.
        case sending(Int)
        /// The last attempt failed. The value is the waiting time until the next attempt.
        case waiting(Duration)
        /// The last attempt failed, and an automatic retry would not help: see ``DeliveryError/isRetryable``.
        case blocked
        /// The client was closed.
        case closed
    }

    /// The state of delivery.
    public var state: State = .idle
    /// The number of durable events that are not delivered yet.
    public var pending = 0
    /// The size of the JSON of the undelivered events, in bytes.
    public var pendingBytes = 0
    /// The number of events delivered since the client was opened, including events that the receiver refused.
    public var sent = 0
    /// The number of delivered events that the receiver found invalid, refused purchases included.
    public var refused = 0
    /// The latest 1,000 purchases from the outbox that were refused since the client was opened: see
    /// ``LaurelClient/buy(_:by:count:id:at:queues:)``.
    public var refusedPurchases: [PurchaseRefusal] = []
    /// The number of events dropped since the client was opened because the outbox was full: see
    /// ``OutboxLimits/WhenFull/dropOldest``.
    public var dropped = 0
    /// The number of failed attempts in a row.
    public var failures = 0
    /// The message of the last failed attempt, or of the last receipt with refused events; nil if there was neither.
    public var lastProblem: String?

    /// Creates the progress of a client that has not delivered anything yet.
    public init() {}

    /// The maximum number of refused purchases in the list.
    static let mostRefused = 1000

    /// Adds a refused purchase. If the list is full, the oldest one is removed.
    mutating func add(_ refusal: PurchaseRefusal) {
        refusedPurchases = refusedPurchases.suffix(DeliveryProgress.mostRefused - 1) + [refusal]
    }
}
