// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire

/// The first rows of a file, as a table of texts.
struct SampleTable {
    /// The dialect of a table; nil for JSON records.
    var dialect: TableDialect?
    var columns: [String]
    /// The rows; an empty text for a missing value.
    var rows: [[String]]
    /// True if the first row of the file contains data, so the columns have no names in the file.
    var lacksHeader = false

    private static let largest = 1000

    init(_ file: any ByteSource) throws {
        let source = UnpackingSource(file)
        let start = try source.readPrefix(TableDialect.sampleSize)
        let advice = "; docs/adapters.md tells how to write a mapping for it"
        guard !FileKind.isWorkbook(start) else { throw AdapterError(message: FormatGuess.workbook) }
        switch FileKind(start) {
        case .sqlite: throw AdapterError(message: "it is a SQLite database\(advice)")
        case .zip: throw AdapterError(message: "it is a zip file\(advice)")
        case .text: break
        }
        let first = start.first { $0 > 0x20 && $0 < 0xEF }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self = try SampleTable(records: start)
        } else {
            self = try SampleTable(table: start)
        }
        guard !rows.isEmpty else { throw AdapterError(message: "it has no rows from which a mapping can be drafted") }
    }

    private init(columns: [String], rows: [[String]]) { (self.columns, self.rows) = (columns, rows) }

    // MARK: Tables

    private init(table start: [UInt8]) throws {
        var reader = try TableReader(MemorySource(start, name: "sample"), TableSettings())
        self.init(columns: reader.columns, rows: try SampleTable.rows(of: &reader))
        if start.count == TableDialect.sampleSize, rows.count > 1 { rows.removeLast() }
        if !SampleTable.isHeader(columns) {
            // The first row contains data. A second reading includes it.
            var settings = TableSettings()
            settings.columns = columns.indices.map { "column\($0 + 1)" }
            reader = try TableReader(MemorySource(start, name: "sample"), settings)
            self.init(columns: settings.columns, rows: try SampleTable.rows(of: &reader))
            lacksHeader = true
        }
        dialect = reader.dialect
    }

    private static func rows(of reader: inout TableReader) throws -> [[String]] {
        var rows: [[String]] = []
        while rows.count < largest, let row = try reader.next() {
            guard case .success(let object) = row.outcome, case .object(let cells)? = JSONTree(validated: object) else {
                continue
            }
            rows.append(texts(cells, reader.columns))
        }
        return rows
    }

    /// False if a cell is a number or a time. Such a cell is not the name of a column.
    private static func isHeader(_ cells: [String]) -> Bool {
        cells.allSatisfy { cell in
            DecimalText(Array(cell.utf8), sign: Array(".".utf8)) == nil && TimeForm.all.allSatisfy { !$0.fits(cell) }
        }
    }

    // MARK: JSON

    /// Reads JSON objects. Only texts, numbers and booleans become cells.
    private init(records start: [UInt8]) throws {
        var reader = InputReader(MemorySource(start, name: "sample"))
        var batch = InputBatch()
        var records: [[(key: [UInt8], value: JSONTree)]] = []
        // The sample may end within a record. All records before that record were read.
        while records.count < SampleTable.largest, (try? reader.next(&batch)) == true {
            for record in batch.records {
                if case .object(let members)? = JSONTree(validated: batch.bytes(of: record)) { records.append(members) }
            }
        }
        var columns: [String] = []
        for member in records.joined() {
            let name = String(decoding: member.key, as: UTF8.self)
            let isUsable = !name.contains("\"") && !name.contains("\\") && !name.isEmpty
            if isUsable, SampleTable.text(member.value) != nil, !columns.contains(name) { columns.append(name) }
        }
        guard !columns.isEmpty else { throw AdapterError(message: "it has no JSON objects with texts or numbers") }
        self.init(columns: columns, rows: records.map { SampleTable.texts($0, columns) })
    }

    private static func texts(_ members: [(key: [UInt8], value: JSONTree)], _ columns: [String]) -> [String] {
        columns.map { column in
            members.first { $0.key.elementsEqual(column.utf8) }.flatMap { text($0.value) } ?? ""
        }
    }

    private static func text(_ value: JSONTree) -> String? {
        switch value {
        case .string(let text): String(decoding: text, as: UTF8.self)
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .yes: "1"
        case .no: "0"
        case .null, .spelled, .array, .object: nil
        }
    }

    /// The values of a column that are not empty.
    func values(_ column: Int) -> [String] { rows.map { $0[column] }.filter { !$0.isEmpty } }
}
