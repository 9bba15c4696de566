// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import Laurel
import LaurelStore

/// The SQLite database in a file of tables. The table `laurel_tables` contains the ``TableMark``.
final class TableDatabase: TableTarget {
    /// "LauT" in the file's header, which distinguishes the file from stores and from files of other programs.
    private static let applicationID: UInt32 = 0x4C61_7554
    private static let format: Int64 = 1

    private let connection: Connection

    /// Opens a file. Returns nil if there is no file, or if it is empty.
    /// - Throws: `EngineError` for a file with other content.
    init?(existing path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            // SQLite would treat the journal of a deleted file as a part of the new file.
            try? FileManager.default.removeItem(atPath: path + "-journal")
            return nil
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw EngineError(.cannotOpen, "\(path) cannot be read")
        }
        guard try file.seekToEnd() > 0 else { return nil }
        // The id is read without SQLite, which could change another program's file.
        try file.seek(toOffset: 68)
        let id = try file.read(upToCount: 4) ?? Data()
        guard id.elementsEqual(withUnsafeBytes(of: Self.applicationID.bigEndian, Array.init)) else {
            throw EngineError(.invalidRequest, "\(path) is another program's file; name a file that is not there yet")
        }
        connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        // Deleted rows are overwritten, so that no row of a changed learner remains readable.
        try connection.execute("PRAGMA secure_delete = ON")
    }

    /// Opens an empty file that no other process uses.
    init(new path: String) throws {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
        try connection.execute("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(Self.format)")
    }

    func makeTables(_ names: [String]) throws {
        try connection.execute("CREATE TABLE laurel_tables(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
        for table in DetailTable.named(names) { try connection.execute(table.createStatement(isOfOne: false)) }
    }

    func transaction(_ body: () throws -> Void) throws { try connection.inTransaction(body) }

    // MARK: Rows

    func add(_ facts: LearnerFacts, to tables: [ReportTable], _ source: TableSource) throws {
        for table in tables {
            let insertion = try connection.statement(table.insertStatement)
            try table.add(facts, source) { try insertion.run($0) }
        }
    }

    func delete(_ learner: String, from table: ReportTable) throws {
        try connection.statement("DELETE FROM \(table.name) WHERE learner = ?").run(.string(learner))
    }

    func rows(of table: String) throws -> Int { Int(try connection.number("SELECT count(*) FROM \(table)") ?? 0) }

    // MARK: The mark

    func mark() throws -> TableMark? {
        guard try connection.number("PRAGMA user_version") == Self.format else { return nil }
        var values: [String: String] = [:]
        let rows = try connection.statement("SELECT name, value FROM laurel_tables")
        while try rows.step() { values[rows.string(0)] = rows.string(1) }
        rows.reset()
        return TableMark(values)
    }

    func setMark(_ mark: TableMark) throws {
        for (name, value) in mark.values {
            try connection.statement("INSERT OR REPLACE INTO laurel_tables VALUES (?, ?)")
                .run(.string(name), .string(value))
        }
    }
}
