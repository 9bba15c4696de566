// SPDX-License-Identifier: Apache-2.0

/// Brings a store of format 7 to the present one, which says for each track when the learner last practised, and has views that
/// DuckDB can run. A program that knows format 7 alone would leave the latest practice as it was.
enum Migration {
    static func run(_ connection: Connection) throws {
        guard try connection.number("PRAGMA user_version") != Schema.version else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try connection.execute(lastPractice)
            try connection.execute("PRAGMA user_version = \(Schema.version)")
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private static let lastPractice = """
        ALTER TABLE progress_rows ADD COLUMN last_practice_ms INTEGER;
        DROP VIEW progress;
        DROP VIEW daily;
        DROP VIEW achievements;
        \(Schema.views)
        """
}
