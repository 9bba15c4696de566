// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Brings the tables of format 2 to the present one. Format 3 says for each track when the learner last practised, and has
/// a view `learner_profiles`, and JSON in the view `progress`. An older program would not update the latest practice.
extension PostgreSQLSchema {
    /// In a transaction with the schema set.
    static func migrate(_ connection: DatabaseConnection) throws {
        guard try connection.rows(TransactionSQL.readStore.rawValue)[0].integer(0) != format else { return }
        try addLastPractice(connection)
        _ = try connection.rows(MigrationSQL.noteFormat.rawValue, [.integer(format)])
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
    case grants = """
        SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, string_agg(a.privilege_type, ', ')
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = $1::text::regclass AND a.grantee <> c.relowner GROUP BY a.grantee
        """
}
