// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelStore

/// A schema of a PostgreSQL database with tables. The table `laurel_tables` contains the ``TableMark``.
///
/// A review takes 266 bytes here, because each row of PostgreSQL has a header of 24 bytes, and texts are not packed.
/// The tables have an index by learner, but no keys. A key of PostgreSQL must be short, but ids may be long.
final class TableSchema: TableTarget {
    /// The columns of all tables. If another version of Laurel made the tables with other columns, they are recreated.
    private static let format = DetailTable.all.map { "\($0.name) \($0.columns) \($0.types)" }.joined(separator: "\n")

    private let schema: PlainSchema
    /// True if the schema already contains tables of Laurel.
    private var isMade: Bool

    /// - Throws: `EngineError` if the schema has other content.
    init(_ address: String) throws {
        schema = try PlainSchema(address)
        let found = try schema.texts(
            """
            SELECT to_regnamespace('\(schema.name)')::text, to_regclass('\(schema.name).laurel_tables')::text
            """
        )[0]
        isMade = !found[1].isEmpty
        guard isMade || found[0].isEmpty else {
            let message = "\(schema.location): the schema \(schema.name) is another program's; name another schema"
            throw EngineError(.invalidRequest, message)
        }
    }

    func transaction(_ body: () throws -> Void) throws {
        try schema.transaction {
            // If two updates run at the same time, the second waits, so that no row is written twice.
            if isMade { try schema.run("LOCK TABLE laurel_tables IN EXCLUSIVE MODE") }
            try body()
        }
    }

    /// Creates the tables that do not exist, and empties the others. Tables of this version of Laurel are not dropped,
    /// so other programs can read the old rows until the transaction ends.
    func makeTables(_ names: [String]) throws {
        try schema.run("CREATE SCHEMA IF NOT EXISTS \(schema.name)")
        try schema.run("CREATE TABLE IF NOT EXISTS laurel_tables(name text PRIMARY KEY, value text NOT NULL)")
        let isCurrent = try mark() != nil
        for table in DetailTable.named(names) {
            if !isCurrent { try schema.run("DROP TABLE IF EXISTS \(table.name)") }
            let columns = zip(table.columns, table.types).map { "\($0) \(Self.type($1))" }.joined(separator: ", ")
            try schema.run("CREATE TABLE IF NOT EXISTS \(table.name)(\(columns))")
            try schema.run("CREATE INDEX IF NOT EXISTS \(table.name)_learner ON \(table.name) USING hash(learner)")
            try schema.run("DELETE FROM \(table.name)")
        }
        isMade = true
    }

    private static func type(_ type: String) -> String {
        switch type {
        case "INTEGER": "bigint"
        case "REAL": "double precision"
        default: "text COLLATE \"C\""
        }
    }

    // MARK: Rows

    func add(_ facts: LearnerFacts, to tables: [ReportTable], _ source: TableSource) throws {
        for table in tables {
            let places = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            let sql = "INSERT INTO \(table.name) VALUES (\(places))"
            try table.add(facts, source) { try schema.run(sql, zip($0, table.types).map(Self.plain)) }
        }
    }

    /// Converts a value to the type of its column.
    private static func plain(_ value: Value, _ type: String) -> PlainValue {
        switch (type, value) {
        case ("INTEGER", .integer(let number)): .integer(number)
        case ("INTEGER", .real(let number)): .integer(Int64(exactly: number.rounded()))
        case ("INTEGER", _): .integer(nil)
        case ("REAL", .integer(let number)): .real(Double(number))
        case ("REAL", .real(let number)): .real(number)
        case ("REAL", _): .real(nil)
        case (_, .text(let text)): .text(text)
        case (_, .integer(let number)): .text(Array("\(number)".utf8))
        case (_, .real(let number)): .text(Array("\(number)".utf8))
        default: .text(nil)
        }
    }

    func delete(_ learner: String, from table: ReportTable) throws {
        try schema.run("DELETE FROM \(table.name) WHERE learner = $1", [.text(Array(learner.utf8))])
    }

    func rows(of table: String) throws -> Int {
        Int(try schema.texts("SELECT count(*)::text FROM \(schema.name).\(table)")[0][0]) ?? 0
    }

    // MARK: The mark

    func mark() throws -> TableMark? {
        guard isMade else { return nil }
        let rows = try schema.texts("SELECT name, value FROM \(schema.name).laurel_tables")
        let values = Dictionary(rows.map { ($0[0], $0[1]) }) { $1 }
        return values["format"] == Self.format ? TableMark(values) : nil
    }

    func setMark(_ mark: TableMark) throws {
        for (name, value) in mark.values + [("format", Self.format)] {
            let values = [name, value].map { PlainValue.text(Array($0.utf8)) }
            let change = "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            try schema.run("INSERT INTO laurel_tables VALUES ($1, $2) \(change)", values)
        }
    }
}
