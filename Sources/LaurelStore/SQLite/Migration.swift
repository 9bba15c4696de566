// SPDX-License-Identifier: Apache-2.0

/// Brings stores of older formats to the present one.
///
/// Format 2 keeps the hashes of ids that do not count in `identity_leaves`, packed; format 1 had a row of `identities` each.
/// Format 3 has `checkpoints`. They hold only what can be computed again, so the table begins empty; a number of its own
/// the format has because an older program would leave checkpoints behind that a late event has made wrong.
/// Format 4 has `identity_leaves` of some learners only: an older program would take the others' ids for new. Those that
/// are there stay until the learner's blocks are written again.
/// Format 5 tells in `meta` which fold computed the progress: an older program would go on with its own. Its rules are a
/// list of versions, of which an older program would see the last alone. It has `copies`, which begin empty: nothing is known of
/// copies that were read before.
/// It has checksums in snapshots and checkpoints, and in every page of the file: see ``PageChecksums``. It counts what
/// quarantine takes, may have its lines packed, and tells with which time zone data the progress was computed.
/// Format 6 numbers its commits, and has the number of the last one that touched a learner: an older program would leave it as it
/// is. The first commit after the move has the number 1.
/// Format 7 calls the learner's id `learner_id` in the tables to query; the former name, `subject`, is still there.
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
            if version < 7 { try connection.execute(learnerIDs) }
            try connection.execute("PRAGMA user_version = \(Schema.version)")
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private static let learnerIDs = """
        ALTER TABLE learners ADD COLUMN \(Schema.learnerID);
        DROP VIEW progress;
        DROP VIEW daily;
        DROP VIEW achievements;
        \(Schema.views)
        """

    /// What older lines take, about.
    private static let quarantineBudget = """
        ALTER TABLE quarantine ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE quarantine_pieces ADD COLUMN unpacked INTEGER;
        UPDATE quarantine SET stored = bytes + length(message) + 96;
        INSERT INTO meta SELECT 'quarantine_bytes', coalesce(sum(stored), 0) FROM quarantine;
        """

    /// Seals snapshots and checkpoints as they are, save those that cannot be unpacked.
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
        let leaves = IdentityLeaves(SQLiteTables(connection, isWriter: true))
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
