// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

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

    // MARK: Records

    /// Emits the events of the collected records, and then removes the records.
    mutating func finish(_ table: inout RecordTable, _ emit: (AdaptedRecord) throws -> Void) throws {
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
            let refusal = Refusal.unmapped(record.kind, mapping: mapping.name)
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

extension Refusal {
    /// The refusal of a record that a mapping does not mention.
    /// - Parameter kind: the record's kind, which the mapping's key `kind` computes; nil if the record has no kind.
    fileprivate static func unmapped(_ kind: String?, mapping name: String) -> Refusal {
        let what = kind.map { "“\($0.prefix(64))”" } ?? "this record, which has no kind"
        return Refusal(code: .unmapped, message: "the mapping \(name) makes no event of \(what)")
    }

    /// The kind of record that the message of such a refusal contains; nil if the message contains none.
    package static func unmappedKind(in message: String) -> String? {
        guard let start = message.firstIndex(of: "“"), message.hasSuffix("”") else { return nil }
        return String(message[message.index(after: start)...].dropLast())
    }
}
