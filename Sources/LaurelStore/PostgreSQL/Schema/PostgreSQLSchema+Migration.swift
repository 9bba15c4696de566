// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Brings the tables of older formats to the present one. Each format has a number of its own because an older program would
/// damage or misread them.
///
/// - Format 2 has `jobs`. An older program would leave there what names an erased learner.
extension PostgreSQLSchema {
    /// In a transaction with the schema set.
    static func migrate(_ connection: DatabaseConnection) throws {
        let found = try connection.rows(TransactionSQL.readStore.rawValue)[0].integer(0)
        guard found < format else { return }
        if found < 2 { try add(table: "jobs", jobs, connection) }
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
        for row in try connection.rows(MigrationSQL.grants.rawValue) {
            try connection.send("GRANT \(row.string(1)) ON \(table) TO \(row.string(0))")
        }
    }
}

/// What is asked of a server for it.
enum MigrationSQL: String {
    case noteFormat = "UPDATE meta SET value = $1 WHERE name = 'format'"
    case hasCitus = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
    case isDistributed = "SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'buckets'::regclass)"
    /// Who was let in beside the owner: roles with their rights.
    case grants = """
        SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, string_agg(a.privilege_type, ', ')
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = 'settings'::regclass AND a.grantee <> c.relowner GROUP BY a.grantee
        """
}
