/// Checkpoints: snapshots of earlier points of learners' histories, which an event that comes late is folded from.
extension SQLiteSession {
    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]? {
        guard try hasCheckpoints() else { return nil }
        let statement = try connection.statement(
            "SELECT data FROM checkpoints WHERE learner = ? AND ms < ? ORDER BY ms DESC LIMIT 1"
        )
        try statement.bind([.integer(learner), .integer(milliseconds)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return PackedSnapshot.unpack(statement.array(0), with: snapshotDecompressor)
    }

    func checkpoints(of learner: Int64) throws -> [CheckpointPlace] {
        guard try hasCheckpoints() else { return [] }
        let statement = try connection.statement("SELECT ms, events FROM checkpoints WHERE learner = ? ORDER BY ms")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        var places: [CheckpointPlace] = []
        while try statement.step() {
            places.append(CheckpointPlace(milliseconds: statement.integer(0), events: statement.count(1)))
        }
        return places
    }

    func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in place: DerivedPlace) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \(place.prefix)checkpoints VALUES (?, ?, ?, ?)",
            .integer(learner),
            .integer(checkpoint.place.milliseconds),
            .count(checkpoint.place.events),
            .blob(PackedSnapshot.pack(checkpoint.snapshot, with: snapshotCompressor))
        )
    }

    func saveSnapshotAsCheckpoint(of learner: Int64, at place: CheckpointPlace) throws {
        try connection.run(
            "INSERT OR REPLACE INTO checkpoints SELECT learner, ?, ?, data FROM snapshots WHERE learner = ?",
            .integer(place.milliseconds),
            .count(place.events),
            .integer(learner)
        )
    }

    func dropCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws {
        for place in places {
            try connection.run(
                "DELETE FROM checkpoints WHERE learner = ? AND ms = ?",
                .integer(learner),
                .integer(place.milliseconds)
            )
        }
    }

    /// Whether the file is of a format that has them; a reader may find an older one.
    func hasCheckpoints() throws -> Bool {
        if isWriter { return true }
        return try connection.number("PRAGMA user_version") ?? 0 >= 3
    }
}
