// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Reads texts: rows of a table, JSON records, and JSON documents.
extension MappedAdapter {
    private static let (batchRecords, batchBytes) = (8192, 16 << 20)

    /// Emits the events of the collected records if there are enough records, and if records do not depend on each
    /// other.
    private mutating func finishFull(_ table: inout RecordTable, _ emit: (AdaptedRecord) throws -> Void) throws {
        guard !mapping.isWhole, table.count >= Self.batchRecords || table.bytes >= Self.batchBytes else { return }
        try finish(&table, emit)
    }

    mutating func readTable(_ input: InputReader, _ emit: (AdaptedRecord) throws -> Void) throws {
        var rows = try TableReader(input.bytes, mapping.table)
        try mapping.table.check(rows.columns, marks: mapping.marks)
        var table = try RecordTable(kind: mapping.recordKind)
        while let row = try rows.next() {
            switch row.outcome {
            case .failure(let refusal): try emit(.unreadable(row.line, row.original, refusal))
            case .success(let object): try table.add(line: row.line, object, original: row.original)
            }
            try finishFull(&table, emit)
        }
        try finish(&table, emit)
    }

    mutating func readRecords(_ input: inout InputReader, _ emit: (AdaptedRecord) throws -> Void) throws {
        var table = try RecordTable(kind: mapping.recordKind)
        let check = JSONObjectCheck()
        var batch = InputBatch()
        var isRecognised = mapping.marks.isEmpty
        var isFirst = true
        while try input.next(&batch) {
            if isFirst, FileKind(batch.bytes(of: batch.records[0])) != .text {
                throw AdapterError(message: "it is not JSON")
            }
            isFirst = false
            for record in batch.records where record.part == .whole || record.part == .begin {
                let bytes = batch.bytes(of: record)
                if let refusal = problem(of: bytes, record, check) {
                    try emit(.unreadable(record.line, bytes, refusal))
                } else {
                    try table.add(line: record.line, bytes)
                }
            }
            if !isRecognised, table.count > 0 { isRecognised = try recognise(table) }
            try finishFull(&table, emit)
        }
        try finish(&table, emit)
    }

    private func problem(
        of bytes: ArraySlice<UInt8>,
        _ record: InputRecord,
        _ check: JSONObjectCheck
    ) -> Refusal? {
        guard record.part == .whole else {
            return Refusal(code: .tooLong, message: "the record is longer than 1 MiB")
        }
        return bytes.withUnsafeBufferPointer { check.problem(in: $0) }
    }

    /// Returns true if at least one of the first records has this format. Throws an error if none has.
    private func recognise(_ table: RecordTable) throws -> Bool {
        let condition = mapping.marks
            .map { "json_type(value, '$.\"\($0)\"') IS NOT NULL" }.joined(separator: " AND ")
        let found = try table.database.value("SELECT 1 FROM record WHERE \(condition) LIMIT 1")
        guard found == .null else { return true }
        throw AdapterError(message: "it has no record with \(mapping.marks.joined(separator: " and "))")
    }

    /// The maximum size of a document that is a single JSON value, in bytes. No app exports a larger document.
    private static let largestDocument = 512 << 20

    mutating func readDocument(_ input: InputReader, _ emit: (AdaptedRecord) throws -> Void) throws {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try input.bytes.read(chunk: &chunk)
            if count == 0 { break }
            text += chunk[0..<count]
            guard text.count <= Self.largestDocument else { throw AdapterError(message: "it is larger than 512 MiB") }
        }
        guard !text.isEmpty else { throw AdapterError(message: "it is empty") }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        var table = try RecordTable(kind: mapping.recordKind)
        let check = try table.database.prepare("SELECT json_valid(?1)")
        func isValid(_ bytes: ArraySlice<UInt8>) throws(SQLError) -> Bool {
            guard String(validating: bytes, as: UTF8.self) != nil else { return false }
            check.reset()
            check.bind(1, bytes)
            return try check.step() && check.value(0) == .integer(1)
        }
        if try isValid(text[...]) {
            try table.add(line: 1, text)
        } else {
            try addLines(of: text, to: &table, isValid, emit)
        }
        let conditions = mapping.marks.map { "instr(value, '\"\($0)\"')" }.joined(separator: " OR ")
        if !mapping.marks.isEmpty, table.count > 0,
            try table.database.value("SELECT 1 FROM record WHERE \(conditions) LIMIT 1") == .null
        {
            throw AdapterError(message: "it has none of \(mapping.marks.joined(separator: ", "))")
        }
        try finish(&table, emit)
    }

    /// Adds one document per line, and emits a refusal for each invalid line. Throws an error if no line is a document
    /// of this format, because the text is then a single damaged document.
    private func addLines(
        of text: [UInt8],
        to table: inout RecordTable,
        _ isValid: (ArraySlice<UInt8>) throws -> Bool,
        _ emit: (AdaptedRecord) throws -> Void
    ) throws {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let valid = try lines.map { try isValid($0) }
        let hasDocument = zip(lines, valid).contains { $1 && $0.first == UInt8(ascii: "{") && hasMark($0) }
        guard hasDocument else {
            let check = JSONObjectCheck()
            let problem = text.withUnsafeBufferPointer { check.problem(in: $0) }
            throw AdapterError(message: "it is no JSON document: \(problem?.message ?? "not valid JSON")")
        }
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 <= 0x20 }) {
            if valid[index] {
                try table.add(line: index + 1, line)
            } else {
                let refusal = Refusal(code: .invalidJSON, message: "not valid JSON")
                try emit(.unreadable(index + 1, line, refusal))
            }
        }
    }

    /// True if the text contains at least one of the keys that identify the format.
    private func hasMark(_ text: ArraySlice<UInt8>) -> Bool {
        mapping.marks.isEmpty || mapping.marks.contains { text.contains(Array("\"\($0)\"".utf8)) }
    }
}

extension AdaptedRecord {
    /// The result for a record that is not JSON, or not a row of the table. The kind of such a record is unknown.
    fileprivate static func unreadable(_ line: Int, _ bytes: ArraySlice<UInt8>, _ refusal: Refusal) -> AdaptedRecord {
        AdaptedRecord(line: line, original: bytes, outcome: .refused(refusal), kind: noKind)
    }
}
