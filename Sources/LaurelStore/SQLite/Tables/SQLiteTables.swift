// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import LaurelEvents
internal import LaurelSystem

/// The tables of a store in one SQLite file, by one connection: statements and nothing else.
final class SQLiteTables: PartitionTables {
    let connection: Connection
    let isWriter: Bool
    private var derived: [DerivedPlace: DerivedStatements] = [:]
    private var feed: RowFeed?
    /// Whether the store was seen to have a list of versions of the rules.
    var knowsVersions = false
    /// What the transaction under way has to be followed by.
    var mustClean = false

    /// Whether there is neither a shadow nor what is left of one: known only where that is so, and until this
    /// process or another makes one.
    var hasNoLeftovers = false

    init(_ connection: Connection, isWriter: Bool = false) { (self.connection, self.isWriter) = (connection, isWriter) }

    var name: String { connection.name }

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

    /// Makes the file smaller where more than one page in `share` is free, as after a merge.
    func giveBackFreePages(above share: Int64) throws {
        let free = try connection.number("PRAGMA freelist_count") ?? 0
        let all = try connection.number("PRAGMA page_count") ?? 0
        if free > 256, free * share > all { try connection.execute("PRAGMA incremental_vacuum") }
    }

    /// Of the derived tables of one place, prepared once: a replay runs them for everyone.
    func statements(of place: DerivedPlace) throws -> DerivedStatements {
        if let known = derived[place] { return known }
        let feed = try feed ?? RowFeed(connection)
        self.feed = feed
        let new = try DerivedStatements(place, connection, feed)
        derived[place] = new
        return new
    }

    /// So that none stands in the way of a table's removal.
    func forgetStatements() {
        derived.removeAll()
        connection.forgetStatements()
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

    /// The first row of a statement; nil where there is none.
    func row<T>(_ sql: String, _ values: Value..., row: (Statement) throws -> T) throws -> T? {
        let statement = try connection.statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? try row(statement) : nil
    }
}

extension Connection {
    /// The first column of all rows.
    func numbers(_ sql: String, _ values: Value...) throws -> [Int64] {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}
