// SPDX-License-Identifier: Apache-2.0

/// Brings a store of format 7 to the present one. Format 8 says for each track when the learner last practised. An older
/// program would not update that. Its views are such that DuckDB can run them, and call the learner's id `learner`.
enum Migration {
    static func run(_ connection: Connection) throws {
        guard try connection.number("PRAGMA user_version") != Schema.version else { return }
        try connection.inTransaction {
            try connection.execute(changes)
            try connection.execute("PRAGMA user_version = \(Schema.version)")
        }
    }

    private static let changes = """
        ALTER TABLE progress_rows ADD COLUMN last_practice_ms INTEGER;
        DROP VIEW progress;
        DROP VIEW daily;
        DROP VIEW achievements;
        ALTER TABLE learners DROP COLUMN learner_id;
        \(Schema.views)
        """
}
