// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// The tables of a store. The key of every table of events or progress begins with the partition.
///
/// PostgreSQL's texts cannot contain U+0000. ``StoredText`` replaces it with other characters.
enum PostgreSQLSchema {
    /// The oldest format that `laurel store migrate` converts to ``format``.
    static let oldestFormat: Int64 = 2
    /// The format of the tables. It rises with each change after which an older program could misread or damage the
    /// tables, such as an added column.
    static let format = oldestFormat + Int64(Relation.additions)
    /// The formats that this program can read: ``format``, and the formats that `laurel store migrate` converts to it.
    static let readableFormats = oldestFormat...format
    static let oldestServer = 130_000

    /// The statements that create a store with a number of partitions.
    static func statements(partitions: Int) -> [String] {
        [meta, learners, events, identities, names, states, quarantine, rules, shadows, jobs].flatMap(split)
            + Relation.projected.map(\.createInPostgreSQL) + [
                """
                INSERT INTO meta VALUES ('format', \(format)), ('buckets', \(partitions)), ('fold', 0),
                    ('server', (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint), ('commits', 0)
                """,
                "INSERT INTO editions VALUES (1, 0)",
                """
                INSERT INTO buckets(bucket, last_learner, last_block, generation, last_quarantine)
                SELECT b, b << 32, b << 32, b << 32, b << 32 FROM generate_series(0::bigint, \(partitions - 1)) b
                """,
            ] + addEdition(1) + views.flatMap(split)
    }

    /// The statements that create an edition: a partition of every derived table. Each partition is created as a
    /// separate table and then attached, so that no reader must wait.
    static func addEdition(_ edition: Int64) -> [String] {
        Relation.derivedTables.map(\.name).flatMap { table in
            [
                """
                CREATE TABLE \(table)_\(edition)(LIKE \(table) INCLUDING ALL)
                WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)
                """,
                "ALTER TABLE \(table) ATTACH PARTITION \(table)_\(edition) FOR VALUES IN (\(edition))",
            ]
        }
    }

    /// The statement that drops an edition. Its tables are in the order in which readers lock them, so that no deadlock
    /// occurs.
    static func dropEdition(_ edition: Int64) -> String {
        "DROP TABLE IF EXISTS " + Relation.derivedTables.map { "\($0.name)_\(edition)" }.joined(separator: ", ")
    }

    /// The statement that vacuums the tables that an erasure has deleted from. It runs outside of a transaction, where
    /// no schema is set.
    static func vacuum(_ schema: String) -> String {
        let tables = [
            "learners", "blocks", "generations", "runs", "tail", "identities", "identity_leaves", "copies", "notes",
            "group_learners", "merges", "languages", "achievement_names", "quarantine", "quarantine_pieces", "jobs",
        ]
        return "VACUUM (INDEX_CLEANUP ON) "
            + (tables + Relation.derivedTables.map(\.name)).map { "\(schema).\($0)" }.joined(separator: ", ")
    }

    /// The query for the versions of some partitions. It may also run outside of a transaction.
    static func versions(_ schema: String) -> String {
        "SELECT bucket, version, edition, recent_changes FROM \(schema).buckets"
            + " WHERE bucket = ANY($1::bigint[]::int[])"
    }

    /// The query for the sum of all versions. After a failover, the sum may be lower at first, and grow past the old
    /// sum later.
    static func sumOfVersions(_ schema: String) -> String { "SELECT sum(version)::bigint FROM \(schema).buckets" }

    /// The statements that copy all rows of one edition to another, except rows of days.
    static func copyListed(from shadow: Int64, to edition: Int64) -> [String] {
        Relation.derivedTables.filter { $0.name != DayProjection.relation.name }.map { table in
            "INSERT INTO \(table.name) SELECT \(edition), bucket, \(table.names()) FROM \(table.name)"
                + " WHERE edition = \(shadow) AND bucket BETWEEN $1 AND $2"
        }
    }

