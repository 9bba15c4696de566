// SPDX-License-Identifier: Apache-2.0

import CBoundedSQLite
import CSQLite
import Laurel
import LaurelStore
import LaurelWire
import LaurelYAML

/// The tables of one report, in memory. Queries can neither read nor change the store.
///
/// A database must not be used by two threads at the same time.
final class ReportDatabase {
    /// The maximum duration of each query, in seconds.
    private let timeLimit: Double
    /// The maximum number of rows of a result.
    static let rowLimit = 10_000
    /// The maximum number of rows of a histogram's query. The rows are counted, but not stored.
    static let manyRows = 5_000_000
    /// The maximum length of a text in bytes. SQLite checks the deadline only between two of its instructions. With
    /// this limit, no instruction takes longer than a second.
    static let textLimit = 200_000
    /// The maximum size of a result in bytes. The next constant limits SQLite's memory for a query, without the tables.
    static let resultLimit = 64 << 20
    private static let memoryLimit: Int64 = 512 << 20

    private let connection: Connection
    private let guardian = QueryGuard()
    private var prepared: [String: OpaquePointer] = [:]
    /// The prepared insert statements. They are reused, because a report on everyone inserts millions of rows.
    private let inserts: [ReportTable: Statement]
    private var isBegun = false

    /// - Parameters:
    ///   - tables: the tables, which may have only some of their columns.
    ///   - isOfOne: true if the tables contain only one learner at a time.
    ///   - timeLimit: the time limit of each query, in seconds.
    init(
        _ tables: some Sequence<ReportTable> = ReportTable.all,
        isOfOne: Bool = false,
        timeLimit: Double = 20
    ) throws {
        self.timeLimit = timeLimit
        _ = laurel_sqlite3_count_memory()
        connection = try Connection(path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        var inserts: [ReportTable: Statement] = [:]
        for table in tables {
            try connection.execute(table.createStatement(isOfOne: isOfOne))
            inserts[table] = try connection.statement(table.insertStatement)
        }
        self.inserts = inserts
        try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA case_sensitive_like = 1")
        laurel_sqlite3_confine(connection.handle, Int32(Self.textLimit))
        try connection.defineReportFunctions()
        let context = Unmanaged.passUnretained(guardian).toOpaque()
        sqlite3_progress_handler(connection.handle, 10_000, QueryGuard.isOverdue, context)
    }

    /// The number of prepared statements.
    var openStatements: Int {
        var (count, statement) = (0, sqlite3_next_stmt(connection.handle, nil))
        while statement != nil { (count, statement) = (count + 1, sqlite3_next_stmt(connection.handle, statement)) }
        return count
    }

    deinit {
        for statement in prepared.values { sqlite3_finalize(statement) }
    }

    // MARK: Filling

    /// Prepares tables for another document. The tables about learners are emptied. The shared tables are filled only
    /// once.
    func begin(_ tables: Set<ReportTable>, _ source: TableSource) throws {
        guardian.deadline = nil
        for table in tables where !table.isShared { try connection.execute("DELETE FROM \(table.name)") }
        guard !isBegun else { return }
        isBegun = true
        try fill(tables) { try $0.addShared(source, $1) }
    }

    /// Adds a learner's rows to tables.
    func add(_ facts: LearnerFacts, to tables: Set<ReportTable>, _ source: TableSource) throws {
        try fill(tables) { try $0.add(facts, source, $1) }
    }

    /// Creates the indexes of tables, after the rows of all learners were added.
    func index(_ tables: Set<ReportTable>) throws {
        for statement in tables.compactMap(\.indexStatement) { try connection.execute(statement) }
    }

    private func fill(
        _ tables: Set<ReportTable>,
        _ add: (ReportTable, ReportTable.Insertion) throws -> Void
    ) throws {
        for table in tables {
            guard let insertion = inserts[table] else { continue }
            try add(table) { try insertion.run($0) }
        }
    }

    func transaction(_ body: () throws -> Void) throws { try connection.inTransaction(body) }

    // MARK: Queries

    /// Prepares a query. The query must be a single statement that reads only the tables of reports.
    func prepare(_ sql: String) throws(QueryError) -> ReportQuery {
        let statement = try statement(sql)
        defer { sqlite3_finalize(statement) }
        let columns = (0..<sqlite3_column_count(statement)).map { String(cString: sqlite3_column_name(statement, $0)) }
        if let twice = columns.first(where: { name in columns.count { $0 == name } > 1 }) {
            throw QueryError(message: "the query gives two columns `\(twice)`: name one of them with AS")
        }
        var parameters: Set<String> = []
        for index in 0..<max(0, sqlite3_bind_parameter_count(statement)) {
            guard let name = sqlite3_bind_parameter_name(statement, index + 1).map({ String(cString: $0) }) else {
                throw QueryError(message: "a parameter needs a name, such as :week_start")
            }
            parameters.insert(String(name.dropFirst()))
        }
        return ReportQuery(
            sql: sql,
            columns: columns,
            reads: reads(sql),
            parameters: parameters
        )
    }

    /// The tables and columns that the prepared query reads. SQLite does not report the columns of `USING` and `NATURAL
    /// JOIN`, nor a table of which no other column is read. So tables and columns whose names occur in the query's text
    /// are included.
    private func reads(_ sql: String) -> [ReportTable: Set<String>] {
        let words = sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        var reads = guardian.reads
        for (word, name) in zip(words, words.dropFirst()) where word == "from" || word == "join" {
            guard let table = ReportTable.named(name), !table.isForOneLearner else { continue }
            if reads[table] == nil { reads[table] = [] }
        }
        for table in reads.keys {
            let named = words.contains("natural") ? table.columns : table.columns.filter(words.contains)
            reads[table]?.formUnion(named)
        }
        return reads
    }

    /// Runs a query, and passes its rows to `body` one by one.
    func run(
        _ query: ReportQuery,
        _ values: QueryValues,
        limit: Int = ReportDatabase.rowLimit,
        _ body: ([Cell]) -> Void
    ) throws(QueryError) {
        let statement: OpaquePointer
        if let known = prepared[query.sql] {
            statement = known
        } else {
            statement = try self.statement(query.sql)
            prepared[query.sql] = statement
        }
        defer { sqlite3_reset(statement) }
        bind(statement, values)
        guardian.begin(seconds: timeLimit)
        laurel_sqlite3_begin_bound(Self.memoryLimit)
        defer {
            laurel_sqlite3_end_bound()
            guardian.deadline = nil
        }
        var (rows, bytes) = (0, 0)
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            rows += 1
            guard rows <= limit else {
                throw QueryError(message: "the query gives more than \(limit) rows; sum them up, or add LIMIT")
            }
            // A histogram does not store rows, so the size of its result is not limited.
            if limit <= Self.rowLimit {
                bytes += (0..<sqlite3_column_count(statement)).reduce(0) {
                    $0 + Int(sqlite3_column_bytes(statement, $1))
                }
                guard bytes <= Self.resultLimit else {
                    throw QueryError(
                        message: "the query gives more than \(Self.resultLimit >> 20) MiB; select fewer columns"
                    )
                }
            }
            body((0..<sqlite3_column_count(statement)).map { cell(statement, $0) })
        }
    }

