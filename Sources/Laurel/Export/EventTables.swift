// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelStore

/// A format of files that have a table for each event type.
public enum EventTableFormat: String, Sendable, CaseIterable {
    /// Comma-separated values with a header (RFC 4180). A time is RFC 3339 in UTC, and an absent value is an empty cell.
    /// A text that begins like a formula gets an apostrophe, so that spreadsheets do not run it.
    case csv
    /// Parquet, compressed by zstd. A time is a `TIMESTAMP` in UTC. Other columns are `INT64`, `DOUBLE`, `BOOLEAN` and
    /// text. Lists and objects are text with JSON.
    case parquet
}

/// A file with the events of one type.
protocol EventTableFile: AnyObject {
    /// The approximate number of bytes in memory that are not written yet.
    var pendingBytes: Int { get }
    /// Appends an event's cells.
    func append(_ cells: [EventSchema.Cell]) throws
    /// Writes the pending bytes.
    func flush() throws
    /// Completes the file, and gives it its final name.
    /// - Parameter isLast: true for the last file of the folder.
    func publish(isLast: Bool) throws
}

/// The files of an export with a table for each event type, in a folder.
///
/// The catalogue's types always have a file, so that a script never misses one. Files get their final names when all
/// events are written: see ``UnfinishedFile``. So a failed export changes no file.
final class EventTables {
    /// The maximum number of bytes that wait in memory, over all files.
    private static let mostPending = 64 << 20

    private struct Table {
        let schema: EventSchema
        let file: any EventTableFile
    }

    private let format: EventTableFormat
    private let folder: String
    private let mode: UInt32
    private var tables: [Table] = []
    private var indexes: [[UInt8]: Int] = [:]
    private var pending = 0

    /// - Parameters:
    ///   - folder: the folder, which is made if it is missing.
    ///   - mode: the permissions of the files.
    init(_ format: EventTableFormat, folder: String, mode: UInt32) throws {
        (self.format, self.folder, self.mode) = (format, folder, mode)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw EngineError(.cannotOpen, "the folder \(folder) cannot be made: \(error.localizedDescription)")
        }
        for type in Catalogue.types { _ = try index(of: Array(type.name.utf8)) }
    }

    func write(_ event: ExportedEvent) throws {
        let table = tables[try index(of: event.type)]
        pending -= table.file.pendingBytes
        try table.file.append(table.schema.cells(of: event))
        pending += table.file.pendingBytes
        guard pending > Self.mostPending else { return }
        let largest = tables.max { $0.file.pendingBytes < $1.file.pendingBytes }
        pending -= largest?.file.pendingBytes ?? 0
        try largest?.file.flush()
        pending += largest?.file.pendingBytes ?? 0
    }

    /// Completes all files. No file gets its final name before all events are written.
    func publish() throws {
        for table in tables { try table.file.flush() }
        for (index, table) in tables.enumerated() { try table.file.publish(isLast: index == tables.count - 1) }
    }

    private func index(of type: [UInt8]) throws -> Int {
        if let index = indexes[type] { return index }
        let schema = EventSchema(type: String(decoding: type, as: UTF8.self))
        // A type's name has only lower-case letters, digits and `._-`, so it is a safe file name.
        let file = try UnfinishedFile("\(folder)/\(schema.type).\(format.rawValue)", mode: mode)
        tables.append(Table(schema: schema, file: try format.table(schema, in: file)))
        indexes[type] = tables.count - 1
        return tables.count - 1
    }
}

extension EventTableFormat {
    fileprivate func table(_ schema: EventSchema, in file: UnfinishedFile) throws -> any EventTableFile {
        switch self {
        case .csv: CSVTable(schema, in: file)
        case .parquet: ParquetTable(schema, in: file)
        }
    }
}

extension ProgressEngine {
    /// Exports stored events as tables: a file for each event type, called like the type, in a folder. The files of an
    /// earlier export are replaced. Memory is bounded, except for the events of one learner.
    /// - Parameters:
    ///   - format: the format of the files.
    ///   - folder: the folder, which is made if it is missing.
    ///   - learner: the only learner to export; nil for all.
    ///   - pseudonyms: the pseudonyms that replace ids and names; nil to export the events as they are.
    ///   - mode: the permissions of the files.
    /// - Returns: the number of events; nil for an unknown learner, for whom no file is written.
    /// - Complexity: O(events).
    public func exportTables(
        _ format: EventTableFormat,
        into folder: String,
        learner: String? = nil,
        pseudonyms: Pseudonyms? = nil,
        mode: UInt32 = 0o600
    ) throws(EngineError) -> Int? {
        try EngineError.translating {
            if let learner, try !self.learner(learner).isKnown() { return nil }
            let tables = try EventTables(format, folder: folder, mode: mode)
            let names = pseudonyms.map(Pseudonymiser.init)
            let events = try store.read { try $0.forEachExportedEvent(of: learner, names, tables.write) }
            if events != nil { try tables.publish() }
            return events
        }
    }
}
