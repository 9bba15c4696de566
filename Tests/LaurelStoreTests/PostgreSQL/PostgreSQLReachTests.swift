// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import LaurelPostgreSQL
import Testing

@testable import LaurelStore

/// In a Citus cluster, a statement on one partition is sent to one server. All others are sent to every server.
@Suite struct PostgreSQLReachTests {
    static let all = SQLStatements.lists.flatMap { rows($0) }

    private static func rows<List: SQLStatement>(_ list: List.Type) -> [(name: String, sql: String)] {
        list.allCases.map { ("\(list).\($0)", $0.rawValue) }
    }

    @Test(arguments: [
        ("SELECT value FROM meta WHERE name = $1", StatementReach.sharedTables),
        ("SELECT 1 FROM tail WHERE bucket = $1", .onePartition),
        ("SELECT 1 FROM tail WHERE bucket BETWEEN $1 AND $2", .severalPartitions),
        ("SELECT (SELECT 1 FROM tail WHERE bucket = $1), (SELECT 1 FROM runs)", .severalPartitions),
        ("SELECT 1 FROM runs r, unnest($1) q WHERE r.bucket = q.bucket", .severalPartitions),
        ("SELECT 1 FROM runs r JOIN tail t ON t.bucket = r.bucket WHERE r.bucket = $1", .onePartition),
        ("INSERT INTO runs(bucket, learner) VALUES ($1, $2)", .onePartition),
        ("INSERT INTO runs(bucket, learner) SELECT q.bucket, q.learner FROM unnest($1) q", .severalPartitions),
        ("DELETE FROM runs r USING unnest($2) q WHERE r.bucket = $1 AND r.learner = q.learner", .onePartition),
    ])
    func `the text says which partitions a statement touches`(sql: String, reach: StatementReach) {
        #expect(StatementReach(sql) == reach)
    }

    @Test func `a statement on rows of one partition touches only this partition`() {
        for statement in RowStatement.all {
            #expect(StatementReach(statement.one) == .onePartition, "\(statement.one)")
            #expect(StatementReach(statement.ofPartition) == .onePartition, "\(statement.ofPartition)")
        }
    }

    /// A connection prepares the statements that it sends repeatedly. So the prepared statements are those that each
    /// write sends.
    @Test(.enabled(if: DatabaseServer.shared != nil)) func `what each write sends touches one partition`() throws {
        let test = try Backend.postgresql.make()
        for id in 1...5 {
            for subject in ["ana", "bo"] { try test.append([TestEvent(subject: subject, id: "\(id)")]) }
        }
        let store = try #require(test.store as? PostgreSQLStore)
        let sent = try store.slots.withOne { slot in
            try slot.withConnection { connection in
                try connection.rows("SELECT statement FROM pg_prepared_statements").map { $0.string(0) }
            }
        }
        #expect(sent.count > 5)
        for sql in sent { #expect(StatementReach(sql) != .severalPartitions, "\(sql)") }
    }

    /// The server plans each statement. A statement on one partition must be a single task of a single server.
    @Test(.enabled(if: DatabaseServer.isDistributed, "the server has no Citus"))
    func `Citus accepts each statement, and plans it for the partitions that its text says`() throws {
        let test = try Backend.postgresql.make()
        defer { withExtendedLifetime(test) {} }
        let database = try Database(try #require(test.location))
        for (name, sql) in Self.all + PostgreSQLSchema.copyListed(from: 7, to: 1).map({ ("copyListed", $0) })
        where ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: sql.hasPrefix) {
            let reach = StatementReach(sql)
            // On such a server, rows of several partitions are always separated.
            if reach == .severalPartitions, Self.ofAny.contains(sql) { continue }
            let plan = try plan(sql, database)
            #expect(plan != nil, "\(name)")
            if reach == .onePartition { #expect(plan?.contains("Task Count: 1") == true, "\(name): \(plan ?? "")") }
        }
    }

    private static let ofAny = Set(RowStatement.all.map(\.ofAny))

    /// The server's plan for a statement; nil if the server refuses the statement.
    private func plan(_ sql: String, _ database: Database) throws -> String? {
        try database.execute("PREPARE p AS \(sql)")
        defer { try? database.execute("DEALLOCATE p") }
        let types = try database.text(
            "SELECT array_to_string(parameter_types, ';') FROM pg_prepared_statements WHERE name = 'p'"
        )
        let values = types.split(separator: ";").map { type in
            type.hasSuffix("[]") ? "'{1}'" : type == "boolean" ? "true" : "'1'"
        }
        let call = "EXECUTE p" + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
        try database.execute("BEGIN")
        defer { try? database.execute("ROLLBACK") }
        if let plan = try? database.connection.rows("EXPLAIN (COSTS OFF) \(call)").map({ $0.string(0) }) {
            return plan.joined(separator: "\n")
        }
        // Citus runs some statements that it cannot explain.
        try database.execute("ROLLBACK")
        try database.execute("BEGIN")
        return (try? database.execute(call)).map { "" }
    }
}
