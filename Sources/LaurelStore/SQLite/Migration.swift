// SPDX-License-Identifier: Apache-2.0

/// Converts a store of an older format to the current format. It adds columns and tables, and replaces the views.
/// The new columns of existing rows have no values yet, so progress is computed again.
enum Migration {
    static func run(_ connection: Connection) throws {
        let version = try connection.number("PRAGMA user_version") ?? 0
        guard version != Schema.version else { return }
        try connection.inTransaction {
            let addition = Int(version - Schema.oldestVersion)
            for change in Relation.addColumns(after: addition, type: \.sqliteType) { try connection.execute(change) }
            try connection.execute("DROP VIEW IF EXISTS learner_profiles; DROP VIEW progress; DROP VIEW daily")
            try connection.execute("DROP VIEW achievements")
            if version == 7 {
                try connection.execute(
                    "ALTER TABLE learners DROP COLUMN learner_id; \(Schema.addedTables);"
                        + " ALTER TABLE learners ADD COLUMN leaderboard INTEGER"
                )
            }
            try connection.execute(Schema.views)
            try connection.execute("UPDATE meta SET value = 0 WHERE name = 'fold'")
            try connection.execute("PRAGMA user_version = \(Schema.version)")
        }
    }
}
