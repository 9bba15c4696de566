// SPDX-License-Identifier: Apache-2.0

/// The tables of a store. Every one of events and progress has the bucket first in its key.
///
/// A text with U+0000, which PostgreSQL's texts cannot have, stands with other characters in its place, see ``StoredText``.
enum PostgreSQLSchema {
    /// Rises when an older program could not read the tables, or would leave in them what it should not.
    static let format: Int64 = 3
    /// The formats that `laurel store migrate` brings to ``format``, and that one.
    static let knownFormats = 2...format
    static let oldestServer = 130_000

    /// The tables that hold what follows from events and rules, in the order in which transactions lock them.
    static let derivedTables = ["progress_rows", "daily_rows", "achievement_rows", "snapshots", "checkpoints"]

    /// Of a store with some buckets.
    static func statements(buckets: Int) -> [String] {
        [meta, learners, events, identities, progress, days, achievements, states, quarantine, rules, shadows, jobs]
            .flatMap(
                split
            )
            + [
                """
                INSERT INTO meta VALUES ('format', \(format)), ('buckets', \(buckets)), ('fold', 0),
                    ('server', (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint), ('commits', 0)
                """,
                "INSERT INTO editions VALUES (1, 0)",
                """
                INSERT INTO buckets(bucket, last_learner, last_block, generation, last_quarantine)
                SELECT b, b << 32, b << 32, b << 32, b << 32 FROM generate_series(0::bigint, \(buckets - 1)) b
                """,
            ] + addEdition(1) + views.flatMap(split)
    }

    /// A partition of every derived table. Made apart and then attached: that stops no reader.
    static func addEdition(_ edition: Int64) -> [String] {
        derivedTables.flatMap { table in
            [
                """
                CREATE TABLE \(table)_\(edition)(LIKE \(table) INCLUDING ALL)
                WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)
                """,
                "ALTER TABLE \(table) ATTACH PARTITION \(table)_\(edition) FOR VALUES IN (\(edition))",
            ]
        }
    }

    /// In the order in which readers lock the tables.
    static func dropEdition(_ edition: Int64) -> String {
        "DROP TABLE IF EXISTS " + derivedTables.map { "\($0)_\(edition)" }.joined(separator: ", ")
    }

    /// What an erasure has deleted from. Outside of a transaction, where no schema is set.
    static func vacuum(_ schema: String) -> String {
        let tables = [
            "learners", "blocks", "generations", "runs", "tail", "identities", "identity_leaves", "copies", "languages",
            "achievement_names", "quarantine", "quarantine_pieces", "jobs",
        ]
        return "VACUUM (INDEX_CLEANUP ON) " + (tables + derivedTables).map { "\(schema).\($0)" }.joined(separator: ", ")
    }

    /// Of some buckets, and since when the server has been running. Outside of a transaction, too.
    static func versions(_ schema: String) -> String {
        "SELECT bucket, version, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, edition,"
            + " recent_changes FROM \(schema).buckets WHERE bucket = ANY($1::bigint[]::int[])"
    }

    /// Of which server, too: another one may have counted less far, and further since.
    static func sumOfVersions(_ schema: String) -> String {
        "SELECT sum(version)::bigint, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint"
            + " FROM \(schema).buckets"
    }

    /// Overwrites, in an edition, what stands in another, their days excepted.
    static func copyListed(from shadow: Int64, to edition: Int64) -> [String] {
        derivedTables.filter { $0 != "daily_rows" }.map { table in
            "INSERT INTO \(table) SELECT \(edition), \(columns(of: table)) FROM \(table)"
                + " WHERE edition = \(shadow) AND bucket BETWEEN $1 AND $2"
        }
    }

