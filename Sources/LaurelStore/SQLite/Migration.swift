/// Brings stores of older formats to the present one.
///
/// Format 2 keeps the hashes of ids that do not count in `identity_leaves`, packed; format 1 had a row of `identities` each.
enum Migration {
    static func run(_ connection: Connection) throws {
        guard try connection.number("PRAGMA user_version") ?? 0 < Schema.version else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try connection.execute(Schema.identityLeaves)
            try packHashedIdentities(connection)
            try connection.execute("PRAGMA user_version = \(Schema.version)")
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// A hash of format 1 has 48 bits; those kept are its upper ones.
    static func hash(ofFormat1 number: Int64) -> Int64 { number >> (48 - HashedIdentities.bits) }

    private static func packHashedIdentities(_ connection: Connection) throws {
        let hashed = try HashedIdentities(connection)
        let rows = try connection.newStatement(
            "SELECT learner, low FROM identities WHERE family = \(IdentityKey.hashedFamily) ORDER BY learner, low"
        )
        var (learner, hashes): (Int64, [Int64]) = (0, [])
        while try rows.step() {
            if rows.integer(0) != learner {
                try hashed.add(learner, hashes)
                (learner, hashes) = (rows.integer(0), [])
            }
            hashes.append(hash(ofFormat1: rows.integer(1)))
        }
        try hashed.add(learner, hashes)
        rows.reset()
        try connection.execute("DELETE FROM identities WHERE family = \(IdentityKey.hashedFamily)")
    }
}
