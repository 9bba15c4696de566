// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Reads a format that a mapping file describes.
struct MappedAdapter: Adapter {
    let mapping: Mapping
    private let options: AdapterOptions
    private let parameters: [String: String]
    private(set) var copies: [StoreCopy] = []
    /// The claims of the store copy that is being read.
    private var claims: [StoreCopy.Claim] = []
    private var omitted: [String: LeftOut] = [:]
    private var omissionOrder: [String] = []
    /// For each query, the number of rows so far, for messages.
    private var rows: [Int]

    var kinds: [String] { mapping.kinds }

    init(mapping: Mapping, options: AdapterOptions) {
        self.mapping = mapping
        var options = options
        options.source = options.source ?? mapping.source
        self.options = options
        parameters = Dictionary(
            uniqueKeysWithValues: AdapterOptions.Name.allCases.compactMap { name in
                options[name].map { (name.rawValue, $0) }
            }
        )
        rows = Array(repeating: 0, count: mapping.statements.count)
    }

    mutating func read(
        _ input: inout InputReader,
        path: String?,
        emit: (AdaptedRecord) throws -> Void
    ) throws -> [LeftOut] {
        do {
            switch mapping.reads {
            case .sqlite: try readDatabase(input, path, emit)
            case .records: try readRecords(&input, emit)
            case .document: try readDocument(input, emit)
            case .table: try readTable(input, emit)
            }
        } catch let error as SQLError {
            throw InputError(
                code: error.isFileError ? .damaged : .otherFormat,
                file: input.name,
                byte: 0,
                message: error.isFileError
                    ? "the database is damaged: \(error.message)" : "\(mapping.name) cannot read it: \(error.message)"
            )
        }
        return omissionOrder.map { omitted[$0]! }
    }

    // MARK: Databases

    private mutating func readDatabase(
        _ input: InputReader,
        _ path: String?,
        _ emit: (AdaptedRecord) throws -> Void
    ) throws {
        let found = try SourceFile.database(
            input.bytes,
            path: path,
            members: mapping.members,
            seconds: options.fileSeconds ?? FileBounds.seconds
        )
        guard let database = found else {
            let members =
                mapping.members.isEmpty ? "" : ", nor a zip file with \(mapping.members.joined(separator: " or "))"
            throw AdapterError(message: "it is not a SQLite database\(members)")
        }
        let tables = try database.tables()
        let missing = mapping.marks.filter { !tables.contains($0) }
        guard missing.isEmpty else {
            let noun = missing.count == 1 ? "table" : "tables"
            throw AdapterError(message: "it has no \(noun) \(missing.joined(separator: ", "))")
        }
        for (name, queries) in mapping.extraction?.tables ?? mapping.tables {
            try makeTable(name, queries, in: database)
        }
        for requirement in mapping.requirements {
            if let found = try database.value(requirement.sql, parameters).bytes {
                let text = String(decoding: found, as: UTF8.self)
                throw AdapterError(message: requirement.message.replacing("{}", with: text))
            }
        }
        claims = []
        if let extraction = mapping.extraction {
            var table = try RecordTable(kind: mapping.recordKind)
            let documents = try database.prepare(extraction.document)
            documents.bind(parameters)
            while try documents.step() { try table.add(line: 1, documents.value(0).bytes ?? []) }
            try finish(&table, emit)
        } else {
            try runAll(on: database, emit)
        }
        if let terms = mapping.copies { copies += try StoreCopy.all(of: claims, terms, in: database, parameters) }
    }

