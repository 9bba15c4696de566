// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// A table that a report's queries can read; `docs/reports.md` describes its columns.
///
/// A table that the store also has contains the store's columns, except the learner's number, and further ones. All
/// tables are as of the report's instant. Their keys begin with the learner's id, so that their order depends on the
/// data and not on the order of arrival.
struct ReportTable: Sendable {
    typealias Insertion = (_ values: [Value]) throws -> Void

    private enum Rows: Sendable {
        /// The same rows for every learner.
        case shared(@Sendable (TableSource, Insertion) throws -> Void)
        case learner(@Sendable (LearnerFacts, TableSource, Insertion) throws -> Void)
    }

    let name: String
    /// True if the table is too large for many learners.
    let isForOneLearner: Bool
    /// The facts that its rows are made from.
    let facts: FactSelection
    /// The names of its columns, those of the key first.
    let columns: [String]
    private let types: [String]
    private let keyCount: Int
    private let rows: Rows

    /// A table whose rows come from a learner's facts.
    init<Row>(
        _ name: String,
        _ facts: FactSelection = [],
        isForOneLearner: Bool = false,
        key: [ReportColumn<Row>],
        _ columns: [ReportColumn<Row>],
        rows: @escaping @Sendable (LearnerFacts, TableSource) -> [Row]
    ) {
        let columns = key + columns
        self.init(
            name: name,
            isForOneLearner: isForOneLearner,
            facts: facts,
            columns: columns,
            keyCount: key.count,
            rows: .learner { facts, source, insert in
                for row in rows(facts, source) { try insert(columns.values(of: row)) }
            }
        )
    }

    /// A table whose rows are the same for every learner.
    init<Row>(
        shared name: String,
        key: [ReportColumn<Row>],
        _ columns: [ReportColumn<Row>],
        rows: @escaping @Sendable (TableSource) -> [Row]
    ) {
        let columns = key + columns
        self.init(
            name: name,
            isForOneLearner: false,
            facts: [],
            columns: columns,
            keyCount: key.count,
            rows: .shared { source, insert in
                for row in rows(source) { try insert(columns.values(of: row)) }
            }
        )
    }

    private init<Row>(
        name: String,
        isForOneLearner: Bool,
        facts: FactSelection,
        columns: [ReportColumn<Row>],
        keyCount: Int,
        rows: Rows
    ) {
        (self.name, self.isForOneLearner, self.facts, self.keyCount) = (name, isForOneLearner, facts, keyCount)
        self.columns = columns.flatMap(\.names)
        types = columns.flatMap(\.types)
        self.rows = rows
    }

    var isShared: Bool { if case .shared = rows { true } else { false } }

    /// Inserts the rows of a learner; none into a shared table.
    func add(_ facts: LearnerFacts, _ source: TableSource, _ insert: Insertion) throws {
        if case .learner(let add) = rows { try add(facts, source, insert) }
    }

    /// Inserts the rows of a shared table.
    func addShared(_ source: TableSource, _ insert: Insertion) throws {
        if case .shared(let add) = rows { try add(source, insert) }
    }

    /// - Parameter isOfOne: true if the table will hold one learner alone. The learner's column is then the last of the
    ///   key: the order of rows is the same, and queries without a learner can use the key.
    func createStatement(isOfOne: Bool) -> String {
        let list = zip(columns, types).map { "\($0) \($1)" }.joined(separator: ", ")
        var key = Array(columns.prefix(keyCount))
        if isOfOne, key[0] == "learner" { key.append(key.removeFirst()) }
        return "CREATE TABLE \(name)(\(list), PRIMARY KEY(\(key.joined(separator: ", ")))) WITHOUT ROWID"
    }

    var insertStatement: String {
        // Ids that differ only in characters that SQLite cannot hold are one key; the first row is kept.
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
        reviewsByGrade, needs, forgottenWords, buckets, ruleVersions, weeks, days,
    ]

    static func named(_ name: String) -> ReportTable? { all.first { $0.name == name } }
}
