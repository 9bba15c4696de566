// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Brings the tables of older formats to the present one. Each format has a number of its own because an older program would
/// damage or misread them.
///
/// - Format 2 has `jobs`. An older program would leave there what names an erased learner.
/// - Format 3 says for each track when the learner last practised. An older program would leave that as it was. It has a view
///   `learner_profiles`, and JSON in the view `progress`.
extension PostgreSQLSchema {
    /// In a transaction with the schema set.
    static func migrate(_ connection: DatabaseConnection) throws {
        let found = try connection.rows(TransactionSQL.readStore.rawValue)[0].integer(0)
        guard found < format else { return }
        if found < 2 { try add(table: "jobs", jobs, connection) }
        if found < 3 { try addLastPractice(connection) }
        _ = try connection.rows(MigrationSQL.noteFormat.rawValue, [.integer(format)])
    }

    /// One that is everybody's, with the same rights as the others.
    private static func add(table: String, _ statements: String, _ connection: DatabaseConnection) throws {
        for statement in split(statements) { try connection.send(statement) }
        if try connection.rows(MigrationSQL.hasCitus.rawValue)[0].truth(0),
            try connection.rows(MigrationSQL.isDistributed.rawValue)[0].truth(0)
        {
            _ = try connection.rows(distribute(everywhere: table))
        }
        for (role, rights) in try grants(on: "settings", connection) {
            try connection.send("GRANT \(rights) ON \(table) TO \(role)")
        }
    }

    /// Whoever reads the view of progress reads the new one, and that of profiles.
    private static func addLastPractice(_ connection: DatabaseConnection) throws {
        let readers = try grants(on: "progress", connection)
        try connection.send("ALTER TABLE progress_rows ADD COLUMN last_practice_ms bigint")
        try connection.send("DROP VIEW progress")
        for name in ["learner_profiles", "progress"] {
            let view = views.first { $0.hasPrefix("CREATE VIEW \(name) ") }!
            try connection.send(view)
            for (role, rights) in readers { try connection.send("GRANT \(rights) ON \(name) TO \(role)") }
        }
    }

    /// The roles beside the owner, with their rights.
    private static func grants(
        on relation: String,
        _ connection: DatabaseConnection
    ) throws -> [(role: String, rights: String)] {
        try connection.rows(MigrationSQL.grants.rawValue, [.text(relation)]).map { ($0.string(0), $0.string(1)) }
    }
}

/// What is asked of a server for it.
enum MigrationSQL: String {
    case noteFormat = "UPDATE meta SET value = $1 WHERE name = 'format'"
    case hasCitus = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
    case isDistributed = "SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'buckets'::regclass)"
    case grants = """
        SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, string_agg(a.privilege_type, ', ')
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = $1::text::regclass AND a.grantee <> c.relowner GROUP BY a.grantee
        """
}
