// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelAdapters
import LaurelEvents
public import LaurelResults
public import LaurelWire

/// Something to read events from.
public struct IngestSource: Sendable {
    /// For messages: the file's name, or `standard input`.
    public var name: String
    /// Open for reading; the caller closes it.
    public var descriptor: Int32
    /// In bytes; nil if it is not known, as of a pipe.
    public var size: Int64?
    /// Where it lies, for formats that look beside it.
    public var path: String?

    /// An open file or pipe; each property says what its parameter means.
    public init(name: String, descriptor: Int32, size: Int64?, path: String? = nil) {
        self.name = name
        self.path = path
        self.descriptor = descriptor
        self.size = size
    }
}

/// How events are to be read.
public struct IngestOptions: Sendable {
    /// nil for CloudEvents.
    public var format: InputFormat?
    /// What a format lacks.
    public var attributes = FormatAttributes()
    /// The ingest clock: events more than 24 hours ahead of it are refused.
    public var now: Date
    /// Whether events with unknown names are refused rather than reported.
    public var isStrict = false
    /// Whether names come from whoever wrote the events, or a mapping for them, and may be mistyped: those of the formats that are
    /// built in are meant.
    public var looksForUnknownNames = true

    /// CloudEvents, of any names.
    /// - Parameter now: the ingest clock; events far after it are refused.
    public init(now: Date = Date()) { self.now = now }
}

/// How far an ingest has come.
public struct IngestProgress: Sendable, Hashable {
    /// Bytes read so far, packed as they are.
    public var bytesDone: Int64 = 0
    /// nil if the inputs' sizes are not known.
    public var bytesTotal: Int64?
    /// Events read so far.
    public var events = 0
}

/// Storing events.
extension ProgressEngine {
    /// Stores events and brings all progress up to date; durable when it returns. Events that are stored already change nothing.
    /// What is not an event, or contradicts a stored one, goes to quarantine; the rest is stored.
    /// - Parameters:
    ///   - cloudEvents: CloudEvents as NDJSON or a JSON array, such as the `ndjson` of a batch of LaurelClient; also packed with
    ///     gzip or zstd.
    ///   - now: events more than 24 hours ahead of it are refused.
    /// - Throws: ``EngineError``. With code ``EngineError/Code/unreadable``, what came before is stored.
    @discardableResult
    public func ingest(cloudEvents: Data, now: Date = Date()) throws(EngineError) -> IngestReport {
        try EngineError.translating {
            let report = try ingest(Array(cloudEvents), now: now.milliseconds)
            if let problem = report.unreadable.first { throw EngineError(.unreadable, problem.description) }
            return report
        }
    }

    /// As `ingest(cloudEvents:now:)`, with events that were made in this process.
    @discardableResult
    public func ingest(_ events: [Event], now: Date = Date()) throws(EngineError) -> IngestReport {
        try EngineError.translating { try ingest(events, now: now.milliseconds) }
    }

    /// Reads events from files or pipes, stores them and brings all progress up to date; durable when it returns.
    ///
    /// What is refused or in conflict goes to quarantine; the rest is stored. A large file is taken in several transactions, each of
    /// which stores events together with the progress they cause: after a failure half-way, feeding the file again completes it.
    /// - Parameters:
    ///   - sources: what is read, one after another.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``. Inputs that cannot be read to their end are told in the report.
    /// - Complexity: memory for one batch, whatever the size of the inputs.
    @discardableResult
    public func ingest(
        _ sources: [IngestSource],
        options: IngestOptions = IngestOptions(),
        observe: (IngestProgress) -> Void = { _ in }
    ) throws(EngineError) -> IngestReport {
        try EngineError.translating { try ingestAll(sources, options: options, observe: observe) }
    }
}
