// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelAdapters
import LaurelEvents
public import LaurelResults
public import LaurelWire

/// What a format may lack, to be given beside the file.
public struct FormatAttributes: Sendable, Hashable {
    /// The learner's id.
    public var learner: String?
    /// BCP 47 tag of the language being learned.
    public var language: String?
    /// IANA name of the zone on whose clock the learner practised.
    public var timeZone: String?
    /// The events' `source`; each format has one of its own.
    public var source: String?
    /// The most seconds that SQLite may take to read a file; nil for 600. A file that takes longer is refused.
    public var fileSeconds: Double?

    /// What the records do not tell themselves.
    public init(learner: String? = nil, language: String? = nil, timeZone: String? = nil, source: String? = nil) {
        (self.learner, self.language, self.timeZone, self.source) = (learner, language, timeZone, source)
    }

    /// Their names, as `laurel ingest` calls them.
    public enum Name: String, Codable, Sendable, CaseIterable {
        /// Whose events they are.
        case learner = "subject"
        /// A tag, such as `es`.
        case language
        /// Such as `Europe/Madrid`.
        case timeZone = "timezone"
        /// The source of the events.
        case source
    }

    var options: AdapterOptions {
        var options = AdapterOptions(subject: learner, language: language, timezone: timeZone, source: source)
        options.fileSeconds = fileSeconds
        return options
    }
}

/// A format that events are read from, other than CloudEvents: one that is built in, or a mapping file of your own.
public struct InputFormat: Sendable {
    let kind: AdapterKind
    /// What is doubtful in its mapping, but no mistake.
    public let warnings: [Diagnostic]

    init(_ kind: AdapterKind, warnings: [Diagnostic] = []) { (self.kind, self.warnings) = (kind, warnings) }

    /// Those that are built in, by name.
    public static var all: [InputFormat] { Adapters.all.map { InputFormat($0) } }

    /// One that is built in.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest``, which names the nearest.
    public static func named(_ name: String) throws(EngineError) -> InputFormat {
        do {
            return InputFormat(try Adapters.find(name))
        } catch {
            throw EngineError(.invalidRequest, error.message)
        }
    }

    /// A mapping file.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidMapping``, whose diagnostics are all mistakes in it.
    public init(mappingAt path: String) throws(EngineError) {
        let mapping = try EngineError.translating {
            try Mapping(yaml: try ProgressEngine.read(path, limit: 1 << 20), file: path)
        }
        self.init(AdapterKind(mapping: mapping), warnings: mapping.warnings)
    }

    /// As `--format` takes it.
    public var name: String { kind.name }
    /// What it reads, in one line.
    public var summary: String { kind.summary }
    /// A call of `laurel ingest` that works.
    public var example: String { kind.example }
    /// The attributes without which it cannot work, and those that it may be given.
    public var needs: [FormatAttributes.Name] { kind.needs.compactMap { .init(rawValue: $0.rawValue) } }
    /// Attributes it may be given.
    public var takes: [FormatAttributes.Name] { kind.takes.compactMap { .init(rawValue: $0.rawValue) } }
    /// The mapping file that it is; nil for one that is written in Swift.
    public var mapping: String? { kind.mapping.map { String(decoding: $0.text, as: UTF8.self) } }

    /// What a listing tells of it.
    public var listing: FormatListing {
        FormatListing(
            name: name,
            summary: summary,
            needs: needs.map(\.rawValue),
            takes: takes.map(\.rawValue),
            example: example
        )
    }

    /// Whether it can work with what is given.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest`` where something is missing or is none.
    public func check(_ attributes: FormatAttributes) throws(EngineError) {
        do {
            _ = try kind.adapter(attributes.options)
        } catch {
            throw EngineError(.invalidRequest, error.message)
        }
    }

    /// Reads a file into nothing, and tells what would come of it.
    /// - Parameters:
    ///   - path: of the file.
    ///   - attributes: where they lack a learner that is needed, `sample` is one.
    /// - Throws: ``EngineError`` where the file is not of the format, or cannot be read to its end.
    public func trial(
        on path: String,
        attributes: FormatAttributes = FormatAttributes()
    ) throws(EngineError) -> FormatTrial {
        try EngineError.translating {
            var options = attributes.options
            options.subject = options.subject ?? (kind.needs.contains(.subject) ? "sample" : nil)
            var reading = TrialReading(kinds: kind.mapping?.kinds ?? [])
            var adapter = try kind.adapter(options)
            var reader = try InputReader(path: path, shape: kind.shape)
            let leftOut = try adapter.read(&reader, path: path) { reading.take($0) }
            reading.trial.leftOut = leftOut.map(IngestReport.LeftOut.init)
            return reading.trial
        }
    }
}

extension IngestReport.LeftOut {
    init(_ item: LeftOut) { self.init(what: item.what, count: item.count, why: item.why) }
}

/// What would come of a sample, as it is read.
private struct TrialReading {
    var trial = FormatTrial()
    private var decoder = EventDecoder()
    private var table = EventTable()

    init(kinds: [String]) { trial.kinds = kinds.map { FormatTrial.Kind(what: $0) } }

    mutating func take(_ record: AdaptedRecord) {
        if trial.kinds.indices.contains(record.kind) { trial.kinds[record.kind].events += 1 }
        guard let refusal = refusal(of: record) else { return }
        if trial.kinds.indices.contains(record.kind) { trial.kinds[record.kind].refused += 1 }
        let place = record.place.map { "\($0): " } ?? ""
        if trial.problems.count < 20 { trial.problems.append("\(record.line): \(place)\(refusal.message)") }
    }

    private mutating func refusal(of record: AdaptedRecord) -> Refusal? {
        switch record.outcome {
        case .refused(let refusal): return refusal
        case .event(let json):
            if table.count > 10_000 { table = EventTable() }
            let result = json.withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: Timestamp.latest.milliseconds)
            }
            if case .refused(let refusal) = result { return refusal }
            return nil
        }
    }
}
