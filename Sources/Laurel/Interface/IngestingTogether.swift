// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelAdapters
public import LaurelResults
import LaurelStore

/// Events of one sender, to be stored in one transaction with other senders' events.
public struct IngestRequest: Sendable {
    /// The form of the events.
    public enum Shape: Sendable, Hashable {
        /// One event, on any number of lines.
        case event
        /// A JSON array of events.
        case list
        /// One event, or a JSON array of events.
        case eventOrList
        /// An event per line.
        case lines
    }

    /// The form of the bytes.
    public var shape: Shape
    /// CloudEvents as JSON, not compressed.
    public var bytes: [UInt8]
    /// The name of the events' origin, for quarantine.
    public var name = "request"
    /// True to refuse events with unknown names.
    public var isStrict = false
    /// True to store either all events of the request or none.
    public var isAtomic = false
    /// True to check each `item.bought` as a purchase before it is stored. The request must be all or nothing.
    var isPurchase = false
    /// The only learner whose events are allowed; nil for all learners.
    public var learner: String?
    /// The required source of the events; nil for any.
    public var source: String?
    /// The events that the sender may send.
    public var rights = SenderRights.administrator
    /// The sender, for the audit log's entries about purchases and events that set numbers directly; nil for no
    /// entries.
    public var actor: AuditActor?
    /// The maximum number of touched learners whose progress is returned.
    public var progressLimit = 0
    /// The instant of the returned progress; nil for the time of the ingest clock.
    var progressInstant: Timestamp?
    /// The events and refusals that records of another format gave; nil if `bytes` are CloudEvents.
    var converted: [AdaptedRecord]?
    /// Called before refused events go to quarantine, with their number of bytes. If the closure returns false, the
    /// events are discarded. Without a closure, all of them may go to quarantine.
    package var mayQuarantine: (@Sendable (_ bytes: Int) -> Bool)?

    /// The maximum number of events in a JSON array. A request of lines may have more events; they are stored in parts
    /// of this size.
    package static let mostEvents = 10_000

    /// True if the bytes are a single event, not a list.
    package var isSingle: Bool {
        switch shape {
        case .event: true
        case .eventOrList: firstByte == UInt8(ascii: "{")
        case .list, .lines: false
        }
    }

    /// The first byte that is not JSON white space.
    var firstByte: UInt8? { bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    /// Creates a request for events of any learner. The valid events are stored, even if other events are refused.
    public init(_ shape: Shape, _ bytes: [UInt8]) { (self.shape, self.bytes) = (shape, bytes) }
}

/// The outcome of an ``IngestRequest``.
public enum IngestOutcome: Sendable {
    /// The events are durable and counted.
    case done(RequestReport)
    /// Nothing is stored, because the request was to store all events or none.
    case nothingStored(RequestReport)
    /// An event has another learner or another source than allowed; nothing is stored.
    case notAllowed(RequestReport.Problem)
    /// The request is not a list of events. Nothing is stored. Quarantine keeps the request as one line, unless it is
    /// all or nothing.
    case unreadable(String)
    /// The store reported an error. Nothing of an all-or-nothing request is stored, unless the error has the code
    /// `outcome-unknown`. In a store with several partitions, another request may be stored in part. Storing the
    /// request again is safe.
    case failed(EngineError)
}

extension ProgressEngine {
    /// Stores the events of many requests, and updates all progress. There is one transaction, or one for each of the
    /// store's partitions. Each all-or-nothing request gets a separate transaction. Everything is durable when the
    /// method returns.
    ///
    /// All events are in memory at once, so pass at most about 20,000 events together.
    /// - Parameters:
    ///   - requests: the events to store.
    ///   - now: the time of the ingest clock. Events more than 24 hours later are refused.
    /// - Returns: the outcomes, in the order of the requests. If storing some requests fails, the others have their
    ///   own outcomes.
    /// - Throws: ``EngineError`` if every request failed; storing them again is safe.
    public func ingest(together requests: [IngestRequest], now: Date = Date()) throws(EngineError) -> [IngestOutcome] {
        try ingest(together: requests, now: now, counting: nil)
    }

    /// Stores the events of many requests, and counts them.
    /// - Parameter tally: counts the events that are stored.
    package func ingest(
        together requests: [IngestRequest],
        now: Date,
        counting tally: IntakeCounts?
    ) throws(EngineError) -> [IngestOutcome] {
        let ingest = GroupIngest(self, now: now.milliseconds, tally)
        let joined = requests.indices.filter { !requests[$0].isAtomic }
        let groups = requests.indices.filter { requests[$0].isAtomic }.map { [$0] } + (joined.isEmpty ? [] : [joined])
        var outcomes: [IngestOutcome?] = requests.map { _ in nil }
        var failures: [EngineError] = []
        for group in groups {
            do throws(EngineError) {
                // Every other write would also fail, and some writes wait for seconds before they fail.
                if let error = failures.first(where: \.code.failsEveryWrite) { throw error }
                let found = try EngineError.translating { try ingest.run(group.map { requests[$0] }) }
                for (index, outcome) in zip(group, found) { outcomes[index] = outcome }
            } catch {
                failures.append(error)
                for index in group { outcomes[index] = .failed(error) }
            }
        }
        if failures.count == groups.count, let error = failures.first { throw error }
        return outcomes.compactMap(\.self)
    }
}

extension EngineError.Code {
    /// True if the store cannot be written to, so that other requests would fail with the same error.
    package var failsEveryWrite: Bool { [.busy, .diskFull, .ioError, .unavailable].contains(self) }
}
