// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The layout of the tables on several servers with Citus. Learners' rows are distributed by partition, so that each
/// write concerns one server. Shared tables are on every server.
extension PostgreSQLSchema {
    static let tablesByPartition =
        [
            "buckets", "learners", "copies", "blocks", "generations", "runs", "tail", "identities", "identity_leaves",
            "notes", "group_learners", "merges", "quarantine", "quarantine_pieces", "shadow_changed",
        ] + Relation.derivedTables.map(\.name)

    static let tablesEverywhere = [
        "meta", "languages", "achievement_names", "rules", "rules_in_force", "settings", "editions", "leases", "jobs",
    ]

    /// The statements that distribute the tables. They run in the transaction that created the tables, with the schema
    /// set.
    static var distribution: [String] {
        tablesEverywhere.map { "SELECT create_reference_table('\($0)')" }
            + tablesByPartition.map { table in
                let beside = table == "buckets" ? "none" : "buckets"
                return "SELECT create_distributed_table('\(table)', 'bucket', colocate_with => '\(beside)')"
            }
    }

    /// Distributes the tables over the servers.
    /// - Throws: ``StoreError`` if the database does not have Citus.
    static func distribute(_ connection: DatabaseConnection, _ location: PostgreSQLLocation) throws {
        guard try !connection.rows(AdministrationSQL.citus.rawValue).isEmpty else {
            throw StoreError(
                .misuse,
                "\(location.name) has not the extension citus, by which tables are distributed; have an administrator install"
                    + " it on every server (shared_preload_libraries = 'citus'), run CREATE EXTENSION citus in this"
                    + " database, and add the servers by citus_add_node"
            )
        }
        for statement in distribution { _ = try connection.rows(statement) }
        try connection.send("INSERT INTO meta VALUES ('distributed', 1)")
    }
}
