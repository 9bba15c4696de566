// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A virtual table, `prepared_rows(c0, c1, …)`, that passes prepared rows to SQL. So one statement inserts thousands of
/// rows. One statement for each row would double the time.
final class BulkInsertTable {
    private static let widest = Relation.projected.map(\.width).max()!
    private static let name = "prepared_rows"

    /// The rows of the current insertion.
    fileprivate var cells = UnsafeBufferPointer<ColumnValue>(start: nil, count: 0)
    fileprivate var texts: UnsafePointer<UInt8>?
    fileprivate var width = 1

    /// Registers the virtual table. It lives as long as the connection.
    init(_ connection: Connection) throws {
        try connection.check(
            sqlite3_create_module_v2(
                connection.handle,
                BulkInsertTable.name,
                BulkInsertTable.module.pointer,
                Unmanaged.passRetained(self).toOpaque()
            ) { Unmanaged<BulkInsertTable>.fromOpaque($0!).release() }
        )
    }

    /// The SQL of the statement for ``insert(_:by:)``.
    /// - Parameter prefix: the prefix of the table's name.
    static func insertion(into relation: Relation, _ prefix: String) -> String {
        "INSERT OR REPLACE INTO \(prefix)\(relation.name)(\(relation.names()))"
            + " SELECT \(columns(relation.width)) FROM \(name)"
    }

    private static func columns(_ count: Int) -> String {
        precondition(count <= widest)
        return (0..<count).map { "c\($0)" }.joined(separator: ",")
    }

    func insert(_ rows: TableRows, by statement: Statement) throws {
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

// MARK: SQLite's callbacks

private struct BulkInsertVirtualTable {
    /// The part for SQLite, which must come first.
    var base = sqlite3_vtab()
    let feed: Unmanaged<BulkInsertTable>
}

private struct BulkInsertCursor {
    /// The part for SQLite, which must come first.
    var base = sqlite3_vtab_cursor()
    let feed: Unmanaged<BulkInsertTable>
    var row: UnsafePointer<ColumnValue>?
    var end: UnsafePointer<ColumnValue>?
    var width = 1
    var texts: UnsafePointer<UInt8>?
    var number: Int64 = 0
}

extension BulkInsertTable {
    /// The module that implements the virtual table. It is never freed, because connections may need it as long as the
    /// process runs.
    private struct Module: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sqlite3_module>
    }

    private static let module: Module = {
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var module = sqlite3_module()
        // Without `xCreate`, the table exists in every database, under the module's name.
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
            let new = UnsafeMutablePointer<BulkInsertVirtualTable>.allocate(capacity: 1)
            new.initialize(to: BulkInsertVirtualTable(feed: .fromOpaque(feed!)))
            table!.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }

    private static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = { table in
        UnsafeMutableRawPointer(table!).assumingMemoryBound(to: BulkInsertVirtualTable.self).deallocate()
        return SQLITE_OK
    }

    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
        ) -> Int32 = { table, cursor in
            let table = UnsafeMutableRawPointer(table!).assumingMemoryBound(to: BulkInsertVirtualTable.self)
            let new = UnsafeMutablePointer<BulkInsertCursor>.allocate(capacity: 1)
            new.initialize(to: BulkInsertCursor(feed: table.pointee.feed))
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
                // A null pointer would be null in SQL, so an empty text gets another pointer.
                let texts = UnsafeRawPointer(cursor.pointee.texts) ?? UnsafeRawPointer(cell)
                let length = UInt64(cell.pointee.length)
                laurel_sqlite3_result_lent_text(context, texts + Int(cell.pointee.bits), length)
            }
            return SQLITE_OK
        }

    private static func fedCursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<
        BulkInsertCursor
    > {
        UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: BulkInsertCursor.self)
    }
}
