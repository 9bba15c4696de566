// SPDX-License-Identifier: Apache-2.0

/// Brings stores of older formats to the present one. Each format has a number of its own because an older program
/// would damage or misread a store that has it.
///
/// - Format 2 packs the hashes of ids that do not count up into `identity_leaves`. Format 1 had a row of `identities`
///   for each.
/// - Format 3 has `checkpoints`, which begin empty, because they can be computed. An older program would keep a
///   checkpoint that a late event made wrong.
/// - Format 4 has `identity_leaves` of only some learners. An older program would take the ids of the others for new.
///   Existing leaves stay until new blocks of the learner are written.
/// - Format 5 says in `meta` which version of the fold computed the progress. An older program would continue with its
///   own fold. It has a list of versions of the rules, of which an older program would see only the last. It has
///   `copies`, which begin empty, because nothing is known of earlier copies. It has checksums in snapshots,
///   checkpoints and pages (see ``PageChecksums``). It counts the space of quarantine, may pack quarantined lines, and
///   says with which time zone data the progress was computed.
/// - Format 6 numbers its commits, and stores for each learner the last commit that changed them. An older program
///   would not update that number. The first commit after the migration is number 1.
/// - Format 7 has `learner_id` in the tables to query. The former name, `subject`, is still there.
/// - Format 8 says for each track when the learner last practised. An older program would leave that as it was. Its views are
///   such that DuckDB can run them.
enum Migration {
    static func run(_ connection: Connection) throws {
        let version = try connection.number("PRAGMA user_version") ?? 0
        guard version < Schema.version else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            if version < 2 {
                try connection.execute(Schema.identityLeaves)
                try packHashedIdentities(connection)
            }
            if version < 3 { try connection.execute(Schema.checkpoints()) }
            if version < 5 {
                try addRuleVersions(connection)
                try giveChecksums(connection)
                try connection.execute(quarantineBudget)
                try connection.execute(Schema.settingsTable)
                try connection.execute(Schema.copies)
            }
            if version < 6 { try connection.execute("ALTER TABLE learners ADD COLUMN \(Schema.changed)") }
            if version < 7 { try connection.execute("ALTER TABLE learners ADD COLUMN \(Schema.learnerID)") }
            if version < 8 { try connection.execute(lastPractice) }
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

    /// An estimate of the space that older lines take.
    private static let quarantineBudget = """
        ALTER TABLE quarantine ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE quarantine_pieces ADD COLUMN unpacked INTEGER;
        UPDATE quarantine SET stored = bytes + length(message) + 96;
        INSERT INTO meta SELECT 'quarantine_bytes', coalesce(sum(stored), 0) FROM quarantine;
        """

    /// Adds checksums to snapshots and checkpoints, and deletes those that do not unpack.
    private static func giveChecksums(_ connection: Connection) throws {
        let decompressor = Decompressor()
        for (table, place) in [("snapshots", "NULL, NULL"), ("checkpoints", "ms, events")] {
            let rows = try connection.newStatement("SELECT rowid, data, learner, \(place) FROM \(table)")
            while try rows.step() {
                let (row, packed) = (rows.integer(0), rows.array(1))
                let place = rows.optionalInteger(3).map {
                    CheckpointPlace(milliseconds: $0, events: rows.count(4))
                }
                let key = PackedSnapshot.Key(learner: rows.integer(2), place: place)
                if PackedSnapshot.unpackUnchecked(packed, with: decompressor) == nil {
                    try connection.run("DELETE FROM \(table) WHERE rowid = ?", .integer(row))
                } else {
                    let sealed = PackedSnapshot.sealed(unchecked: packed, of: key)
                    try connection.run("UPDATE \(table) SET data = ? WHERE rowid = ?", .blob(sealed), .integer(row))
                }
            }
        }
    }

    private static func addRuleVersions(_ connection: Connection) throws {
        try connection.execute("ALTER TABLE rules ADD COLUMN from_day INTEGER")
        try connection.execute(Schema.rulesInForce)
        try connection.execute(
            "INSERT INTO rules_in_force SELECT applied, NULL, hash FROM rules ORDER BY applied DESC LIMIT 1"
        )
    }

    private static func packHashedIdentities(_ connection: Connection) throws {
        let leaves = HashIndex(SQLiteTables(connection, isWriter: true))
        let rows = try connection.newStatement(
            "SELECT learner, low FROM identities WHERE family = \(IdentityKey.hashedFamily) ORDER BY learner, low"
        )
        var (learner, hashes): (Int64, [Int64]) = (0, [])
        while try rows.step() {
            if rows.integer(0) != learner {
                try leaves.add(learner, hashes)
                (learner, hashes) = (rows.integer(0), [])
            }
            hashes.append(rows.integer(1))
        }
        try leaves.add(learner, hashes)
        rows.reset()
        try connection.execute("DELETE FROM identities WHERE family = \(IdentityKey.hashedFamily)")
    }
}
