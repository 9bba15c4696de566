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
    /// The file's path, for formats that read neighbouring files.
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
    /// Attributes that the format's records lack.
    public var attributes = FormatAttributes()
    /// The ingest clock: events more than 24 hours ahead of it are refused.
    public var now: Date
    /// True to refuse events with unknown names instead of reporting the names.
    public var isStrict = false
    /// True if names may be mistyped, since the events' author or a mapping's author wrote them. Names from built-in
    /// formats are never reported.
    public var looksForUnknownNames = true

    /// Creates settings for CloudEvents with any names.
    /// - Parameter now: the ingest clock; events far after it are refused.
    public init(now: Date = Date()) { self.now = now }
}

/// The progress of an ingest.
public struct IngestProgress: Sendable, Hashable {
    /// The number of bytes read so far, compressed if the input is.
    public var bytesDone: Int64 = 0
    /// The total number of bytes; nil if the inputs' sizes are unknown.
    public var bytesTotal: Int64?
    /// The number of events read so far.
    public var events = 0
}

/// Stores events.
extension ProgressEngine {
    /// Stores events and updates all progress; durable when it returns. Events already stored change nothing. Lines
    /// that are not events, or contradict a stored event, go to quarantine; the rest is stored.
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

    /// Reads events from files or pipes, stores them and updates all progress; durable when it returns.
    ///
    /// Refused and conflicting events go to quarantine; the rest is stored. A large file takes several transactions.
    /// Each stores events together with the progress they cause. After a failure, ingest the same file again to
    /// complete it.
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
        try EngineError.translating { try ingestAll(sources, options: options, observe: observe) }
    }
}
