// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// A table that a report's queries can read. `docs/reports.md` describes its columns.
///
/// A table may have the same name as a table of the store. It then has the same columns except the learner's number,
/// and further columns. All values are as of the report's instant. Each key begins with the learner's id. So the order
/// of rows does not depend on the order in which events arrived.
struct ReportTable: Sendable {
    typealias Insertion = (_ values: [Value]) throws -> Void

    private enum Rows: Sendable {
        /// Rows that are the same for every learner.
        case shared(@Sendable (TableSource, Insertion) throws -> Void)
        case learner(@Sendable (LearnerFacts, TableSource, Insertion) throws -> Void)
    }

    let name: String
    /// True if the table would be too large for many learners, so that only reports on one learner contain it.
    let isForOneLearner: Bool
    /// The parts of ``LearnerFacts`` that the table's rows need.
    let facts: FactSelection
    /// The names of the table's columns. The columns of the key come first.
    let columns: [String]
    /// The columns of an index for queries that do not ask about single learners; empty for no index.
    let indexed: [String]
    /// The SQLite types of the columns.
    let types: [String]
    private let keyCount: Int
    private let rows: Rows
    private let select: @Sendable (Set<String>) -> ReportTable

    /// A table whose rows come from ``LearnerFacts``.
    init<Row>(
        _ name: String,
        _ facts: FactSelection = [],
        isForOneLearner: Bool = false,
        key: [ReportColumn<Row>],
        _ columns: [ReportColumn<Row>],
        indexed: [String] = [],
        rows: @escaping @Sendable (LearnerFacts, TableSource) -> [Row]
    ) {
        let all = key + columns
        self.init(
            name: name,
            isForOneLearner: isForOneLearner,
            facts: columns.reduce(facts) { $0.union($1.facts) },
            columns: all,
            keyCount: key.count,
            indexed: indexed,
            rows: .learner { facts, source, insert in
                for row in rows(facts, source) { try insert(all.values(of: row)) }
            }
        ) { names in
            ReportTable(
                name,
                facts,
                isForOneLearner: isForOneLearner,
                key: key,
                columns.filter { !names.isDisjoint(with: $0.names) },
                indexed: names.isSuperset(of: indexed) ? indexed : [],
                rows: rows
            )
        }
    }

    /// A table whose rows are the same for every learner.
    init<Row>(
        shared name: String,
        key: [ReportColumn<Row>],
        _ columns: [ReportColumn<Row>],
        rows: @escaping @Sendable (TableSource) -> [Row]
    ) {
        let all = key + columns
        self.init(
            name: name,
            isForOneLearner: false,
            facts: [],
            columns: all,
            keyCount: key.count,
            indexed: [],
            rows: .shared { source, insert in
                for row in rows(source) { try insert(all.values(of: row)) }
            }
        ) { names in
            ReportTable(shared: name, key: key, columns.filter { !names.isDisjoint(with: $0.names) }, rows: rows)
        }
    }

    private init<Row>(
        name: String,
        isForOneLearner: Bool,
        facts: FactSelection,
        columns: [ReportColumn<Row>],
        keyCount: Int,
        indexed: [String],
        rows: Rows,
        select: @escaping @Sendable (Set<String>) -> ReportTable
    ) {
        (self.name, self.isForOneLearner, self.facts, self.keyCount) = (name, isForOneLearner, facts, keyCount)
        self.columns = columns.flatMap(\.names)
        types = columns.flatMap(\.types)
        (self.indexed, self.rows, self.select) = (indexed, rows, select)
    }

    /// The table without the columns that no query reads. Its rows and their order are the same. Columns whose values
    /// are computed together are kept or removed together.
    func selecting(_ columns: Set<String>) -> ReportTable { select(columns) }

    var isShared: Bool { if case .shared = rows { true } else { false } }

    /// Inserts a learner's rows. A shared table gets no rows.
    func add(_ facts: LearnerFacts, _ source: TableSource, _ insert: Insertion) throws {
        if case .learner(let add) = rows { try add(facts, source, insert) }
    }

    /// Inserts the rows of a shared table. Another table gets no rows.
    func addShared(_ source: TableSource, _ insert: Insertion) throws {
        if case .shared(let add) = rows { try add(source, insert) }
    }

    /// - Parameter isOfOne: true if the table contains only one learner. The learner's column then comes last in the
    ///   key. The order of rows is the same, and a query without a learner can use the key.
    func createStatement(isOfOne: Bool) -> String {
        let list = zip(columns, types).map { "\($0) \($1)" }.joined(separator: ", ")
        var key = Array(columns.prefix(keyCount))
        if isOfOne, key[0] == "learner" { key.append(key.removeFirst()) }
        return "CREATE TABLE \(name)(\(list), PRIMARY KEY(\(key.joined(separator: ", ")))) WITHOUT ROWID"
    }

    /// The statement that creates the index after all rows were inserted; nil for no index.
    var indexStatement: String? {
        guard !indexed.isEmpty else { return nil }
        return "CREATE INDEX IF NOT EXISTS \(name)_index ON \(name)(\(indexed.joined(separator: ", ")))"
    }

    var insertStatement: String {
        // SQLite cannot store some characters. Ids that differ only in these characters have the same key, so only the
        // first row is stored.
        "INSERT OR IGNORE INTO \(name) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }
}

extension ReportTable: Hashable {
    static func == (one: ReportTable, other: ReportTable) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ReportTable {
    /// THE list of tables.
    static let all = [
        learners, progress, daily, achievements, weekly, xpByDay, streakDays, reviewsByDay, words, sessions, reviews,
        reviewsByGrade, workload, needs, forgottenWords, goals, balances, experiments, variants, buckets, ruleVersions,
        weeks,
        days,
    ]

    static func named(_ name: String) -> ReportTable? { all.first { $0.name == name } }
}
