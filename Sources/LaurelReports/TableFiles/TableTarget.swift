// SPDX-License-Identifier: Apache-2.0

import Laurel

/// The database with the tables of `laurel tables`: an SQLite file, or a schema of PostgreSQL.
protocol TableTarget: AnyObject {
    func transaction(_ body: () throws -> Void) throws
    /// Creates empty tables.
    func makeTables(_ names: [String]) throws
    func add(_ facts: LearnerFacts, to tables: [ReportTable], _ source: TableSource) throws
    func delete(_ learner: String, from table: ReportTable) throws
    func rows(of table: String) throws -> Int
    /// The mark of the tables; nil if there are no tables, or if another version of Laurel made them.
    func mark() throws -> TableMark?
    func setMark(_ mark: TableMark) throws
}
