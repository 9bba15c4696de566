// SPDX-License-Identifier: Apache-2.0

/// Statements on a relation in SQLite, and their parts.
extension Relation {
    /// The statement that creates the table.
    /// - Parameter prefix: the prefix of the table's name.
    func createInSQLite(_ prefix: String) -> String {
        let columns = columns.list { "\($0.name) \($0.sqliteType)\($0.isOptional ? "" : " NOT NULL")" }
        return "CREATE TABLE \(prefix)\(name)(\(columns), PRIMARY KEY(\(key.names()))) WITHOUT ROWID"
    }

    /// A query for the rows of a table in the current or an older format. Columns that the table lacks get a default
    /// value.
    /// - Parameter addition: the last addition of columns that the table has.
    func rowsInSQLite(of addition: Int) -> String {
        guard addition < Relation.additions else { return name }
        let added = fields(after: addition).map { ", \($0.valueOfOlderRows) AS \($0.name)" }.joined()
        return "(SELECT *\(added) FROM \(name))"
    }

    /// A query for the rows of a learner, in the order of the key.
    func ofLearnerInSQLite(_ prefix: String) -> String {
        let order = Array(key.dropFirst()).names()
        return "SELECT \(names()) FROM \(prefix)\(name) WHERE learner = ? ORDER BY \(order)"
    }
}

extension Column {
    var sqliteType: String {
        switch type {
        case .integer, .instant, .day, .flag: "INTEGER"
        case .real: "REAL"
        case .text, .numbers: "TEXT"
        case .bytes: "BLOB"
        }
    }

    /// The expression that a view selects for the column.
    func shownInSQLite(_ prefix: String) -> String {
        switch type {
        case .instant: "\(Schema.instant(prefix + name)) AS \(shownAs)"
        case .day: "\(Schema.date(prefix + name)) AS \(shownAs)"
        default: prefix + name
        }
    }

    /// The SQL expression that sums the column's values of a day over the languages.
    var sumInSQLite: String {
        switch type {
        case .real: "sum(\(name))"
        case .flag: "max(\(name))"
        default: "CAST(sum(\(name)) AS BIGINT)"
        }
    }
}
