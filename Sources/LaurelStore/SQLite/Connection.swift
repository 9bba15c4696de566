// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages
internal import CSQLite
internal import LaurelEvents
internal import LaurelSystem

/// A connection and its prepared statements. Used by one thread at a time.
package final class Connection {
    package let handle: OpaquePointer
    let path: String
    /// The name for errors: the path, or the user's name for the store.
    let name: String
    private var isClosed = false
    private var statements: [String: Statement] = [:]
    /// Some of the statements, by the address of their text. Texts in the program keep their addresses. Hashing a
    /// text would take longer than some statements do.
    private var statementsByAddress = [CachedStatement?](repeating: nil, count: 1024)

    /// Opens a database.
    /// - Parameters:
    ///   - flags: the flags of `sqlite3_open_v2`.
    ///   - name: the name for errors; nil for the path.
    package init(path: String, flags: Int32, name: String? = nil) throws {
        self.path = path
        self.name = name ?? path
        var handle: OpaquePointer?
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, laurel_checked_pages_vfs())
        guard code == SQLITE_OK, let handle else {
            let error = StoreError(sqlite: code, handle, self.name)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        _ = laurel_sqlite3_distrust_schema(handle)
        sqlite3_busy_timeout(handle, 5000)
    }

    deinit { close() }

    /// Closes the connection. It cannot be used afterwards.
    func close() {
        forgetStatements()
        if !isClosed { sqlite3_close_v2(handle) }
        isClosed = true
    }

    package func check(_ code: Int32) throws {
        guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
            throw StoreError(sqlite: code, handle, name)
        }
    }

    package func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Runs a function in a transaction, which is rolled back if the function throws.
    package func inTransaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            // The first error is the one to report.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The prepared statement for an SQL text, ready to run. It may still have the bindings of its last use.
    package func statement(_ sql: String) throws -> Statement {
        let position = sql.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) >> 4 & 1023 } ?? 0
        if let cached = statementsByAddress[position], cached.sql == sql {
            cached.statement.reset()
            return cached.statement
        }
        let statement = try statements[sql] ?? Statement(sql, self)
        statement.reset()
        statements[sql] = statement
        statementsByAddress[position] = CachedStatement(sql: sql, statement: statement)
        return statement
    }

    /// A separate statement, for reading rows while other statements run.
    func newStatement(_ sql: String) throws -> Statement { try Statement(sql, self) }

    /// Finalises all statements, because a prepared statement can keep a table from being dropped.
    func forgetStatements() {
        statements.removeAll()
        for position in statementsByAddress.indices { statementsByAddress[position] = nil }
    }

    func resetStatements() {
        for statement in statements.values { statement.reset() }
    }

    /// Runs a statement that returns no rows.
    func run(_ sql: String, _ values: Value...) throws {
        let statement = try statement(sql)
        try statement.bind(values)
        _ = try statement.step()
        statement.reset()
    }

    /// The first column of the first row as a number; nil if there is no row, or the column is null.
    package func number(_ sql: String, _ values: Value...) throws -> Int64? {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    var changes: Int { Int(sqlite3_changes64(handle)) }
    var lastID: Int64 { sqlite3_last_insert_rowid(handle) }
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

private struct CachedStatement {
    var sql: String
    var statement: Statement
}

/// A value to bind to a statement.
package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8. It may contain NUL bytes.
    case text([UInt8])
    case blob([UInt8])

    package static func count(_ value: Int) -> Value { .integer(Int64(value)) }
    package static func string(_ value: String) -> Value { .text(Array(value.utf8)) }
    package static func optional(_ value: String?) -> Value { value.map(Value.string) ?? .null }
    package static func optional(_ value: [UInt8]?) -> Value { value.map(Value.text) ?? .null }
    package static func optional(_ value: Int64?) -> Value { value.map(Value.integer) ?? .null }
}

