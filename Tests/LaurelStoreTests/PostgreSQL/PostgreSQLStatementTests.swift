// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelPostgreSQL
import Testing

@testable import LaurelStore

/// The statements that are ever sent to a server are in lists.
@Suite struct PostgreSQLStatementTests {
    private static let all = PostgreSQLReachTests.all
    private static let templates =
        PostgreSQLSchema.statements(partitions: 1) + PostgreSQLSchema.addEdition(7)
        + PostgreSQLSchema.copyListed(from: 7, to: 1) + [
            PostgreSQLSchema.dropEdition(7), PostgreSQLSchema.vacuum("s"), PostgreSQLSchema.sumOfVersions("s"),
        ]

    /// Keywords and features that came after PostgreSQL 13.
    @Test(arguments: [
        "MERGE INTO", "NULLS NOT DISTINCT", "security_invoker", "DETACH PARTITION .* CONCURRENTLY", "JSON_TABLE",
        "JSON_OBJECT",
        "IS JSON", "date_bin", "bit_count", "string_to_table", "trim_array", "range_agg", "multirange", "SEARCH DEPTH",
        "SEARCH BREADTH", "\\bCYCLE\\b", "COMPRESSION (lz4|pglz)", "unistr", "regexp_(count|like|instr|substr)",
        "any_value",
        "array_shuffle", "random_normal", "WITHOUT OVERLAPS", "RETURNING (old|new)\\.", "uuidv7", "VIRTUAL",
        "PROCESS_TOAST",
        "BUFFER_USAGE_LIMIT", "pg_stat_io", "OR REPLACE TRIGGER", "AS NOT MATERIALIZED DISTINCT", "GROUP BY DISTINCT",
    ])
    func `nothing is newer than PostgreSQL 13`(word: String) throws {
        let expression = try NSRegularExpression(pattern: word, options: .caseInsensitive)
        for sql in Self.all.map(\.sql) + Self.templates {
            let range = NSRange(sql.startIndex..., in: sql)
            #expect(expression.firstMatch(in: sql, range: range) == nil, "\(sql)")
        }
    }

    /// Statements must leave nothing in a session that a pooler shares.
    @Test(arguments: [
        "^SET (?!LOCAL|TRANSACTION)", "pg_advisory_lock", "pg_try_advisory_lock", "\\bPREPARE\\b", "\\bLISTEN\\b",
        "WITH HOLD", "TEMP(ORARY)? TABLE", "set_config\\([^)]*false",
    ])
    func `nothing is left in a session`(word: String) throws {
        let expression = try NSRegularExpression(pattern: word, options: .caseInsensitive)
        for sql in Self.all.map(\.sql) + Self.templates {
            let range = NSRange(sql.startIndex..., in: sql)
            #expect(expression.firstMatch(in: sql, range: range) == nil, "\(sql)")
        }
    }

    /// On several servers a key can only be unique if its rows are on one server, and no count may span servers.
    @Test(.enabled(if: DatabaseServer.shared != nil)) func `the tables can be distributed by partition`() throws {
        let test = try Backend.postgresql.make()
        let database = try Database(try #require(test.location))
        let tables = try database.connection.rows(
            """
            SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
                AND NOT relispartition ORDER BY 1
            """
        ).map { $0.string(0) }
        #expect(tables == (PostgreSQLSchema.tablesByPartition + PostgreSQLSchema.tablesEverywhere).sorted())
        let (byPartition, everywhere) = (PostgreSQLSchema.tablesByPartition, PostgreSQLSchema.tablesEverywhere)
        let lists = [byPartition, everywhere].map { $0.map { "'\($0)'" }.joined(separator: ",") }
        let problems = try database.connection.rows(
            """
            SELECT format('%s: a unique key without the bucket', indexrelid::regclass) FROM pg_index i
            WHERE indisunique AND indrelid IN (SELECT oid FROM pg_class WHERE relname IN (\(lists[0]))
                    AND relnamespace = current_schema()::regnamespace)
                AND NOT EXISTS (SELECT 1 FROM pg_attribute
                    WHERE attrelid = indrelid AND attname = 'bucket' AND attnum = ANY(indkey))
            UNION ALL
            SELECT format('%s.%s: counted across servers', attrelid::regclass, attname) FROM pg_attribute
            WHERE (attidentity <> '' OR atthasdef AND attgenerated = ''
                    AND EXISTS (SELECT 1 FROM pg_attrdef d WHERE d.adrelid = attrelid AND d.adnum = attnum
                        AND pg_get_expr(adbin, adrelid) LIKE 'nextval%'))
                AND attrelid IN (SELECT oid FROM pg_class WHERE relname IN (\(lists[0]))
                    AND relnamespace = current_schema()::regnamespace)
            UNION ALL
            SELECT format('%s: a foreign key', conrelid::regclass) FROM pg_constraint
            WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
            UNION ALL
            SELECT format('%s: a trigger', tgrelid::regclass) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND NOT tgisinternal
            """
        ).map { $0.string(0) }
        #expect(problems == [])
        #expect(PostgreSQLSchema.distribution.count == tables.count)
    }

    @Test(.enabled(if: DatabaseServer.shared != nil && !DatabaseServer.isDistributed))
    func `without Citus nothing is made, and it is said what is missing`() throws {
        let location = try #require(DatabaseServer.shared).newLocation()
        let error = storeError { try PostgreSQLStore.create(location, isDistributed: true) }
        #expect(error?.code == .misuse && error?.message.contains("CREATE EXTENSION citus") == true)
        #expect(try PostgreSQLStore.status(location).format == nil)
    }

    /// A server parses all of them. The contract tests check their effects.
    @Test(.enabled(if: DatabaseServer.shared != nil)) func `a server understands each`() throws {
        let test = try Backend.postgresql.make()
        let database = try Database(try #require(test.location))
        for (name, sql) in Self.all
        where ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: sql.hasPrefix) {
            #expect(throws: Never.self, "\(name)") { try database.execute("PREPARE p AS \(sql)") }
            try database.execute("DEALLOCATE p")
        }
    }
}
