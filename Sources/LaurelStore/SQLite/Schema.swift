// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The tables of a store. `docs/store.md` documents the tables that users may query.
enum Schema {
    /// "Laur" in the file's header, which distinguishes a store from other SQLite databases.
    static let applicationID: Int64 = 0x4C61_7572
    /// The oldest format that can be read.
    static let oldestVersion: Int64 = 7
    /// The format of the file. It rises with each change after which an older program would misread or damage the file,
    /// such as an added column.
    static let version = oldestVersion + Int64(Relation.additions)
    /// The formats that can be read. The first write converts the file to ``version``.
    static let readableVersions = oldestVersion...version

    static let settings = """
        PRAGMA page_size = 4096;
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = WAL;
        """

    static let tables = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('tail_events', 0), ('tail_sequence', 0), ('generation', 0), ('erasure_pending', 0),
            ('quarantine_bytes', 0);

        CREATE TABLE learners(
            learner INTEGER PRIMARY KEY, subject TEXT NOT NULL UNIQUE, events INTEGER NOT NULL DEFAULT 0,
            display_name TEXT, cohort TEXT, native_language TEXT, daily_goal_minutes INTEGER,
            leaderboard INTEGER,
            changed INTEGER NOT NULL DEFAULT 0);

        CREATE TABLE blocks(
            block INTEGER PRIMARY KEY AUTOINCREMENT, generation INTEGER NOT NULL, events INTEGER NOT NULL,
            data BLOB NOT NULL);
        CREATE INDEX blocks_by_generation ON blocks(generation);
        CREATE TABLE generations(
            generation INTEGER PRIMARY KEY, events INTEGER NOT NULL, runs INTEGER NOT NULL);
        CREATE TABLE runs(
            learner INTEGER NOT NULL, first_ms INTEGER NOT NULL, block INTEGER NOT NULL, first_row INTEGER NOT NULL,
            rows INTEGER NOT NULL, last_ms INTEGER NOT NULL, PRIMARY KEY(learner, first_ms, block)) WITHOUT ROWID;
        CREATE TABLE tail(
            learner INTEGER NOT NULL, ms INTEGER NOT NULL, sequence INTEGER NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY(learner, ms, sequence)) WITHOUT ROWID;
        CREATE TABLE identities(
            learner INTEGER NOT NULL, family INTEGER NOT NULL, low INTEGER NOT NULL, more INTEGER NOT NULL,
            PRIMARY KEY(learner, family, low)) WITHOUT ROWID;
        CREATE TABLE identity_leaves(
            learner INTEGER NOT NULL, low INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(learner, low)) WITHOUT ROWID;
        CREATE TABLE copies(
            learner INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY(learner, name)) WITHOUT ROWID;
        \(addedTables);

        CREATE TABLE languages(language INTEGER PRIMARY KEY, tag TEXT NOT NULL UNIQUE);
        CREATE TABLE achievement_names(achievement INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
        CREATE TABLE rules(
            applied INTEGER PRIMARY KEY, version INTEGER NOT NULL, hash TEXT NOT NULL, name TEXT NOT NULL,
            applied_ms INTEGER NOT NULL, source TEXT NOT NULL, from_day INTEGER);
        CREATE TABLE rules_in_force(applied INTEGER PRIMARY KEY, from_day INTEGER UNIQUE, hash TEXT NOT NULL);
        CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE quarantine(
            id INTEGER PRIMARY KEY AUTOINCREMENT, reason TEXT NOT NULL, message TEXT NOT NULL, file TEXT, line INTEGER,
            received_ms INTEGER NOT NULL, event_id TEXT, source TEXT, subject TEXT, bytes INTEGER NOT NULL DEFAULT 0,
            stored INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX quarantine_by_subject ON quarantine(subject) WHERE subject IS NOT NULL;
        CREATE TABLE quarantine_pieces(
            quarantine INTEGER NOT NULL, piece INTEGER NOT NULL, data BLOB NOT NULL, unpacked INTEGER,
            UNIQUE(quarantine, piece));
        """

    /// The tables that format 8 added.
    static let addedTables = """
        CREATE TABLE notes(
            learner INTEGER NOT NULL, id TEXT NOT NULL, ms INTEGER NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY(learner, id)) WITHOUT ROWID;
        CREATE TABLE merges(
            subject TEXT PRIMARY KEY NOT NULL, target TEXT NOT NULL, named_subject TEXT NOT NULL,
            named_target TEXT NOT NULL, ms INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX merges_by_target ON merges(target);
        CREATE TABLE group_learners(
            learner INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(learner, name)) WITHOUT ROWID;
        CREATE INDEX group_learners_by_name ON group_learners(name)
        """

    /// The tables whose content is computed from events and rules.
    /// - Parameter prefix: the prefix of the tables' names.
    static func derivedTables(prefix: String = "") -> String {
        """
        \(Relation.projected.map { $0.createInSQLite(prefix) }.joined(separator: ";\n"));
        CREATE TABLE \(prefix)snapshots(learner INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE \(prefix)checkpoints(
            learner INTEGER NOT NULL, ms INTEGER NOT NULL, events INTEGER NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY(learner, ms));
        """
    }

    static func create(_ connection: Connection) throws {
        try connection.inTransaction {
            for sql in [tables, derivedTables(), views] { try connection.execute(sql) }
            try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
    }

    /// Refuses a file that is not a store, and a format that this program does not know.
    static func check(_ connection: Connection) throws {
        let path = connection.name
        let id = try connection.number("PRAGMA application_id") ?? 0
        guard id == applicationID else {
            throw StoreError(
                .notAStore,
                "\(path) is not a Laurel store but some other file; name a store, or a file that is not there yet"
            )
        }
        try StoreError.check(try connection.number("PRAGMA user_version") ?? 0, of: path, readable: readableVersions)
    }
}
