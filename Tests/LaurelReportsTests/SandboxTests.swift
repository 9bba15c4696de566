// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelStore
import Testing

@testable import LaurelReports

/// Queries that try to escape a report's tables, its time limit, or its memory limit.
@Suite struct SandboxTests {
    @Test func `a query reads and does nothing else`() throws {
        let database = try ReportDatabase()
        let file = FileManager.default.temporaryDirectory.appending(path: "laurel-sandbox-\(UUID())").path
        let rows: [(name: String, sql: String)] = [
            ("a copy of the tables in a file", "VACUUM INTO '\(file)'"), ("vacuum", "VACUUM"),
            ("another database", "ATTACH '\(file)' AS other"), ("a pragma", "PRAGMA user_version"),
            ("a table", "CREATE TABLE t(x)"), ("a row", "INSERT INTO daily DEFAULT VALUES"),
            ("a deletion", "DELETE FROM daily"),
            ("a transaction", "BEGIN"), ("a savepoint", "SAVEPOINT s"), ("reindexing", "REINDEX"),
            ("analysing", "ANALYZE"),
            ("a second statement", "SELECT 1; VACUUM INTO '\(file)'"), ("the schema", "SELECT * FROM sqlite_schema"),
            ("an extension", "SELECT load_extension('x')"),
        ]
        for row in rows {
            #expect(throws: QueryError.self, "\(row.name)") {
                let query = try database.prepare(row.sql)
                try database.run(query, QueryValues.sample) { _ in }
            }
            #expect(!FileManager.default.fileExists(atPath: file), "\(row.name)")
        }
    }

    private static let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    private static let long = "printf('%.*c', 199000, 'a')"

    /// The worst of each kind: one long instruction of SQLite, or very many.
    @Test(arguments: [
        ("instr", "SELECT max(instr(\(long), substr(\(long), 1, 99000) || 'b')) AS a FROM n"),
        ("replace", "SELECT max(length(replace(\(long), substr(\(long), 1, 99000) || 'b', ''))) AS a FROM n"),
        (
            "like",
            "SELECT max(\(long) LIKE printf('%.*c', 400, '%') || 'b') AS a FROM n"
        ),
        ("glob", "SELECT max(\(long) GLOB replace(printf('%.*c', 200, 'a'), 'a', '*a') || 'b') AS a FROM n"),
        ("printf", "SELECT max(length(printf('%199000d', i))) AS a FROM n"),
        ("hex", "SELECT max(hex(zeroblob(90000))) AS a FROM n"),
        ("counting", "SELECT count(*) AS a FROM n"), ("a cross join", "SELECT count(*) AS a FROM n, n AS m"),
        ("json", "SELECT count(*) AS a FROM n, json_each('[' || printf('%.*c', 9000, ',') || ']')"),
    ])
    func `a query ends by its deadline`(name: String, sql: String) throws {
        let database = try ReportDatabase(timeLimit: 0.5)
        let start = ContinuousClock.now
        #expect(throws: QueryError.self) {
            try database.run(database.prepare("\(Self.many) \(sql)"), QueryValues.sample) { _ in }
        }
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test(arguments: [
        ("one value", "SELECT hex(zeroblob(1 << 24)) AS a"),
        ("joined texts", "SELECT group_concat(\(long)) AS a FROM n WHERE i < 1000"),
        ("a sorted table", "SELECT i, \(long) || i AS a FROM n ORDER BY a"),
        ("a distinct table", "SELECT count(*) AS c FROM (SELECT DISTINCT \(long) || i AS a FROM n)"),
        ("many rows", "SELECT i, \(long) AS a FROM n LIMIT 9000"),
    ])
    func `a query keeps within its memory`(name: String, sql: String) throws {
        let database = try ReportDatabase(timeLimit: 30)
        let before = Self.memory
        #expect(throws: QueryError.self) {
            try database.run(database.prepare("\(Self.many) \(sql)"), QueryValues.sample) { _ in }
        }
        #expect(Self.memory - before < 1500, "MiB")
    }

    /// The largest memory of the process so far, in MiB.
    private static var memory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) / 1024
    }

    @Test(arguments: [
        ("SELECT count(*) AS n FROM days WHERE weekday = 1", "days", ["day", "weekday"]),
        ("SELECT d.day FROM days d JOIN weeks w USING (week)", "days", ["day", "week"]),
        ("SELECT d.day FROM days d JOIN weeks w USING (\"WEEK\")", "days", ["day", "week"]),
        ("SELECT count(*) AS n FROM days JOIN weeks USING (week)", "weeks", ["week"]),
        ("SELECT day FROM days NATURAL JOIN weeks", "days", ["day", "week", "weekday"]),
        ("SELECT * FROM weeks", "weeks", ["week", "name", "last_day"]),
        ("SELECT day FROM daily WHERE xp > 1", "daily", ReportTable.daily.columns.dropLast()),
    ])
    func `a report's table has only the columns that are read`(sql: String, table: String, columns: [String]) throws {
        let query = try ReportDatabase().prepare(sql)
        let found = try #require(ReportTable.named(table))
        #expect(found.selecting(query.reads[found] ?? []).columns == columns)
    }

    @Test func `a report collects only the facts of the columns that are read`() throws {
        let tier = try ReportDatabase().prepare("SELECT tier FROM achievements").reads
        #expect(ReportTable.achievements.selecting(tier[.achievements] ?? []).facts.isEmpty)
        let day = try ReportDatabase().prepare("SELECT unlocked_day FROM achievements").reads
        #expect(ReportTable.achievements.selecting(day[.achievements] ?? []).facts == .unlockedDays)
    }

    @Test func `a query that was prepared leaves nothing behind`() throws {
        let database = try ReportDatabase()
        for _ in 0..<200 { _ = try database.prepare("SELECT * FROM daily") }
        #expect(database.openStatements == ReportTable.all.count)
    }
}