    private func makeTable(_ name: String, _ queries: [String], in database: SourceDatabase) throws {
        var problem: SQLError?
        for query in queries {
            do throws(SQLError) {
                return try database.makeTable(name, query, parameters)
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    // MARK: Text

    private static let (batchRecords, batchBytes) = (8192, 16 << 20)

    /// Emits the events of the collected records if there are enough records, and if records do not depend on each
    /// other.
    private mutating func finishFull(_ table: inout RecordTable, _ emit: (AdaptedRecord) throws -> Void) throws {
        guard !mapping.isWhole, table.count >= Self.batchRecords || table.bytes >= Self.batchBytes else { return }
        try finish(&table, emit)
    }

    private mutating func readTable(_ input: InputReader, _ emit: (AdaptedRecord) throws -> Void) throws {
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

    private mutating func readRecords(_ input: inout InputReader, _ emit: (AdaptedRecord) throws -> Void) throws {
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

    private mutating func readDocument(_ input: InputReader, _ emit: (AdaptedRecord) throws -> Void) throws {
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

    /// Adds one document per line. If one line contains a complete document, the input is not a single damaged
    /// document.
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

    /// Emits the events of the collected records, and then removes the records.
    private mutating func finish(_ table: inout RecordTable, _ emit: (AdaptedRecord) throws -> Void) throws {
        guard table.count > 0 else { return }
        for (name, queries) in mapping.tables { try makeTable(name, queries, in: table.database) }
        if options.refusesUnmapped {
            try runAllRefusingUnmapped(table, emit)
            return try table.removeAll()
        }
        try runAll(on: table.database, emit)
        if mapping.recordKind != nil, !mapping.readsUnnamedKinds {
            for (kind, count) in try table.kinds(besides: mapping.namedKinds) {
                leaveOut(kind, count, "no entry of the mapping is about it")
            }
        }
        try table.removeAll()
    }

    /// Emits the events of the collected records, and a refusal for each record that no entry of the mapping mentions.
    private mutating func runAllRefusingUnmapped(
        _ table: RecordTable,
        _ emit: (AdaptedRecord) throws -> Void
    ) throws {
        var used: Set<Int> = []
        try runAll(on: table.database) { record in
            used.insert(record.line)
            try emit(record)
        }
        let named = Set(mapping.namedKinds)
        for record in try table.all() where !used.contains(record.line) {
            let isNamed = record.kind.map(named.contains) ?? false
            if isNamed ? mapping.omittedKinds.contains(record.kind ?? "") : mapping.omitsUnnamedKinds { continue }
            let what = record.kind.map { "“\($0.prefix(64))”" } ?? "this record, which has no kind"
            let refusal = Refusal(code: .unmapped, message: "the mapping \(mapping.name) makes no event of \(what)")
            let kind = AdaptedRecord.noKind
            try emit(
                AdaptedRecord(line: record.line, original: record.value[...], outcome: .refused(refusal), kind: kind)
            )
        }
    }

    // MARK: Queries

    private mutating func runAll(on database: SourceDatabase, _ emit: (AdaptedRecord) throws -> Void) throws {
        for index in mapping.statements.indices { try run(index, on: database, emit) }
        for omission in mapping.omissions {
            guard let sql = omission.sql else {
                leaveOut(omission.what, 0, omission.why)
                continue
            }
            guard let query = try prepare(sql, on: database, isOptional: omission.isOptional) else { continue }
            query.bind(parameters)
            let count = try query.step() ? query.value(0).number ?? 0 : 0
            if count >= 0.5 { leaveOut(omission.what, Int(min(count.rounded(), 1e15)), omission.why) }
        }
    }

    /// Prepares a query. Returns nil if the query is optional and names a missing table or column.
    private func prepare(_ sql: String, on database: SourceDatabase, isOptional: Bool) throws(SQLError)
        -> SourceStatement?
    {
        do throws(SQLError) {
            let statement = try database.prepare(sql)
            // A statement such as `WITH … DELETE` begins like a query. The check of the mapping may not detect it,
            // because the statement's tables may be missing during the check.
            guard statement.isQuery else {
                throw SQLError(code: 0, message: "a mapping only reads: write a SELECT", offset: nil)
            }
            return statement
        } catch {
            if isOptional, error.isMissingName { return nil }
            throw error
        }
    }

    private mutating func run(
        _ index: Int,
        on database: SourceDatabase,
        _ emit: (AdaptedRecord) throws -> Void
    ) throws {
        let statement = mapping.statements[index]
        let what = mapping.kinds[statement.kind]
        let found: SourceStatement?
        do throws(SQLError) {
            found = try prepare(statement.sql, on: database, isOptional: statement.isOptional)
        } catch {
            throw try located(error, in: statement, database)
        }
        guard let query = found else { return leaveOut(what, 0, "the file has none") }
        query.bind(parameters)
        let row = EventRow(names: query.columns, statement: statement, options: options)
        do {
            while try query.step() {
                rows[index] += 1
                let parts = row.parts(query)
                if let claim = parts.copied { claims.append(claim) }
                try emit(record(parts, statement, row: rows[index]))
            }
        } catch let error as SQLError where !error.isFileError {
            let refusal = Refusal(code: .invalidRecord, message: "the query failed: \(error.message)")
            let parts = EventRow.Parts(outcome: .refused(refusal))
            try emit(record(parts, statement, row: rows[index] + 1))
        }
    }

    /// The error, with its position in the mapping, and the name that was probably meant.
    private func located(_ error: SQLError, in statement: Mapping.Statement, _ database: SourceDatabase) throws
        -> SQLError
    {
        guard let (file, line) = statement.place else { return error }
        let name = error.isMissingName ? error.message.split(separator: ": ").last.map(String.init) : nil
        // SQLite does not report the position of the name of a missing table. So the name is searched in the statement.
        let place = name.flatMap { statement.sql.firstRange(of: $0) }?.lowerBound ?? statement.sql.startIndex
        let before =
            error.offset.map { statement.sql.utf8.prefix($0)[...] } ?? statement.sql.utf8[..<place]
        let here = line + before.count { $0 == UInt8(ascii: "\n") }
        var message = "\(file):\(here): \(mapping.kinds[statement.kind]): \(error.message)"
        if let last = name?.split(separator: ".").last {
            message += didYouMean(nearestName(to: String(last), among: try database.names()))
        }
        return SQLError(code: error.code, message: message, offset: error.offset)
    }

    private func record(_ parts: EventRow.Parts, _ statement: Mapping.Statement, row: Int) -> AdaptedRecord {
        let what = mapping.kinds[statement.kind]
        let event: [UInt8] =
            switch parts.outcome {
            case .event(let json): json
            case .refused: Array("\(what), row \(row)".utf8)
            }
        return AdaptedRecord(
            line: parts.line ?? row,
            original: (parts.original ?? event)[...],
            outcome: parts.outcome,
            kind: statement.kind,
            place: parts.original == nil ? "\(what), row \(row)" : what,
            keepsStored: statement.change == .keep,
            claim: parts.claim
        )
    }

    private mutating func leaveOut(_ what: String, _ count: Int, _ why: String) {
        if omitted[what] == nil { omissionOrder.append(what) }
        omitted[what, default: LeftOut(what: what, count: 0, why: why)].count += count
    }
}

extension AdaptedRecord {
    /// The result for a record that is not JSON, or not a row of the table. The kind of such a record is unknown.
    fileprivate static func unreadable(_ line: Int, _ bytes: ArraySlice<UInt8>, _ refusal: Refusal) -> AdaptedRecord {
        AdaptedRecord(line: line, original: bytes, outcome: .refused(refusal), kind: noKind)
    }
}