    /// All but the edition.
    private static func columns(of table: String) -> String {
        switch table {
        case "progress_rows":
            """
            bucket, learner, language, events, first_event_ms, last_event_ms, xp, level, level_progress_percent, \
            current_streak, longest_streak, streak_freezes, last_activity_day, practice_ms, sessions, solo_sessions, \
            multiplayer_sessions, words_known, words_learned, words_new, words_learning, words_reviewing, \
            words_mastered, successful_repairs, help_given, team_wins, estimated_cefr, cefr_progress_percent, \
            xp_by_bucket, metrics, last_practice_ms
            """
        case "achievement_rows":
            "bucket, learner, language, position, achievement, tier, tiers, unlocked_ms, progress, hidden"
        case "snapshots": "bucket, learner, data"
        default: "bucket, learner, ms, events, data"
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
            cohort text COLLATE "C", native_language text, daily_goal_minutes bigint,
            PRIMARY KEY (bucket, learner), UNIQUE (bucket, subject)) WITH (fillfactor = 80);
        CREATE TABLE copies(
            bucket int NOT NULL, learner bigint NOT NULL, name text COLLATE "C" NOT NULL, data bytea NOT NULL,
            PRIMARY KEY (bucket, learner, name));
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

    private static let progress = """
        CREATE TABLE progress_rows(
            edition int NOT NULL, bucket int NOT NULL, learner bigint NOT NULL, language int NOT NULL,
            events bigint NOT NULL, first_event_ms bigint NOT NULL, last_event_ms bigint NOT NULL,
            xp double precision NOT NULL, level bigint NOT NULL, level_progress_percent double precision NOT NULL,
            current_streak bigint NOT NULL, longest_streak bigint NOT NULL, streak_freezes bigint NOT NULL,
            last_activity_day int, practice_ms bigint NOT NULL, sessions bigint NOT NULL,
            solo_sessions bigint NOT NULL, multiplayer_sessions bigint NOT NULL, words_known bigint NOT NULL,
            words_learned bigint NOT NULL, words_new bigint NOT NULL, words_learning bigint NOT NULL,
            words_reviewing bigint NOT NULL, words_mastered bigint NOT NULL, successful_repairs bigint NOT NULL,
            help_given bigint NOT NULL, team_wins bigint NOT NULL, estimated_cefr text,
            cefr_progress_percent double precision, xp_by_bucket text NOT NULL, metrics text NOT NULL,
            last_practice_ms bigint, PRIMARY KEY (edition, bucket, learner, language)) PARTITION BY LIST (edition);
        CREATE TABLE languages(
            language int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, tag text COLLATE "C" NOT NULL UNIQUE);
        """

    private static let days = """
        CREATE TABLE daily_rows(
            edition int NOT NULL, bucket int NOT NULL, learner bigint NOT NULL, day int NOT NULL, language int NOT NULL,
            xp double precision, practice_ms bigint, lines bigint, reviews bigint, correct_reviews bigint,
            new_words bigint, learned_words bigint, active bigint,
            PRIMARY KEY (edition, bucket, learner, day, language)) PARTITION BY LIST (edition);
        """

    private static let achievements = """
        CREATE TABLE achievement_rows(
            edition int NOT NULL, bucket int NOT NULL, learner bigint NOT NULL, language int NOT NULL,
            position int NOT NULL, achievement int NOT NULL, tier bigint NOT NULL, tiers bigint NOT NULL,
            unlocked_ms bigint, progress double precision NOT NULL, hidden int NOT NULL,
            PRIMARY KEY (edition, bucket, learner, language, position)) PARTITION BY LIST (edition);
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

    /// Each is done by whoever has its token, until the lease ends.
    private static let jobs = """
        CREATE TABLE jobs(
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
            kind text NOT NULL, parameters text NOT NULL, exclusive boolean NOT NULL, names_learners boolean NOT NULL,
            state text NOT NULL DEFAULT 'waiting', share double precision NOT NULL DEFAULT 0,
            attempts int NOT NULL DEFAULT 0, token bigint, holder text, until timestamptz, result text, problem text,
            created_ms bigint NOT NULL, started_ms bigint, ended_ms bigint);
        """

    /// As SQLite's views of the same names.
    static let views = [
        """
        CREATE VIEW learner_profiles AS
            SELECT learner AS learner_number, subject AS learner, events, display_name, cohort, native_language,
                daily_goal_minutes
            FROM learners
        """,
        """
        CREATE VIEW progress AS
            SELECT p.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language, p.events,
                to_timestamp(p.first_event_ms / 1000.0) AS first_event_at,
                to_timestamp(p.last_event_ms / 1000.0) AS last_event_at,
                p.xp, p.level, p.level_progress_percent, p.current_streak, p.longest_streak, p.streak_freezes,
                date '1970-01-01' + p.last_activity_day AS last_activity_day, p.practice_ms, p.sessions,
                p.solo_sessions, p.multiplayer_sessions, p.words_known, p.words_learned, p.words_new,
                p.words_learning, p.words_reviewing, p.words_mastered, p.successful_repairs, p.help_given, p.team_wins,
                p.estimated_cefr, p.cefr_progress_percent, p.xp_by_bucket::jsonb AS xp_by_bucket,
                p.metrics::jsonb AS metrics, to_timestamp(p.last_practice_ms / 1000.0) AS last_practice_at
            FROM buckets b JOIN progress_rows p ON p.edition = b.edition AND p.bucket = b.bucket
                JOIN learners l ON l.bucket = p.bucket AND l.learner = p.learner LEFT JOIN languages g USING (language)
        """,
        """
        CREATE VIEW daily AS
            SELECT d.learner AS learner_number, l.subject AS learner, d.language, date '1970-01-01' + d.day AS day, d.xp,
                d.practice_ms, d.lines, d.reviews, d.correct_reviews, d.new_words, d.learned_words, d.active <> 0 AS active
            FROM (
                SELECT r.bucket, learner, tag AS language, day, xp, practice_ms, lines, reviews, correct_reviews,
                    new_words, learned_words, active
                FROM buckets b JOIN daily_rows r ON r.edition = b.edition AND r.bucket = b.bucket
                    JOIN languages USING (language)
                UNION ALL
                SELECT r.bucket, learner, '*', day, xp, practice_ms, lines, reviews, correct_reviews, new_words,
                    learned_words, active
                FROM buckets b JOIN daily_rows r ON r.edition = b.edition AND r.bucket = b.bucket
                WHERE language = 0 AND xp IS NOT NULL
                UNION ALL
                SELECT r.bucket, learner, '*', day, sum(xp), sum(practice_ms)::bigint, sum(lines)::bigint,
                    sum(reviews)::bigint, sum(correct_reviews)::bigint, sum(new_words)::bigint,
                    sum(learned_words)::bigint, max(active)
                FROM buckets b JOIN daily_rows r ON r.edition = b.edition AND r.bucket = b.bucket
                GROUP BY r.bucket, learner, day HAVING min(language) > 0
            ) d JOIN learners l ON l.bucket = d.bucket AND l.learner = d.learner
        """,
        """
        CREATE VIEW achievements AS
            SELECT a.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language, n.id AS achievement, a.tier,
                a.tiers, to_timestamp(a.unlocked_ms / 1000.0) AS unlocked_at, a.progress, a.hidden <> 0 AS hidden
            FROM buckets b JOIN achievement_rows a ON a.edition = b.edition AND a.bucket = b.bucket
                JOIN learners l ON l.bucket = a.bucket AND l.learner = a.learner
                JOIN achievement_names n USING (achievement) LEFT JOIN languages g ON g.language = a.language
        """,
    ]
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