/// A prepared statement.
package final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection
    /// True if the statement was stepped since the last reset.
    private var isUnderWay = false

    fileprivate init(_ sql: String, _ connection: Connection) throws {
        var handle: OpaquePointer?
        try connection.check(
            sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        )
        guard let handle else { throw StoreError(.misuse, "an empty statement") }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    package func reset() {
        guard isUnderWay else { return }
        sqlite3_reset(handle)
        isUnderWay = false
    }

    func bind(_ values: [Value]) throws {
        for (index, value) in values.enumerated() { try bind(Int32(index + 1), value) }
    }

    func bind(_ index: Int32, _ value: Value) throws {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .real(let number): sqlite3_bind_double(handle, index, number)
            case .text(let bytes): bytes.bind(textTo: handle, index)
            case .blob(let bytes): bytes.bind(blobTo: handle, index)
            }
        try connection.check(code)
    }

    /// Runs the statement up to its next row, or to its end.
    /// - Returns: true if there is a row.
    package func step() throws -> Bool {
        isUnderWay = true
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let error = StoreError(sqlite: code, connection.handle, connection.name)
        reset()
        throw error
    }

    /// Binds, runs and resets a statement that returns no rows.
    package func run(_ values: Value...) throws { try run(values) }

    package func run(_ values: [Value]) throws {
        reset()
        try bind(values)
        _ = try step()
        reset()
    }

    /// Binds the values of `fill`, runs the statement and resets it. Use it for statements that return no rows and run
    /// often. Run such a statement only with this method.
    @inline(__always)
    func run(_ fill: (inout ParameterBinder) -> Void) throws {
        var row = ParameterBinder(statement: handle)
        fill(&row)
        try connection.check(row.code)
        _ = try step()
        reset()
    }

    var columnCount: Int { Int(sqlite3_column_count(handle)) }
    func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func count(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    /// A stored count. Damage may change a count to any number, so it is checked against the range of possible counts.
    /// - Throws: ``StoreError`` of code `corrupt` for a number outside the range.
    func amount(_ column: Int32) throws -> Int {
        let value = integer(column)
        guard (0...Statement.largestAmount).contains(value) else { throw damage("a count of \(value)") }
        return Int(value)
    }

    private static let largestAmount: Int64 = 1 << 48

    /// A time that an event may have, in milliseconds since 1970.
    /// - Throws: ``StoreError`` of code `corrupt` for any other number.
    func instant(_ column: Int32) throws -> Int64 {
        let value = integer(column)
        guard Timestamp.range.contains(value) else { throw damage("\(value) is no time") }
        return value
    }

    func damage(_ what: String) -> StoreError {
        StoreError(.corrupt, "\(connection.name) is damaged (\(what)); \(StoreError.advice)")
    }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The bytes of a text or blob, valid until the next step or reset.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func array(_ column: Int32) -> [UInt8] { Array(bytes(column)) }
    func optionalArray(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : array(column) }
    package func string(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    func optionalString(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }
}

extension [UInt8] {
    /// Binds a text. A null pointer would bind null, so an empty text needs another pointer.
    fileprivate func bind(textTo statement: OpaquePointer, _ index: Int32) -> Int32 {
        (isEmpty ? [0] : self).withUnsafeBytes { bytes in
            laurel_sqlite3_bind_text(statement, index, bytes.baseAddress, UInt64(count))
        }
    }

    fileprivate func bind(blobTo statement: OpaquePointer, _ index: Int32) -> Int32 {
        guard !isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64(count), copied) }
    }
}

/// Binds values to the parameters of a statement, one after another.
struct ParameterBinder {
    private let statement: OpaquePointer
    private var index: Int32 = 0
    /// SQLite's error code for the first value that could not be bound; `SQLITE_OK` if there is none.
    private(set) var code = SQLITE_OK

    fileprivate init(statement: OpaquePointer) { self.statement = statement }

    mutating func bind(_ value: Int64) { note(sqlite3_bind_int64(statement, next(), value)) }

    mutating func bind(_ value: Int) { bind(Int64(value)) }

