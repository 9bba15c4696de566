// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// An error that SQLite reports.
struct SQLError: Error {
    let code: Int32
    let message: String
    /// The byte offset in the statement, if SQLite reports it.
    let offset: Int?

    /// True if the statement names something that the database lacks.
    var isMissingName: Bool { message.hasPrefix("no such table") || message.hasPrefix("no such column") }
    /// True if the file, rather than the statement, is the cause.
    var isOfFile: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    }
}

/// A database that adapters read: a private copy of an app's database, or one with the records of a text file. It must
/// not be used by two threads at once.
final class SourceDatabase {
    fileprivate let handle: OpaquePointer
    private let isOwned: Bool
    fileprivate let bounds: FileBounds

    /// Borrows a connection, while one of its statements calls a function.
    init(borrowing handle: OpaquePointer) {
        (self.handle, isOwned, bounds) = (handle, false, FileBounds(seconds: FileBounds.seconds))
    }

    /// - Parameters:
    ///   - path: nil for an empty temporary database, which is on disk if it grows.
    ///   - seconds: the longest time that SQLite may take to read the file.
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
        // In exclusive mode, the write-ahead log of a copy is read without a shared index file.
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

    /// Stores a query's rows in a table with an index on its first column.
    func makeTable(_ name: String, _ query: String, _ parameters: [String: String]) throws(SQLError) {
        let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
        let statement = try prepare("CREATE TEMP TABLE \(quoted) AS \(query)")
        statement.bind(parameters)
        _ = try statement.step()
        let first = try value("SELECT name FROM pragma_table_info(?1)", ["1": name])
        let column = String(decoding: first.bytes ?? [], as: UTF8.self).replacing("\"", with: "\"\"")
        try execute("CREATE INDEX temp.\"\(name) first\" ON \(quoted)(\"\(column)\")")
    }

    /// The first value of the first row; null if there is none.
    func value(_ sql: String, _ parameters: [String: String] = [:]) throws(SQLError) -> SQLValue {
        let statement = try prepare(sql)
        statement.bind(parameters)
        return try statement.step() ? statement.value(0) : .null
    }

    /// The names of its tables, in order.
    func tables() throws(SQLError) -> [String] {
        let statement = try prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name")
        var names: [String] = []
        while try statement.step() {
            names.append(String(decoding: statement.value(0).bytes ?? [], as: UTF8.self))
        }
        return names
    }

    /// The names of its tables and their columns.
    func names() throws(SQLError) -> [String] {
        let statement = try prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' UNION"
                + " SELECT c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'"
        )
        var names: [String] = []
        while try statement.step() { names.append(String(decoding: statement.value(0).bytes ?? [], as: UTF8.self)) }
        return names
    }

    /// The number of changes of the file, as its header counts without a write-ahead log; 0 without a file.
    var changeCounter: Int64 {
        // Read through the open file, whose name is already removed.
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let read = file.pointee.pMethods?.pointee.xRead
        else { return 0 }
        var bytes = [UInt8](repeating: 0, count: 4)
        guard read(file, &bytes, 4, Self.changeCounterOffset) == SQLITE_OK else { return 0 }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The big-endian counter in the file's header: https://www.sqlite.org/fileformat.html#file_change_counter
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

    /// True if the statement returns rows and changes nothing.
    var isQuery: Bool { sqlite3_stmt_readonly(handle) != 0 && sqlite3_column_count(handle) > 0 }

    var columns: [String] {
        (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }
    }

    /// Binds texts to `:name`s. Names that the statement lacks are ignored; missing ones are null.
    func bind(_ parameters: [String: String]) {
        for index in 1..<max(1, sqlite3_bind_parameter_count(handle) + 1) {
            guard let name = sqlite3_bind_parameter_name(handle, index).map({ String(cString: $0).dropFirst() }),
                let text = parameters[String(name)]
            else { continue }
            bind(index, Array(text.utf8))
        }
    }

    /// The names of its `:name` parameters.
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

    /// Goes to the next row.
    /// - Returns: false after the last row.
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