    private func statement(_ sql: String) throws(QueryError) -> OpaquePointer {
        if let clock = QueryGuard.clock(in: sql) {
            throw QueryError(
                message: "a report must not read the clock: use :today or :as_of instead of \(clock.name)",
                offset: clock.offset
            )
        }
        guardian.beginPreparing()
        let context = Unmanaged.passUnretained(guardian).toOpaque()
        sqlite3_set_authorizer(connection.handle, QueryGuard.authorize, context)
        defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
        var statement: OpaquePointer?
        var rest = ""
        let code = sql.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(connection.handle, start, -1, 0, &statement, &tail)
            if let tail { rest = String(cString: tail) }
            return code
        }
        guard code == SQLITE_OK else { throw failure(code) }
        guard let statement else { throw QueryError(message: "the query is empty") }
        guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
            sqlite3_finalize(statement)
            throw QueryError(message: "a query may only read: SELECT, or WITH … SELECT")
        }
        var hasMore = false
        if !rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) {
            // A comment may follow the statement, but no second statement.
            var next: OpaquePointer?
            hasMore = sqlite3_prepare_v3(connection.handle, rest, -1, 0, &next, nil) != SQLITE_OK || next != nil
            sqlite3_finalize(next)
        }
        guard !hasMore else {
            sqlite3_finalize(statement)
            throw QueryError(message: "a query is one statement", offset: sql.utf8.count - rest.utf8.count)
        }
        return statement
    }

    /// Former names of columns, with the present names.
    private static let formerNames = ["learner_id": "learner", "subject": "learner"]

    private func failure(_ code: Int32) -> QueryError {
        if code & 0xFF == SQLITE_INTERRUPT {
            return QueryError(message: "the query took more than \(timeLimit.brief) seconds and was stopped")
        }
        if code & 0xFF == SQLITE_NOMEM {
            return QueryError(
                message: "the query takes more than \(Self.memoryLimit >> 20) MiB of memory; sort or join fewer rows"
            )
        }
        if let denied = guardian.denied { return QueryError(message: denied) }
        let offset = sqlite3_error_offset(connection.handle)
        let message = String(cString: sqlite3_errmsg(connection.handle))
        var error = QueryError(message: "SQL: \(message)", offset: offset < 0 ? nil : Int(offset))
        let kinds = [
            ("no such column: ", ReportTable.all.flatMap(\.columns)),
            ("no such table: ", ReportTable.all.map(\.name)),
        ]
        for (beginning, names) in kinds where message.hasPrefix(beginning) {
            let name = String(message.dropFirst(beginning.count))
            error.length = name.utf8.count
            let qualifier = name.lastIndex(of: ".").map { name[...$0] } ?? ""
            let column = String(name.dropFirst(qualifier.count))
            let meant = Self.formerNames[column] ?? names.nearest(to: column)
            error.suggestion = meant.map { qualifier + $0 }
            error.message += didYouMean(code: error.suggestion)
        }
        return error
    }

    private func bind(_ statement: OpaquePointer, _ values: QueryValues) {
        for index in 1...max(1, sqlite3_bind_parameter_count(statement)) {
            guard let name = sqlite3_bind_parameter_name(statement, index),
                let parameter = QueryParameter(rawValue: String(String(cString: name).dropFirst())),
                let value = values[parameter]
            else {
                sqlite3_bind_null(statement, index)
                continue
            }
            let bytes = Array(value.utf8)
            bytes.withUnsafeBytes {
                _ = laurel_sqlite3_bind_text(
                    statement,
                    index,
                    $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
                    UInt64($0.count)
                )
            }
        }
    }

    private func cell(_ statement: OpaquePointer, _ column: Int32) -> Cell {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER, SQLITE_FLOAT:
            let number = sqlite3_column_double(statement, column)
            return number.isFinite ? .number(number) : .null
        default:
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }
}
