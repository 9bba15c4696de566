// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where recorded events go: a file, a closure, or a service of your own.
///
/// Events are delivered at least once, oldest first, under ids that stay: the engine counts each once. A delivery that throws
/// is tried again later with the same events, unless it throws a ``DeliveryError`` that says otherwise.
public protocol Delivery: Sendable {
    /// Hands events over. When this returns, they are forgotten: the receiver must have made them durable.
    /// Called for one batch at a time.
    func deliver(_ batch: Batch) async throws -> Receipt
}

/// Some recorded events, on their way.
public struct Batch: Sendable {
    /// Of all its events: this installation of the app.
    public let source: String
    /// The events' ids, oldest first.
    public let ids: [String]
    /// The events as CloudEvents, one JSON object a line, in the order of the ids: what `laurel ingest` and the engine read.
    public let ndjson: Data

    /// How many events.
    public var count: Int { ids.count }

    /// Each property says what its parameter means.
    public init(source: String, ids: [String], ndjson: Data) {
        self.source = source
        self.ids = ids
        self.ndjson = ndjson
    }
}

/// What the receiver said of a batch that it took.
public struct Receipt: Sendable, Hashable {
    /// Events that it took but found wrong, such as those that Laurel put in quarantine. They are not sent again.
    public var refused: Int
    /// Why, for the app's log.
    public var message: String?

    /// Each property says what its parameter means.
    public init(refused: Int = 0, message: String? = nil) {
        self.refused = refused
        self.message = message
    }

    /// All of it is stored.
    public static let accepted = Receipt()
}

/// A failure that knows whether, and when, to try again.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public var message: String
    /// True if trying again by itself can help. If not, the client waits for ``LaurelClient/flush()`` or the next
    /// start, for instance until the learner has signed in again.
    public var isRetryable: Bool
    /// The receiver wants to be left alone for so long.
    public var retryAfter: Duration?

    /// Each property says what its parameter means.
    public init(_ message: String, isRetryable: Bool = true, retryAfter: Duration? = nil) {
        self.message = message
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }

    public var description: String { message }
}

/// Hands batches to a closure: an embedded engine, or your app's own networking.
public struct ClosureDelivery: Delivery {
    private let body: @Sendable (Batch) async throws -> Receipt

    /// A delivery by a function.
    /// - Parameter body: brings a batch to the engine; see ``Delivery/deliver(_:)``.
    public init(_ body: @escaping @Sendable (Batch) async throws -> Receipt) { self.body = body }

    public func deliver(_ batch: Batch) async throws -> Receipt { try await body(batch) }
}