    static func split(_ statements: String) -> [String] {
        statements.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    private static let meta = """
        CREATE TABLE meta(name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
        CREATE TABLE buckets(
            bucket int PRIMARY KEY, version bigint NOT NULL DEFAULT 0, last_learner bigint NOT NULL,
            last_block bigint NOT NULL, generation bigint NOT NULL, last_quarantine bigint NOT NULL,
            tail_events bigint NOT NULL DEFAULT 0, tail_sequence bigint NOT NULL DEFAULT 0,
            quarantine_bytes bigint NOT NULL DEFAULT 0, edition int NOT NULL DEFAULT 1,
            built_edition int NOT NULL DEFAULT 0, erasure_pending boolean NOT NULL DEFAULT false, recent_changes bytea)
            WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
        """

    private static let learners = """
        CREATE TABLE learners(
            bucket int NOT NULL, learner bigint NOT NULL, subject text COLLATE "C" NOT NULL,
            events bigint NOT NULL DEFAULT 0, changed bigint NOT NULL DEFAULT 0, display_name text,
            cohort text COLLATE "C", native_language text, daily_goal_minutes bigint, leaderboard bigint,
            PRIMARY KEY (bucket, learner), UNIQUE (bucket, subject)) WITH (fillfactor = 80);
        CREATE TABLE copies(
            bucket int NOT NULL, learner bigint NOT NULL, name text COLLATE "C" NOT NULL, data bytea NOT NULL,
            PRIMARY KEY (bucket, learner, name));
        \(addedTables);
        """

    /// The tables that format 3 added.
    static let addedTables = """
        CREATE TABLE notes(
            bucket int NOT NULL, learner bigint NOT NULL, id text COLLATE "C" NOT NULL, ms bigint NOT NULL,
            author text NOT NULL, text text NOT NULL, PRIMARY KEY (bucket, learner, id));
        CREATE TABLE merges(
            bucket int NOT NULL, subject text COLLATE "C" NOT NULL, target text COLLATE "C" NOT NULL,
            named_subject text COLLATE "C" NOT NULL, named_target text COLLATE "C" NOT NULL, ms bigint NOT NULL,
            PRIMARY KEY (bucket, subject));
        CREATE INDEX merges_by_target ON merges(target);
        CREATE TABLE group_learners(
            bucket int NOT NULL, learner bigint NOT NULL, name text COLLATE "C" NOT NULL,
            PRIMARY KEY (bucket, learner, name));
        CREATE INDEX group_learners_by_name ON group_learners(name)
        """

    private static let events = """
        CREATE TABLE blocks(
            bucket int NOT NULL, block bigint NOT NULL, generation bigint NOT NULL, events int NOT NULL,
            data bytea NOT NULL, PRIMARY KEY (bucket, block));
        ALTER TABLE blocks ALTER data SET STORAGE EXTERNAL;
        CREATE INDEX blocks_by_generation ON blocks(bucket, generation);
        CREATE TABLE generations(
            bucket int NOT NULL, generation bigint NOT NULL, events bigint NOT NULL, runs bigint NOT NULL,
            PRIMARY KEY (bucket, generation));
        CREATE TABLE runs(
            bucket int NOT NULL, learner bigint NOT NULL, first_ms bigint NOT NULL, block bigint NOT NULL,
            first_row int NOT NULL, rows int NOT NULL, last_ms bigint NOT NULL,
            PRIMARY KEY (bucket, learner, first_ms, block));
        CREATE TABLE tail(
            bucket int NOT NULL, learner bigint NOT NULL, ms bigint NOT NULL, sequence bigint NOT NULL,
            data bytea NOT NULL, PRIMARY KEY (bucket, learner, ms, sequence));
        """

    private static let identities = """
        CREATE TABLE identities(
            bucket int NOT NULL, learner bigint NOT NULL, family bigint NOT NULL, low bigint NOT NULL,
            more bigint NOT NULL, PRIMARY KEY (bucket, learner, family, low)) WITH (fillfactor = 70);
        CREATE TABLE identity_leaves(
            bucket int NOT NULL, learner bigint NOT NULL, low bigint NOT NULL, data bytea NOT NULL,
            PRIMARY KEY (bucket, learner, low));
        ALTER TABLE identity_leaves ALTER data SET STORAGE EXTERNAL;
        """

    private static let names = """
        CREATE TABLE languages(
            language int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, tag text COLLATE "C" NOT NULL UNIQUE);
        CREATE TABLE achievement_names(
            achievement int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE);
        """

    private static let states = """
        CREATE TABLE snapshots(
            edition int NOT NULL, bucket int NOT NULL, learner bigint NOT NULL, data bytea NOT NULL,
            PRIMARY KEY (edition, bucket, learner)) PARTITION BY LIST (edition);
        ALTER TABLE snapshots ALTER data SET STORAGE EXTERNAL;
        CREATE TABLE checkpoints(
            edition int NOT NULL, bucket int NOT NULL, learner bigint NOT NULL, ms bigint NOT NULL,
            events bigint NOT NULL, data bytea NOT NULL,
            PRIMARY KEY (edition, bucket, learner, ms)) PARTITION BY LIST (edition);
        ALTER TABLE checkpoints ALTER data SET STORAGE EXTERNAL;
        """

    private static let quarantine = """
        CREATE TABLE quarantine(
            bucket int NOT NULL, id bigint NOT NULL, reason text COLLATE "C" NOT NULL, message text NOT NULL, file text,
            line bigint, received_ms bigint NOT NULL, event_id text, source text, subject text COLLATE "C",
            bytes bigint NOT NULL DEFAULT 0, stored bigint NOT NULL DEFAULT 0, PRIMARY KEY (bucket, id));
        CREATE INDEX quarantine_by_subject ON quarantine(bucket, hashtextextended(subject, 0))
            WHERE subject IS NOT NULL;
        CREATE TABLE quarantine_pieces(
            bucket int NOT NULL, quarantine bigint NOT NULL, piece int NOT NULL, data bytea NOT NULL, unpacked bigint,
            PRIMARY KEY (bucket, quarantine, piece));
        ALTER TABLE quarantine_pieces ALTER data SET STORAGE EXTERNAL;
        """

    private static let rules = """
        CREATE TABLE rules(
            applied bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, version bigint NOT NULL, hash text NOT NULL,
            name text NOT NULL, applied_ms bigint NOT NULL, source text NOT NULL, from_day int);
        CREATE TABLE rules_in_force(applied bigint PRIMARY KEY, from_day int UNIQUE, hash text NOT NULL);
        CREATE TABLE settings(name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
        """

    private static let shadows = """
        CREATE TABLE editions(edition int PRIMARY KEY, token bigint NOT NULL);
        CREATE TABLE shadow_changed(bucket int NOT NULL, learner bigint NOT NULL, PRIMARY KEY (bucket, learner));
        CREATE TABLE leases(
            name text PRIMARY KEY, token bigint NOT NULL, holder text NOT NULL, until timestamptz NOT NULL);
        """

    /// The table of jobs. A process may work on a job while it has the token and the lease has not expired.
    private static let jobs = """
        CREATE TABLE jobs(
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
            kind text NOT NULL, parameters text NOT NULL, exclusive boolean NOT NULL, names_learners boolean NOT NULL,
            state text NOT NULL DEFAULT 'waiting', share double precision NOT NULL DEFAULT 0,
            attempts int NOT NULL DEFAULT 0, token bigint, holder text, until timestamptz, result text, problem text,
            created_ms bigint NOT NULL, started_ms bigint, ended_ms bigint);
        """

    /// The views. They have the same names as the views in SQLite.
    static let views = tableViews + GamesView.all.map(view)

    private static let tableViews = [
        """
        CREATE VIEW learner_profiles AS
            SELECT learner AS learner_number, subject AS learner, events, display_name, cohort, native_language,
                daily_goal_minutes, coalesce(leaderboard, 1) <> 0 AS leaderboard
            FROM learners
        """,
        """
        CREATE VIEW progress AS
            SELECT p.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language,
                \(TrackNumbers.relation.shownFields.list { $0.shownInPostgreSQL("p.") })
            FROM buckets b JOIN progress_rows p ON p.edition = b.edition AND p.bucket = b.bucket
                JOIN learners l ON l.bucket = p.bucket AND l.learner = p.learner LEFT JOIN languages g USING (language)
        """,
        """
        CREATE VIEW daily AS
            SELECT d.learner AS learner_number, l.subject AS learner, d.language, date '1970-01-01' + d.day AS day,
                \(dayFields.list { $0.shownInPostgreSQL("d.") })
            FROM (
                SELECT r.bucket, learner, tag AS language, day, \(dayFields.names())
                FROM buckets b JOIN daily_rows r ON r.edition = b.edition AND r.bucket = b.bucket
                    JOIN languages USING (language)
                UNION ALL
                SELECT r.bucket, learner, '*', day, \(dayFields.names())
                FROM buckets b JOIN daily_rows r ON r.edition = b.edition AND r.bucket = b.bucket
                WHERE language = 0 AND xp IS NOT NULL
                UNION ALL
                SELECT r.bucket, learner, '*', day, \(dayFields.list(\.sumInPostgreSQL))
                FROM buckets b JOIN daily_rows r ON r.edition = b.edition AND r.bucket = b.bucket
                GROUP BY r.bucket, learner, day HAVING min(language) > 0
            ) d JOIN learners l ON l.bucket = d.bucket AND l.learner = d.learner
        """,
        """
        CREATE VIEW achievements AS
            SELECT a.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language, n.id AS achievement,
                \(AchievementProjection.relation.shownFields.list { $0.shownInPostgreSQL("a.") })
            FROM buckets b JOIN achievement_rows a ON a.edition = b.edition AND a.bucket = b.bucket
                JOIN learners l ON l.bucket = a.bucket AND l.learner = a.learner
                JOIN achievement_names n USING (achievement) LEFT JOIN languages g ON g.language = a.language
        """,
    ]

    private static func view(_ view: GamesView) -> String {
        """
        CREATE VIEW \(view.name) AS
            SELECT p.learner AS learner_number, l.subject AS learner, \(view.columns.list { $0.shownInPostgreSQL("g.") })
            FROM buckets b JOIN progress_rows p ON p.edition = b.edition AND p.bucket = b.bucket
                JOIN learners l ON l.bucket = p.bucket AND l.learner = p.learner
                CROSS JOIN LATERAL jsonb_to_recordset(p.games::jsonb -> '\(view.name)')
                    g(\(view.columns.list { "\"\($0.name)\" \($0.postgresqlType)" }))
            WHERE p.language = 0 AND p.games IS NOT NULL
        """
    }

    private static let dayFields = DayProjection.relation.fields
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
