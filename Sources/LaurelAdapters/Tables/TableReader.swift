// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire

/// Reads the rows of a table with any separator, such as CSV or TSV. Each row becomes a JSON object with the columns'
/// names as keys. All values are texts. Empty cells are left out.
struct TableReader {
    struct Row {
        /// The line on which the row starts, from 1.
        var line: Int
        /// The row as UTF-8, without its line break.
        var original: ArraySlice<UInt8>
        var outcome: Result<[UInt8], Refusal>
    }

    let dialect: TableDialect
    let columns: [String]
    private let keys: [[UInt8]]
    private var records: Records

    /// Reads the header.
    /// - Throws: an error if the table is empty, or if a column's name cannot be used.
    init(_ source: any ByteSource, _ settings: TableSettings) throws {
        let peeked = try PeekedSource(source, count: TableDialect.sampleSize)
        guard !peeked.start.isEmpty else {
            throw AdapterError(message: "it is empty; a line with the columns is missing")
        }
        guard FileKind(peeked.start) == .text else { throw AdapterError(message: "it is not a text") }
        dialect = TableDialect(peeked.start, encoding: settings.encoding, separator: settings.separator)
        guard let text = dialect.decoded(peeked) else {
            throw AdapterError(message: "this machine has no encoding \(dialect.encoding)")
        }
        records = Records(InputReader(text, shape: .separated(by: dialect.separator)))
        columns = try settings.columns.isEmpty ? TableReader.header(&records, dialect, settings) : settings.columns
        keys = columns.map { name in
            var key: [UInt8] = []
            JSONWriter.write(string: Array(name.utf8), to: &key)
            return key + [UInt8(ascii: ":")]
        }
    }

    /// The next row; nil at the end. Rows with only empty cells are skipped.
    mutating func next() throws -> Row? {
        while let record = try records.next() {
            let (line, bytes) = (record.line, record.bytes)
            if line == 1, SeparatorLine(bytes).separator != nil { continue }
            if record.isTooLong {
                let message = "the row is longer than 1 MiB; is a quotation mark missing?"
                return Row(line: line, original: bytes, outcome: .failure(Refusal(code: .tooLong, message: message)))
            }
            do throws(Refusal) {
                guard let object = try object(bytes) else { continue }
                return Row(line: line, original: bytes, outcome: .success(object))
            } catch {
                return Row(line: line, original: bytes, outcome: .failure(error))
            }
        }
        return nil
    }

    /// The row as JSON; nil if all its cells are empty.
    private func object(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> [UInt8]? {
        func refused(_ message: String) -> Refusal { Refusal(code: .invalidRecord, message: message) }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw refused(
                "the row has bytes that are not \(dialect.encoding); `csv: {encoding: …}` names another encoding"
            )
        }
        guard !bytes.contains(0) else { throw refused("the row has a NUL byte; texts have none") }
        guard let fields = CSVRecord.fields(of: bytes, separator: dialect.separator) else {
            throw refused("the row has a quotation mark too few or too many")
        }
        if fields.allSatisfy(\.isEmpty) { return nil }
        let extra = fields.dropFirst(columns.count).contains { !$0.isEmpty }
        guard fields.count >= columns.count, !extra else {
            let noun = fields.count == 1 ? "cell" : "cells"
            throw refused("the row has \(fields.count) \(noun); the table has \(columns.count) columns")
        }
        var output = [UInt8(ascii: "{")]
        for (key, field) in zip(keys, fields) where !field.isEmpty {
            if output.count > 1 { output.append(UInt8(ascii: ",")) }
            output += key
            JSONWriter.write(string: field, to: &output)
        }
        return output + [UInt8(ascii: "}")]
    }

    private static func header(
        _ records: inout Records,
        _ dialect: TableDialect,
        _ settings: TableSettings
    ) throws -> [String] {
        var found = try records.next()
        if let first = found, SeparatorLine(first.bytes).separator != nil { found = try records.next() }
        guard let record = found else { throw AdapterError(message: "it is empty; a line with the columns is missing") }
        guard !record.isTooLong, let cells = CSVRecord.fields(of: record.bytes, separator: dialect.separator) else {
            throw AdapterError(message: "its first row has a quotation mark too few or too many")
        }
        guard !record.bytes.contains(0), String(validating: record.bytes, as: UTF8.self) != nil else {
            throw AdapterError(message: "its first row is not a text in \(dialect.encoding)")
        }
        // Spreadsheets write empty cells after the last column.
        let used = cells.prefix((cells.lastIndex { !$0.isEmpty } ?? -1) + 1)
        var names: [String] = []
        for (index, cell) in used.enumerated() {
            let name = settings.name(of: TableReader.name(cell) ?? "column \(index + 1)")
            guard !names.contains(name) else { throw AdapterError(message: "it has two columns \(name)") }
            names.append(name)
        }
        guard !names.isEmpty else { throw AdapterError(message: "its first row names no column") }
        return names
    }

    /// A column's name: the cell without spaces around it, and without characters that a path cannot contain. nil if
    /// nothing is left.
    private static func name(_ cell: [UInt8]) -> String? {
        let words = cell.split { $0 <= 0x20 }
        let usable = words.map { $0.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") } }
        let name = Array(usable.joined(separator: [UInt8(ascii: " ")]))
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

/// The records of an input, one after the other.
private struct Records {
    private var reader: InputReader
    private var batch = InputBatch()
    private var position = 0

    init(_ reader: InputReader) { self.reader = reader }

    /// The next record. If a record is too long, only its first bytes are returned.
    mutating func next() throws -> (line: Int, bytes: ArraySlice<UInt8>, isTooLong: Bool)? {
        while true {
            while position < batch.records.count {
                let record = batch.records[position]
                position += 1
                guard record.part == .whole || record.part == .begin else { continue }
                return (record.line, batch.bytes(of: record), record.part == .begin)
            }
            guard try reader.next(&batch) else { return nil }
            position = 0
        }
    }
}
