// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// SQLite files that try to stop an ingest, or to fill its memory.
@Suite struct StrangersFileTests {
    private static let mapping = """
        version: 1
        name: cards
        summary: Cards.
        reads: sqlite
        recognise: [card]
        events:
          - what: cards
            type: word.added
            sql: SELECT id, 'ana' AS subject, '2026-02-05T18:00:00Z' AS time, 'es' AS language, word FROM card
        """

    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let schema: String
        let message: String
    }

    private static let rows = [
        Row(
            testDescription: "a view that never ends",
            schema: """
                CREATE TABLE card(id, word);
                ALTER TABLE card RENAME TO hidden;
                CREATE VIEW card AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, id AS word FROM n;
                """,
            message: "it has no table card"
        ),
        Row(
            testDescription: "a generated column of 200 MB",
            schema: """
                CREATE TABLE card(id, word AS (printf('%.*c', 200000000, 'a')));
                INSERT INTO card(id) VALUES (1);
                """,
            message: "cards, row 1: "
        ),
        Row(
            testDescription: "a large value",
            schema: "CREATE TABLE card(id, word); INSERT INTO card VALUES (1, zeroblob(8000000));",
            message: "more than 1 MiB"
        ),
        Row(
            testDescription: "a column that takes long",
            schema: """
                CREATE TABLE card(id, word AS (instr(printf('%.*c', 900000, 'a'), printf('%.*c', 400000, 'a') || 'b')));
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO card(id) SELECT i FROM n;
                """,
            message: "takes SQLite more than 1 seconds; `--file-seconds` allows more"
        ),
    ]

    @Test(arguments: rows) private func `a hostile file is refused in time`(row: Row) throws {
        let laurel = try Laurel()
        try laurel.write(Self.mapping, to: "cards.yaml")
        try laurel.write(row.schema, to: "schema.sql")
        let made = try laurel.shell("sqlite3 cards.db < schema.sql")
        try #require(made.status == 0, "\(made)")
        let start = ContinuousClock.now
        let outcome = try laurel.run("ingest", "--mapping", "cards.yaml", "--file-seconds", "1", "cards.db")
        #expect(outcome.status != 0 && outcome.messages.joined().contains(row.message), "\(outcome)")
        // Minutes instead of hours: a single instruction over a long text cannot be interrupted.
        #expect(start.duration(to: .now) < .seconds(180))
    }

    @Test func `triggers and views beside the tables do no harm`() throws {
        let laurel = try Laurel()
        try laurel.write(Self.mapping, to: "cards.yaml")
        let schema = """
            CREATE TABLE card(id TEXT, word TEXT);
            INSERT INTO card VALUES ('1', 'casa');
            CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
            CREATE TRIGGER t AFTER INSERT ON card BEGIN DELETE FROM card; END;
            """
        try laurel.write(schema, to: "schema.sql")
        try #require(try laurel.shell("sqlite3 cards.db < schema.sql").status == 0)
        let outcome = try laurel.run("ingest", "--mapping", "cards.yaml", "--json", "cards.db")
        #expect(outcome.status == 0 && outcome.output.contains(#""stored":1"#), "\(outcome)")
    }
}
