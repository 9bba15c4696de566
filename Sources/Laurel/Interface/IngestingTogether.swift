// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelStore

/// Events of one sender, to be stored in one transaction with those of others.
public struct IngestRequest: Sendable {
    /// How the events are written.
    public enum Shape: Sendable, Hashable {
        /// One event, however many lines it takes.
        case event
        /// A JSON array of events.
        case list
        /// One event, or a JSON array of events.
        case eventOrList
        /// An event per line.
        case lines
    }

    /// How its bytes are to be read.
    public var shape: Shape
    /// CloudEvents as JSON, not packed.
    public var bytes: [UInt8]
    /// For quarantine: where they came from.
    public var name = "request"
    /// Whether events with unknown names are refused.
    public var isStrict = false
    /// Whether all of it is stored, or nothing.
    public var isAtomic = false
    /// Whose events may be among them; nil for everybody's.
    public var learner: String?
    /// The source that they must have; nil for any.
    public var source: String?
    /// The events that its sender may send.
    public var rights = SenderRights.administrator
    /// The sender, whose events by decree and purchases are noted in the audit log; nil for no entries.
    public var actor: AuditActor?
    /// How many of the touched learners' progress is wanted.
    public var progressLimit = 0
    /// Asked before so many bytes of refused events go to quarantine; nil keeps all of them.
    package var mayQuarantine: (@Sendable (_ bytes: Int) -> Bool)?

    /// The most events of a JSON array. Of lines there may be more, which are stored in pieces of so many.
    package static let mostEvents = 10_000

    /// True if the bytes are one event and no list.
    package var isSingle: Bool {
        switch shape {
        case .event: true
        case .eventOrList: firstByte == UInt8(ascii: "{")
        case .list, .lines: false
        }
    }

    /// The first byte that is no blank of JSON.
    var firstByte: UInt8? { bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    /// Events of anybody, of which those that can be stored are.
    public init(_ shape: Shape, _ bytes: [UInt8]) { (self.shape, self.bytes) = (shape, bytes) }
}

/// What came of an ``IngestRequest``.
public enum IngestOutcome: Sendable {
    /// Durable, and counted.
    case done(RequestReport)
    /// All or nothing was asked for: nothing is stored.
    case nothingStored(RequestReport)
    /// An event is of another learner, or of another source, than the request may have; nothing is stored.
    case notAllowed(RequestReport.Problem)
    /// The request is no list of events. Nothing is stored, and quarantine keeps it as one line unless it is all or nothing.
    case unreadable(String)
}

extension ProgressEngine {
    /// Stores the events of many requests in one transaction, or one for each of the store's partitions, and brings all progress up
    /// to date; durable when it returns. Requests that are all or nothing have a transaction of their own each.
    ///
    /// Not for requests of more than some 20,000 events together: all of them are held in memory.
    /// - Parameters:
    ///   - requests: what is to be stored.
    ///   - now: events more than 24 hours ahead of it are refused.
    /// - Returns: what came of each, in their order.
    /// - Throws: ``EngineError``; then nothing of those that were not atomic is stored, or where there are partitions, nothing of
    ///   some. To store them again does no harm.
    public func ingest(together requests: [IngestRequest], now: Date = Date()) throws(EngineError) -> [IngestOutcome] {
        try ingest(together: requests, now: now, counting: nil)
    }

    /// - Parameter tally: counts the events that are stored.
    package func ingest(
        together requests: [IngestRequest],
        now: Date,
        counting tally: IntakeCounts?
    ) throws(EngineError) -> [IngestOutcome] {
        try EngineError.translating {
            let ingest = GroupIngest(self, now: now.milliseconds, tally)
            var outcomes: [IngestOutcome?] = requests.map { _ in nil }
            for (index, request) in requests.enumerated() where request.isAtomic {
                outcomes[index] = try ingest.run([request])[0]
            }
            let joined = requests.indices.filter { !requests[$0].isAtomic }
            for (index, outcome) in zip(joined, try ingest.run(joined.map { requests[$0] })) {
                outcomes[index] = outcome
            }
            return outcomes.compactMap(\.self)
        }
    }
}
