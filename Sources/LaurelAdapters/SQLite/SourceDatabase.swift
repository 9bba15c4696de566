// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// An error that SQLite reports.
struct SQLError: Error {
    let code: Int32
    let message: String
    /// The byte offset in the statement at which the error occurred; nil if SQLite does not report it.
    let offset: Int?

    /// True if the statement names a table or column that the database does not have.
    var isMissingName: Bool { message.hasPrefix("no such table") || message.hasPrefix("no such column") }
    /// True if the file caused the error; false if the statement did.
    var isFileError: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    }
}

/// A database that adapters read: a private copy of an app's database, or a database with the records of a text file.
/// Two threads must not use it at once.
final class SourceDatabase {
    fileprivate let handle: OpaquePointer
    private let isOwned: Bool
    fileprivate let bounds: FileBounds

    /// Uses an existing connection while one of its statements calls a SQL function of Laurel.
    init(borrowing handle: OpaquePointer) {
        (self.handle, isOwned, bounds) = (handle, false, FileBounds(seconds: FileBounds.seconds))
    }

    /// Opens a database.
    /// - Parameters:
    ///   - path: the path; nil for an empty temporary database, which SQLite moves to disk if it grows.
    ///   - seconds: the maximum time that SQLite may take to read the file.
    init(path: String?, seconds: Double = FileBounds.seconds) throws(SQLError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path ?? "", &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLError(code: code, message: String(cString: sqlite3_errstr(code)), offset: nil)
            sqlite3_close_v2(handle)
            throw error
        }
        (self.handle, isOwned, bounds) = (handle, true, FileBounds(seconds: seconds))
        registerFunctions(on: handle)
        // With exclusive locking, SQLite needs no index file in shared memory for the write-ahead log of the copy.
        try execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536")
        if path == nil {
            _ = laurel_sqlite3_distrust_schema(handle)
            try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        } else {
            bounds.confine(handle)
        }
    }

    deinit { if isOwned { sqlite3_close_v2(handle) } }

    func execute(_ sql: String) throws(SQLError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
    }

    func prepare(_ sql: String) throws(SQLError) -> SourceStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw error() }
        guard let statement else {
            throw SQLError(code: SQLITE_MISUSE, message: "there is no statement", offset: nil)
        }
        return SourceStatement(statement, self)
    }

    /// Stores a query's rows in a new table, and creates an index on the first column.
    func makeTable(_ name: String, _ query: String, _ parameters: [String: String]) throws(SQLError) {
        let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
        let statement = try prepare("CREATE TEMP TABLE \(quoted) AS \(query)")
        statement.bind(parameters)
        _ = try statement.step()
        let first = try value("SELECT name FROM pragma_table_info(?1)", ["1": name])
        let column = String(decoding: first.bytes ?? [], as: UTF8.self).replacing("\"", with: "\"\"")
        try execute("CREATE INDEX temp.\"\(name) first\" ON \(quoted)(\"\(column)\")")
    }

    /// The first value of the query's first row; null if there is no row.
    func value(_ sql: String, _ parameters: [String: String] = [:]) throws(SQLError) -> SQLValue {
        let statement = try prepare(sql)
        statement.bind(parameters)
        return try statement.step() ? statement.value(0) : .null
    }

    /// The names of the database's tables, sorted.
    func tables() throws(SQLError) -> [String] {
        let statement = try prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name")
        var names: [String] = []
        while try statement.step() {
            names.append(String(decoding: statement.value(0).bytes ?? [], as: UTF8.self))
        }
        return names
    }

    /// The names of the database's tables and of their columns.
    func names() throws(SQLError) -> [String] {
        let statement = try prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' UNION"
                + " SELECT c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'"
        )
        var names: [String] = []
        while try statement.step() { names.append(String(decoding: statement.value(0).bytes ?? [], as: UTF8.self)) }
        return names
    }

    /// The change counter in the file's header; 0 if there is no file. Changes that are only in the write-ahead log are
    /// not counted.
    var changeCounter: Int64 {
        // The header is read through SQLite's open file, because the file's name was already removed.
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let read = file.pointee.pMethods?.pointee.xRead
        else { return 0 }
        var bytes = [UInt8](repeating: 0, count: 4)
        guard read(file, &bytes, 4, Self.changeCounterOffset) == SQLITE_OK else { return 0 }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The offset of the counter in the header, a big-endian number:
    /// https://www.sqlite.org/fileformat.html#file_change_counter
    private static let changeCounterOffset: sqlite3_int64 = 24

    fileprivate func error() -> SQLError {
        let offset = sqlite3_error_offset(handle)
        return SQLError(
            code: sqlite3_extended_errcode(handle),
            message: bounds.message(for: sqlite3_extended_errcode(handle)) ?? String(cString: sqlite3_errmsg(handle)),
            offset: offset < 0 ? nil : Int(offset)
        )
    }
}

/// A prepared statement.
final class SourceStatement {
    private let handle: OpaquePointer
    private let database: SourceDatabase

    fileprivate init(_ handle: OpaquePointer, _ database: SourceDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// True if the statement returns rows and does not change the database.
    var isQuery: Bool { sqlite3_stmt_readonly(handle) != 0 && sqlite3_column_count(handle) > 0 }

    var columns: [String] {
        (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }
    }

    /// Binds texts to parameters of the form `:name`. Names that are not in the statement are ignored. Parameters
    /// without a text are null.
    func bind(_ parameters: [String: String]) {
        for index in 1..<max(1, sqlite3_bind_parameter_count(handle) + 1) {
            guard let name = sqlite3_bind_parameter_name(handle, index).map({ String(cString: $0).dropFirst() }),
                let text = parameters[String(name)]
            else { continue }
            bind(index, Array(text.utf8))
        }
    }

    /// The names of the statement's `:name` parameters.
    var parameters: [String] {
        (1..<max(1, sqlite3_bind_parameter_count(handle) + 1)).map { index in
            sqlite3_bind_parameter_name(handle, index).map { String(cString: $0) } ?? "?\(index)"
        }
    }

    func bind(_ index: Int32, _ text: some Collection<UInt8>) {
        let bytes = text.isEmpty ? [0] : Array(text)
        _ = bytes.withUnsafeBytes {
            laurel_sqlite3_bind_text(handle, index, $0.baseAddress, UInt64(text.count))
        }
    }

    func bind(_ index: Int32, _ number: Int64) { sqlite3_bind_int64(handle, index, number) }

    func reset() { sqlite3_reset(handle) }

    /// Moves to the next row.
    /// - Returns: true if there is a row, false after the last row.
    func step() throws(SQLError) -> Bool {
        let code = database.bounds.step(handle)
        if code == SQLITE_ROW, !database.bounds.isOver { return true }
        defer { sqlite3_reset(handle) }
        if code == SQLITE_ROW, let message = database.bounds.message(for: SQLITE_INTERRUPT) {
            throw SQLError(code: SQLITE_INTERRUPT, message: message, offset: nil)
        }
        guard code == SQLITE_DONE else { throw database.error() }
        return false
    }

    func value(_ column: Int) -> SQLValue { SQLValue(sqlite3_column_value(handle, Int32(column))) }
}
