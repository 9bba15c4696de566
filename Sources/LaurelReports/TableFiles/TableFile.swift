// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelProgress
public import LaurelResults
import LaurelStore
import LaurelWire

/// The words, sessions and reviews of all learners in tables, for other programs. The tables are in an SQLite file, or
/// in a schema of a PostgreSQL database.
///
/// Rejected: the same tables in the store, always up to date. A review takes 5 bytes as a packed event, and 66 bytes as
/// a row of numbers and codes. So a store of reviews would become ten times as large. An append would write 8 KiB more,
/// a quarter of the present amount. An append makes its rows from the state of the fold, which contains neither the
/// texts of words nor reviews.
public struct TableFile: Sendable {
    private let path: String
    private let permissions: UInt32

    /// The names of the possible tables.
    public static var tableNames: [String] { DetailTable.all.map(\.name) }

    /// - Parameters:
    ///   - path: the file's path, or the address of a database: `postgresql://…`. The file need not exist. In a
    ///     database, the schema is `laurel_tables`. With `schema=NAME` in the address, it is `NAME_tables`.
    ///   - permissions: the permissions of a new file.
    public init(_ path: String, permissions: UInt32 = 0o600) {
        (self.path, self.permissions) = (path, permissions)
    }

    /// Brings the tables up to date. The rows of learners who did not change since the last update stay. The file is
    /// recreated if all learners may have changed, for example under other rules or after an erasure.
    /// - Parameters:
    ///   - engine: the engine of the store. It may have other rules than the store.
    ///   - store: the store's location. A file with another store's tables is recreated.
    ///   - names: tables to add to the file. Without names, a new file gets all tables.
    ///   - instant: the instant up to which events count.
    ///   - observe: receives the number of processed learners, and the number of all learners to process.
    /// - Throws: `EngineError` of code `invalidRequest` for an unknown table, and if the file has other content.
    /// - Complexity: O(events of the changed learners); O(events), on all cores, if the file is recreated.
    public func update(
        from engine: ProgressEngine,
        of store: StoreLocation,
        tables names: [String] = [],
        at instant: Timestamp,
        observe: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(EngineError) -> TableReport {
        for name in names where !Self.tableNames.contains(name) {
            let hint = didYouMean(Self.tableNames.nearest(to: name))
            throw EngineError(.invalidRequest, "there is no table “\(name)”\(hint)")
        }
        do {
            return try EngineError.passing {
                try update(TableUpdate(engine, store, at: instant), adding: names, observe: observe)
            }
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError(.ioError, "\(StoreLocation(path)): \(error)")
        }
    }

    private func update(
        _ update: TableUpdate,
        adding names: [String],
        observe: (Int, Int) -> Void
    ) throws -> TableReport {
        let schema = StoreLocation(path).isDatabase ? try TableSchema(path) : nil
        let database: (any TableTarget)? = try schema ?? TableDatabase(existing: path)
        let known = try database?.mark()
        let kept = known.map { mark in Self.tableNames.filter(mark.tables.contains) } ?? []
        let wanted = Self.tableNames.filter { name in
            kept.contains(name) || names.contains(name) || kept.isEmpty && names.isEmpty
        }
        // The commit is read before any learner. So a learner who changes during this update is included in the next
        // update, too.
        let (mark, learners) = try update.plan(after: known, tables: wanted)
        if let database, let learners, kept == wanted {
            try database.transaction {
                try update.replace(learners, in: database, wanted, observe: observe)
                try database.setMark(mark)
            }
            return try report(mark, database, isNew: false, learners: learners.count)
        }
        if let schema { return try fill(schema, update, mark, observe: observe) }
        return try make(update, mark, observe: observe)
    }

    /// Makes a new file, which replaces the old one when it is complete.
    private func make(
        _ update: TableUpdate,
        _ mark: TableMark,
        observe: (Int, Int) -> Void
    ) throws -> TableReport {
        let file = try UnfinishedFile(path, mode: permissions)
        // The database is closed when the statement ends, so that the file can get its name.
        let made = try fill(TableDatabase(new: file.path), update, mark, observe: observe)
        try file.publish()
        return made
    }

    private func fill(
        _ database: any TableTarget,
        _ update: TableUpdate,
        _ mark: TableMark,
        observe: (Int, Int) -> Void
    ) throws -> TableReport {
        var learners = 0
        try database.transaction {
            try database.makeTables(mark.tables)
            learners = try update.fill(database, mark.tables, observe: observe)
            try database.setMark(mark)
        }
        return try report(mark, database, isNew: true, learners: learners)
    }

    private func report(
        _ mark: TableMark,
        _ database: any TableTarget,
        isNew: Bool,
        learners: Int
    ) throws -> TableReport {
        TableReport(
            asOf: mark.asOf.date,
            commit: mark.commit,
            isNew: isNew,
            learners: learners,
            tables: try mark.tables.map { TableReport.Table(name: $0, rows: try database.rows(of: $0)) }
        )
    }
}

/// The tables that a file may have. In reports, these tables are only for a single learner, because they would be too
/// large for many learners.
enum DetailTable {
    /// The tables without the columns that change as time passes, and without the columns for a report's calibration. A
    /// forecast changes as time passes, too.
    static let all = ReportTable.all.filter { $0.isForOneLearner && $0.name != ReportTable.workload.name }.map {
        table in
        table.selecting(Set(table.columns).subtracting(left))
    }

    private static let left = ["due", "next_review_day", "interval_bin", "review_bin", "lapse_bin"]

    static func named(_ names: [String]) -> [ReportTable] { all.filter { names.contains($0.name) } }
}
