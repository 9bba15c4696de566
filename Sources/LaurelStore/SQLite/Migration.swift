/// Brings stores of older formats to the present one.
///
/// Format 2 keeps the hashes of ids that do not count in `identity_leaves`, packed; format 1 had a row of `identities` each.
/// Format 3 has `checkpoints`. They hold only what can be computed again, so the table begins empty; a number of its own
/// the format has because an older program would leave checkpoints behind that a late event has made wrong.
/// Format 4 has `identity_leaves` of some learners only: an older program would take the others' ids for new. Those that
/// are there stay until the learner's blocks are written again.
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
            try connection.execute("PRAGMA user_version = \(Schema.version)")
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private static func packHashedIdentities(_ connection: Connection) throws {
        let leaves = try IdentityLeaves(connection)
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
