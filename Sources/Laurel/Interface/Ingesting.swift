// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelAdapters
import LaurelEvents
public import LaurelResults
public import LaurelWire

/// A source of events.
public struct IngestSource: Sendable {
    /// The name for messages: the file's name, or `standard input`.
    public var name: String
    /// A descriptor open for reading; the caller closes it.
    public var descriptor: Int32
    /// The size in bytes; nil if unknown, as for a pipe.
    public var size: Int64?
    /// The file's path, for formats that read further files in the same folder.
    public var path: String?

    /// Creates a source from an open file or pipe. See the properties for the parameters.
    public init(name: String, descriptor: Int32, size: Int64?, path: String? = nil) {
        self.name = name
        self.path = path
        self.descriptor = descriptor
        self.size = size
    }
}

/// The settings for reading events.
public struct IngestOptions: Sendable {
    /// The format; nil for CloudEvents.
    public var format: InputFormat?
    /// Attributes that the format's records do not contain.
    public var attributes = FormatAttributes()
    /// The ingest clock: events more than 24 hours ahead of it are refused.
    public var now: Date
    /// True to refuse events with unknown names instead of reporting the names.
    public var isStrict = false
    /// True to look for mistyped names, because people wrote the events or a mapping by hand. Names from built-in
    /// formats are never reported.
    public var looksForUnknownNames = true

    /// Creates settings for CloudEvents that may contain any names.
    /// - Parameter now: the ingest clock; events more than 24 hours ahead of it are refused.
    public init(now: Date = Date()) { self.now = now }
}

/// The progress of an ingest.
public struct IngestProgress: Sendable, Hashable {
    /// The number of bytes read so far. For a compressed input, compressed bytes are counted.
    public var bytesDone: Int64 = 0
    /// The total number of bytes; nil if the inputs' sizes are unknown.
    public var bytesTotal: Int64?
    /// The number of events read so far.
    public var events = 0
}

/// Stores events.
extension ProgressEngine {
    /// Stores events and updates all progress. Both are durable when the method returns. Events already stored change
    /// nothing. Lines that are not events, or contradict a stored event, go to quarantine; the other lines are stored.
    /// - Parameters:
    ///   - cloudEvents: CloudEvents as NDJSON or a JSON array, such as the `ndjson` of a batch of LaurelClient; also
    ///     compressed with gzip or zstd.
    ///   - now: events more than 24 hours ahead of it are refused.
    /// - Throws: ``EngineError``. With code ``EngineError/Code/unreadable``, the events before the error are stored.
    @discardableResult
    public func ingest(cloudEvents: Data, now: Date = Date()) throws(EngineError) -> IngestReport {
        try EngineError.translating {
            let report = try ingest(Array(cloudEvents), now: now.milliseconds)
            if let problem = report.unreadable.first { throw EngineError(.unreadable, problem.description) }
            return report
        }
    }

    /// Stores events that were created in this process, like `ingest(cloudEvents:now:)`.
    @discardableResult
    public func ingest(_ events: [Event], now: Date = Date()) throws(EngineError) -> IngestReport {
        try EngineError.translating { try ingest(events, now: now.milliseconds) }
    }

    /// Reads events from files or pipes, stores them and updates all progress. Everything is durable when the method
    /// returns.
    ///
    /// Refused and conflicting events go to quarantine; the other events are stored. A large file needs several
    /// transactions. Each stores events together with the resulting progress. After a failure, ingest the same file
    /// again to complete it.
    /// - Parameters:
    ///   - sources: the sources to read, one after another.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``. Inputs that cannot be read to their end are listed in the report.
    /// - Complexity: memory for one batch, whatever the size of the inputs.
    @discardableResult
    public func ingest(
        _ sources: [IngestSource],
        options: IngestOptions = IngestOptions(),
        observe: (IngestProgress) -> Void = { _ in }
    ) throws(EngineError) -> IngestReport {
        try EngineError.translating {
            try ingestAll(sources.map(IngestInput.init), options: options, observe: observe)
        }
    }
}
