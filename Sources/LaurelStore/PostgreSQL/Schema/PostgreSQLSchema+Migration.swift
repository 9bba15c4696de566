// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Converts the tables of an older format to the current format. It adds columns and tables, and replaces the views.
/// The new columns of existing rows have no values yet, so progress is computed again.
extension PostgreSQLSchema {
    /// Converts the tables. Call it in a transaction with the schema set.
    static func migrate(_ connection: DatabaseConnection) throws {
        let old = try connection.rows(TransactionSQL.readStore.rawValue)[0].integer(0)
        guard old != format else { return }
        let changes = Relation.addColumns(after: Int(old - oldestFormat), type: \.postgresqlType)
        for change in changes { try connection.send(change) }
        try addTablesAndFlag(connection)
        try replaceViews(connection)
        try connection.send("UPDATE meta SET value = 0 WHERE name = 'fold'")
        _ = try connection.rows(MigrationSQL.noteFormat.rawValue, [.integer(format)])
    }

    /// Adds the tables that are new, and the flag that leaves a learner out of leaderboards. Each role gets the
    /// rights on the new tables that the role has on the table of kept copies.
    private static func addTablesAndFlag(_ connection: DatabaseConnection) throws {
        for statement in split(addedTables) { try connection.send(statement) }
        try connection.send("ALTER TABLE learners ADD COLUMN leaderboard bigint")
        for (role, rights) in try grants(on: "copies", connection) {
            try connection.send("GRANT \(rights) ON notes, merges, group_learners TO \(role)")
        }
    }

    /// Replaces the views. A role that can read the view of progress gets the right to read all new views.
    private static func replaceViews(_ connection: DatabaseConnection) throws {
        let readers = try grants(on: "progress", connection)
        try connection.send("DROP VIEW IF EXISTS \(DatabaseRoles.views.joined(separator: ", "))")
        for view in views { try connection.send(view) }
        let names = DatabaseRoles.views.joined(separator: ", ")
        for (role, rights) in readers { try connection.send("GRANT \(rights) ON \(names) TO \(role)") }
    }

    /// The roles other than the owner, with their rights.
    private static func grants(
        on relation: String,
        _ connection: DatabaseConnection
    ) throws -> [(role: String, rights: String)] {
        try connection.rows(MigrationSQL.grants.rawValue, [.text(relation)]).map { ($0.string(0), $0.string(1)) }
    }
}

/// The statements of a migration.
enum MigrationSQL: String {
    case noteFormat = "UPDATE meta SET value = $1 WHERE name = 'format'"
    case grants = """
        SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, string_agg(a.privilege_type, ', ')
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = $1::text::regclass AND a.grantee <> c.relowner GROUP BY a.grantee
        """
}
