// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelAdapters
import LaurelEvents
public import LaurelResults
public import LaurelWire

/// Attributes that a format's records may lack. The caller gives them in addition to the file.
public struct FormatAttributes: Sendable, Hashable {
    /// The learner's id.
    public var learner: String?
    /// The BCP 47 tag of the language being learned.
    public var language: String?
    /// The IANA name of the time zone in which the learner practised.
    public var timeZone: String?
    /// The events' `source`; nil for the format's default source.
    public var source: String?
    /// The maximum number of seconds for SQLite to read a file; nil for 600. A file that takes longer is refused.
    public var fileSeconds: Double?

    /// Creates attributes that the records do not contain.
    public init(learner: String? = nil, language: String? = nil, timeZone: String? = nil, source: String? = nil) {
        (self.learner, self.language, self.timeZone, self.source) = (learner, language, timeZone, source)
    }

    /// The attributes' names in `laurel ingest`.
    public enum Name: String, Codable, Sendable, CaseIterable {
        /// The learner's id.
        case learner = "subject"
        /// A language tag, such as `es`.
        case language
        /// A time zone, such as `Europe/Madrid`.
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

/// A format of events other than CloudEvents: a built-in format, or a mapping file of your own.
public struct InputFormat: Sendable {
    let kind: AdapterKind
    /// Warnings about parts of the mapping that are valid but probably wrong.
    public let warnings: [Diagnostic]

    init(_ kind: AdapterKind, warnings: [Diagnostic] = []) { (self.kind, self.warnings) = (kind, warnings) }

    /// The built-in formats, by name.
    public static var all: [InputFormat] { Adapters.all.map { InputFormat($0) } }

    /// A built-in format.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest``, which suggests the most similar name.
    public static func named(_ name: String) throws(EngineError) -> InputFormat {
        do {
            return InputFormat(try Adapters.find(name))
        } catch {
            throw EngineError(.invalidRequest, error.message)
        }
    }

    /// Reads a format from a mapping file.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidMapping``, whose diagnostics are all errors in the
    ///   file.
    public init(mappingAt path: String) throws(EngineError) {
        let mapping = try EngineError.translating {
            try Mapping(yaml: try ProgressEngine.read(path, limit: 1 << 20), file: path)
        }
        self.init(AdapterKind(mapping: mapping), warnings: mapping.warnings)
    }

    /// Drafts a mapping for a file of an unknown format: a table such as CSV, or JSON records.
    /// - Parameter path: the path of the file. Only its beginning is read.
    /// - Returns: the text of a mapping file. Comments in it say what to check.
    /// - Throws: ``EngineError`` if the file cannot be read, or if a draft cannot describe it.
    public static func draft(forFileAt path: String) throws(EngineError) -> String {
        try EngineError.translating { try MappingDraft(FileSource(path: path)).text }
    }

    /// Reads a format from the text of a mapping file.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidMapping``, whose diagnostics are all errors in the
    ///   text.
    package init(mapping text: String, name: String) throws(EngineError) {
        let mapping = try EngineError.translating { try Mapping(yaml: Array(text.utf8), file: name) }
        self.init(AdapterKind(mapping: mapping), warnings: mapping.warnings)
    }

    /// The format of a file in memory.
    package enum Recognised {
        case cloudEvents
        case format(InputFormat)
        /// No format reads the file. The text is a first mapping for it.
        case draft(String)
    }

    /// Finds the format of a file in memory, or drafts a mapping for it.
    /// - Throws: ``EngineError`` if the file is of a kind that no mapping reads, or if a draft cannot describe it.
    package static func recognise(_ bytes: [UInt8], name: String) throws(EngineError) -> Recognised {
        try EngineError.translating {
            switch try FormatGuess.format(of: bytes, name: name) {
            case .cloudEvents: .cloudEvents
            case .kind(let kind): .format(InputFormat(kind))
            case .unknown: .draft(try MappingDraft(MemorySource(bytes, name: name)).text)
            }
        }
    }

    /// Throws an error if a file in memory is a workbook, such as an Excel file. No format reads workbooks.
    package static func refuseWorkbook(_ bytes: [UInt8], name: String) throws(EngineError) {
        try EngineError.translating { try FormatGuess.refuseWorkbook(bytes, name: name) }
    }

    /// Drafts a mapping for a file in memory.
    package static func draft(for bytes: [UInt8], name: String) throws(EngineError) -> String {
        try EngineError.translating { try MappingDraft(MemorySource(bytes, name: name)).text }
    }

    /// True if the format replaces or retracts events that earlier files gave. A request is stored without a comparison
    /// with earlier files.
    package var comparesFiles: Bool { kind.mapping?.replacesEvents ?? false }

    /// The name, as used in `--format`.
    public var name: String { kind.name }
    /// A one-line summary of the records that the format reads.
    public var summary: String { kind.summary }
    /// A working call of `laurel ingest`.
    public var example: String { kind.example }
    /// The required attributes.
    public var needs: [FormatAttributes.Name] { kind.needs.compactMap { .init(rawValue: $0.rawValue) } }
    /// The optional attributes.
    public var takes: [FormatAttributes.Name] { kind.takes.compactMap { .init(rawValue: $0.rawValue) } }
    /// The text of the format's mapping file; nil for a format written in Swift.
    public var mapping: String? { kind.mapping.map { String(decoding: $0.text, as: UTF8.self) } }

    /// The format's entry in a list of formats.
    public var listing: FormatListing {
        FormatListing(
            name: name,
            summary: summary,
            needs: needs.map(\.rawValue),
            takes: takes.map(\.rawValue),
            example: example
        )
    }

    /// Checks the given attributes.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest`` if an attribute is missing or invalid.
    public func check(_ attributes: FormatAttributes) throws(EngineError) {
        do {
            _ = try kind.adapter(attributes.options)
        } catch {
            throw EngineError(.invalidRequest, error.message)
        }
    }

    /// Reads a file without storing its events, and reports the result.
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - attributes: the attributes; if a required learner is missing, `sample` is used.
    /// - Throws: ``EngineError`` if the file does not have the format, or cannot be read to its end.
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

/// Collects the result of a trial while the file is read.
private struct TrialReading {
    var trial = FormatTrial()
    private var check = EventCheck(clock: Timestamp.latest.milliseconds)

    init(kinds: [String]) { trial.kinds = kinds.map { FormatTrial.Kind(what: $0) } }

    mutating func take(_ record: AdaptedRecord) {
        if trial.kinds.indices.contains(record.kind) { trial.kinds[record.kind].events += 1 }
        guard let refusal = check.refusal(of: record) else { return }
        if trial.kinds.indices.contains(record.kind) { trial.kinds[record.kind].refused += 1 }
        let place = record.place.map { "\($0): " } ?? ""
        if trial.problems.count < 20 { trial.problems.append("\(record.line): \(place)\(refusal.message)") }
    }
}
