// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Prepared rows as a table of SQL, `prepared_rows(c0, c1, …)`: one statement inserts thousands of them, where running one
/// for each row would cost as much again.
final class RowFeed {
    private static let widest = CellRows.progress.width
    private static let name = "prepared_rows"

    /// The rows being inserted.
    fileprivate var cells = UnsafeBufferPointer<Cell>(start: nil, count: 0)
    fileprivate var texts: UnsafePointer<UInt8>?
    fileprivate var width = 1

    /// Lives as long as the connection.
    init(_ connection: Connection) throws {
        try connection.check(
            sqlite3_create_module_v2(
                connection.handle,
                RowFeed.name,
                RowFeed.module.pointer,
                Unmanaged.passRetained(self).toOpaque()
            ) { Unmanaged<RowFeed>.fromOpaque($0!).release() }
        )
    }

    /// The statement that ``insert(_:by:)`` needs.
    /// - Parameter rows: as wide as the table.
    static func insertion(of rows: CellRows, into table: String) -> String {
        "INSERT OR REPLACE INTO \(table) SELECT \(columns(rows.width)) FROM \(name)"
    }

    private static func columns(_ count: Int) -> String {
        precondition(count <= widest)
        return (0..<count).map { "c\($0)" }.joined(separator: ",")
    }

    func insert(_ rows: CellRows, by statement: Statement) throws {
        guard !rows.isEmpty else { return }
        try rows.withCells { cells, texts in
            self.cells = cells
            self.texts = texts.baseAddress
            width = rows.width
            defer {
                self.cells = UnsafeBufferPointer(start: nil, count: 0)
                self.texts = nil
            }
            try statement.run()
        }
    }
}

// MARK: What SQLite calls

private struct FedTable {
    /// SQLite's part comes first.
    var base = sqlite3_vtab()
    let feed: Unmanaged<RowFeed>
}

private struct FedCursor {
    /// SQLite's part comes first.
    var base = sqlite3_vtab_cursor()
    let feed: Unmanaged<RowFeed>
    var row: UnsafePointer<Cell>?
    var end: UnsafePointer<Cell>?
    var width = 1
    var texts: UnsafePointer<UInt8>?
    var number: Int64 = 0
}

extension RowFeed {
    /// Never freed: connections may need it as long as the process runs.
    private struct Module: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sqlite3_module>
    }

    private static let module: Module = {
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var module = sqlite3_module()
        // Without `xCreate` the table is there in every database, under the module's name.
        module.xConnect = connect
        module.xDisconnect = disconnect
        module.xBestIndex = { _, info in
            info!.pointee.estimatedCost = 1
            return SQLITE_OK
        }
        module.xOpen = open
        module.xClose = close
        module.xFilter = filter
        module.xNext = next
        module.xEof = { cursor in fedCursor(cursor).pointee.row == fedCursor(cursor).pointee.end ? 1 : 0 }
        module.xColumn = column
        module.xRowid = { cursor, number in
            number!.pointee = fedCursor(cursor).pointee.number
            return SQLITE_OK
        }
        pointer.initialize(to: module)
        return Module(pointer: pointer)
    }()

    private static let connect:
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Int32 = { database, feed, _, _, table, _ in
            let code = sqlite3_declare_vtab(database, "CREATE TABLE x(\(columns(widest)))")
            guard code == SQLITE_OK else { return code }
            let new = UnsafeMutablePointer<FedTable>.allocate(capacity: 1)
            new.initialize(to: FedTable(feed: .fromOpaque(feed!)))
            table!.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }

    private static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = { table in
        UnsafeMutableRawPointer(table!).assumingMemoryBound(to: FedTable.self).deallocate()
        return SQLITE_OK
    }

    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
        ) -> Int32 = { table, cursor in
            let table = UnsafeMutableRawPointer(table!).assumingMemoryBound(to: FedTable.self)
            let new = UnsafeMutablePointer<FedCursor>.allocate(capacity: 1)
            new.initialize(to: FedCursor(feed: table.pointee.feed))
            cursor!.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }

    private static let close: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { cursor in
        fedCursor(cursor).deallocate()
        return SQLITE_OK
    }

    private static let filter:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab_cursor>?, Int32, UnsafePointer<CChar>?, Int32,
            UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32 = { cursor, _, _, _, _ in
            let cursor = fedCursor(cursor)
            let feed = cursor.pointee.feed.takeUnretainedValue()
            cursor.pointee.row = feed.cells.baseAddress
            cursor.pointee.end = feed.cells.baseAddress.map { $0 + feed.cells.count }
            cursor.pointee.width = feed.width
            cursor.pointee.texts = feed.texts
            cursor.pointee.number = 0
            return SQLITE_OK
        }

    private static let next: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { cursor in
        let cursor = fedCursor(cursor)
        cursor.pointee.row = cursor.pointee.row.map { $0 + cursor.pointee.width }
        cursor.pointee.number += 1
        return SQLITE_OK
    }

    private static let column:
        @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?, OpaquePointer?, Int32) -> Int32 = {
            cursor,
            context,
            column in
            let cursor = fedCursor(cursor)
            let cell = cursor.pointee.row! + Int(column)
            switch cell.pointee.kind {
            case .null: sqlite3_result_null(context)
            case .integer: sqlite3_result_int64(context, Int64(bitPattern: cell.pointee.bits))
            case .real: sqlite3_result_double(context, Double(bitPattern: cell.pointee.bits))
            case .text:
                // A null pointer would be null, so an empty text among none needs some other.
                let texts = UnsafeRawPointer(cursor.pointee.texts) ?? UnsafeRawPointer(cell)
                let length = UInt64(cell.pointee.length)
                laurel_sqlite3_result_lent_text(context, texts + Int(cell.pointee.bits), length)
            }
            return SQLITE_OK
        }

    private static func fedCursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<
        FedCursor
    > {
        UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: FedCursor.self)
    }
}