    /// Binds a text, which may contain NUL bytes.
    mutating func bind(_ value: String?) {
        guard var value else { return bindNull() }
        let parameter = next()
        let code = value.withUTF8 { text in
            // A null pointer would bind null, so an empty text needs another pointer.
            withUnsafeBytes(of: 0) { none in
                let start = text.isEmpty ? none.baseAddress : UnsafeRawPointer(text.baseAddress)
                return laurel_sqlite3_bind_text(statement, parameter, start, UInt64(text.count))
            }
        }
        note(code)
    }

    mutating func bind(blob: [UInt8]) { note(blob.bind(blobTo: statement, next())) }

    private mutating func bindNull() { note(sqlite3_bind_null(statement, next())) }

    private mutating func next() -> Int32 {
        index += 1
        return index
    }

    private mutating func note(_ result: Int32) {
        if code == SQLITE_OK { code = result }
    }
}

extension StoreError {
    /// An error of SQLite, with a message that says what to do.
    init(sqlite code: Int32, _ handle: OpaquePointer?, _ path: String) {
        let detail = String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
        let (kind, message): (Code, String)
        switch code & 0xFF {
        case _ where code == StoreError.wrongData:
            (kind, message) = (
                .corrupt,
                "\(path) is damaged: \(StoreError.damagedPage(handle)) is not what was written; \(StoreError.advice)"
            )
        case SQLITE_FULL:
            (kind, message) = (
                .diskFull,
                "\(path): \(StoreError.diskFullReason); nothing was changed. Free some space and try again"
            )
        case SQLITE_NOTADB: (kind, message) = (.notAStore, "\(path) is not a Laurel store: not a SQLite database")
        case SQLITE_CORRUPT:
            (kind, message) = (.corrupt, "\(path) is damaged (\(detail)); \(StoreError.advice)")
        case SQLITE_BUSY, SQLITE_LOCKED:
            (kind, message) = (.busy, "\(path) is in use (\(detail)); try again when the other program is done")
        case SQLITE_READONLY, SQLITE_PERM:
            (kind, message) = (
                .readOnly, "\(path) cannot be written (\(detail)); check its permissions and its folder's"
            )
        case SQLITE_CANTOPEN:
            (kind, message) = (.ioError, "\(path) cannot be opened; check that its folder exists and may be written")
        case SQLITE_IOERR:
            (kind, message) = (
                .ioError,
                "\(path): reading or writing failed (\(detail)); nothing was changed. Check the disk\(StoreError.limit)"
            )
        default: (kind, message) = (.ioError, "\(path): \(detail) (SQLite \(code))")
        }
        self.init(
            kind,
            message,
            sqliteCode: code,
            isDamage: kind == .corrupt || StoreError.failedReads.contains(code)
        )
    }

    private static var limit: String {
        laurel_file_size_is_limited() == 0 ? "" : ", and how much this process may write (`ulimit -f`)"
    }

    private static var diskFullReason: String {
        guard laurel_file_size_is_limited() != 0 else { return "the disk is full" }
        return "the disk is full, or the file is larger than this process may write (`ulimit -f`)"
    }

    /// `SQLITE_IOERR_DATA`: a checksum does not match.
    private static let wrongData = SQLITE_IOERR | 32 << 8
    /// `SQLITE_IOERR_READ`, `SQLITE_IOERR_SHORT_READ` and `SQLITE_IOERR_CORRUPTFS`: the disk has lost a page.
    private static let failedReads = [1, 2, 33].map { SQLITE_IOERR | $0 << 8 }

    /// The advice about damage.
    static let advice = "restore it from a backup, or rebuild it from what is sound (`laurel verify` says what is)"

    private static func damagedPage(_ handle: OpaquePointer?) -> String {
        let page = handle.map { laurel_checked_pages_take_damage($0) } ?? 0
        return page == 0 ? "a page" : page > 0 ? "page \(page)" : "page \(-page) of its log"
    }
}
