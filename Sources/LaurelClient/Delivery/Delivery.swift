// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A destination of recorded events: a file, a closure, or your own service.
///
/// Events are delivered at least once, the oldest first. Their ids never change, so the engine counts each event once.
/// If `deliver` throws an error, the client calls it again later with the same events. A thrown ``DeliveryError`` can
/// prevent the retry.
public protocol Delivery: Sendable {
    /// Delivers the events of one batch. The function must return only when the receiver has stored the events durably,
    /// because the client then deletes them. The client delivers one batch at a time.
    func deliver(_ batch: Batch) async throws -> Receipt

    /// Buys an item, and returns when the purchase is durable. The default implementation throws a ``DeliveryError``,
    /// because files and closures cannot answer.
    /// - Throws: ``PurchaseRefusal`` if the item cannot be bought.
    func buy(_ purchase: ItemPurchase) async throws -> ItemReceipt
}

extension Delivery {
    public func buy(_ purchase: ItemPurchase) async throws -> ItemReceipt {
        throw DeliveryError("this delivery cannot buy; HTTPDelivery can", isRetryable: false)
    }
}

/// Recorded events for one delivery.
public struct Batch: Sendable {
    /// The `source` of all events in the batch. It identifies this installation of the app.
    public let source: String
    /// The ids of the events, the oldest first.
    public let ids: [String]
    /// The events as CloudEvents, one JSON object per line, in the order of the ids. `laurel ingest` and the engine
    /// read this format.
    public let ndjson: Data

    /// The number of events.
    public var count: Int { ids.count }

    /// Creates a batch. The properties describe the parameters.
    public init(source: String, ids: [String], ndjson: Data) {
        self.source = source
        self.ids = ids
        self.ndjson = ndjson
    }
}

/// The receiver's answer to an accepted batch.
public struct Receipt: Sendable, Hashable {
    /// The number of events that the receiver accepted but found invalid, such as events in Laurel's quarantine. They
    /// are not sent again.
    public var refused: Int
    /// The reason for refused events, for the app's log; nil if there is none.
    public var message: String?

    /// Creates a receipt. The properties describe the parameters.
    public init(refused: Int = 0, message: String? = nil) {
        self.refused = refused
        self.message = message
    }

    /// The receipt for a batch that was stored completely.
    public static let accepted = Receipt()
}

/// The error of a failed delivery. It decides whether and when the client retries the delivery.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the failure.
    public var message: String
    /// True if an automatic retry can help. If false, the client waits for ``LaurelClient/flush()`` or the next start.
    /// For example, the learner may have to sign in again.
    public var isRetryable: Bool
    /// The waiting time that the receiver requested; nil to use the client's retry policy.
    public var retryAfter: Duration?

    /// Creates an error. The properties describe the parameters.
    public init(_ message: String, isRetryable: Bool = true, retryAfter: Duration? = nil) {
        self.message = message
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }

    public var description: String { message }
}

/// Delivers batches to a closure: an embedded engine, or your app's own networking.
public struct ClosureDelivery: Delivery {
    private let body: @Sendable (Batch) async throws -> Receipt

    /// Creates a delivery that calls a function.
    /// - Parameter body: delivers a batch to the engine; see ``Delivery/deliver(_:)``.
    public init(_ body: @escaping @Sendable (Batch) async throws -> Receipt) { self.body = body }

    public func deliver(_ batch: Batch) async throws -> Receipt { try await body(batch) }
}
