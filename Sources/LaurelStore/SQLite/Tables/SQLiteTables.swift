// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import LaurelEvents
internal import LaurelSystem

/// The tables of a store in one SQLite file, over one connection. The methods only run statements, and make no
/// decisions.
final class SQLiteTables: PartitionTables {
    let connection: Connection
    let isWriter: Bool
    /// Created when rows are first written.
    private var feed: BulkInsertTable?
    /// True if ``SQLiteSession`` must clean the file after this transaction, to complete an erasure.
    var mustClean = false

    /// True if there is no shadow and no leftover of one. Set only when that is known, and cleared when this or another
    /// process makes one.
    var hasNoLeftovers = false

    init(_ connection: Connection, isWriter: Bool = false) { (self.connection, self.isWriter) = (connection, isWriter) }

    var name: String { connection.name }
    var partitionCount: Int { 1 }

    /// The format of the file. A reader may find a format that is older than the program's.
    func format() throws -> Int64 {
        isWriter ? Schema.version : try connection.number("PRAGMA user_version") ?? 0
    }

    func freeBytes() -> Int64? {
        var disk = statvfs()
        guard statvfs(connection.path, &disk) == 0 else { return nil }
        return Int64(clamping: disk.f_bavail).multipliedReportingOverflow(by: Int64(clamping: disk.f_frsize))
            .partialValue
    }

    func resetStatements() { connection.resetStatements() }

    /// Makes the file smaller if more than one page in `share` is free, for example after a merge.
    func releaseFreePages(above share: Int64) throws {
        let free = try connection.number("PRAGMA freelist_count") ?? 0
        let all = try connection.number("PRAGMA page_count") ?? 0
        if free > 256, free * share > all { try connection.execute("PRAGMA incremental_vacuum") }
    }

    /// Inserts rows with one statement.
    /// - Parameter sql: the result of ``BulkInsertTable/insertion(into:_:)``.
    func insert(_ rows: TableRows, _ sql: String) throws {
        guard !rows.isEmpty else { return }
        let feed = try feed ?? BulkInsertTable(connection)
        self.feed = feed
        try feed.insert(rows, by: connection.statement(sql))
    }

    /// Runs a statement for each element. The statement returns no rows.
    @inline(__always)
    func run<Element>(
        _ sql: String,
        each elements: some Sequence<Element>,
        _ fill: (Element, inout ParameterBinder) -> Void
    ) throws {
        let statement = try connection.statement(sql)
        for element in elements { try statement.run { fill(element, &$0) } }
    }

    /// The rows of a statement.
    func rows<T>(_ sql: String, _ values: Value..., row: (Statement) throws -> T) throws -> [T] {
        let statement = try connection.statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        var rows: [T] = []
        while try statement.step() { rows.append(try row(statement)) }
        return rows
    }

    /// The first row of a statement; nil if there is none.
    func row<T>(_ sql: String, _ values: Value..., row: (Statement) throws -> T) throws -> T? {
        let statement = try connection.statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? try row(statement) : nil
    }
}

extension Connection {
    /// The integers in the first column of a statement's rows.
    func numbers(_ sql: String, _ values: Value...) throws -> [Int64] {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}
