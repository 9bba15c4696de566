// SPDX-License-Identifier: Apache-2.0

/// Checkpoints: snapshots of earlier points of learners' histories, which an event that comes late is folded from.
extension SQLiteSession {
    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]? {
        guard try hasCheckpoints() else { return nil }
        let statement = try connection.statement(
            "SELECT data, ms, events FROM checkpoints WHERE learner = ? AND ms < ? ORDER BY ms DESC LIMIT 1"
        )
        try statement.bind([.integer(learner), .integer(milliseconds)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let place = CheckpointPlace(milliseconds: statement.integer(1), events: statement.count(2))
        return try unpack(statement.array(0), of: PackedSnapshot.Key(learner: learner, place: place))
    }

    func checkpoints(of learner: Int64) throws -> [CheckpointPlace] {
        guard try hasCheckpoints() else { return [] }
        let statement = try connection.statement("SELECT ms, events FROM checkpoints WHERE learner = ? ORDER BY ms")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        var places: [CheckpointPlace] = []
        while try statement.step() {
            places.append(CheckpointPlace(milliseconds: try statement.instant(0), events: try statement.amount(1)))
        }
        return places
    }

    func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in place: DerivedPlace) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \(place.prefix)checkpoints VALUES (?, ?, ?, ?)",
            .integer(learner),
            .integer(checkpoint.place.milliseconds),
            .count(checkpoint.place.events),
            .blob(
                PackedSnapshot.pack(
                    checkpoint.snapshot,
                    of: PackedSnapshot.Key(learner: learner, place: checkpoint.place),
                    with: snapshotCompressor
                )
            )
        )
    }

    func saveSnapshotAsCheckpoint(of learner: Int64, at place: CheckpointPlace) throws {
        guard let snapshot = try packedSnapshot(of: learner),
            let checkpoint = PackedSnapshot.rekeyed(
                snapshot,
                from: PackedSnapshot.Key(learner: learner),
                to: PackedSnapshot.Key(learner: learner, place: place)
            )
        else { return }
        try connection.run(
            "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)",
            .integer(learner),
            .integer(place.milliseconds),
            .count(place.events),
            .blob(checkpoint)
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

    /// Whether the file is of a format that has them.
    func hasCheckpoints() throws -> Bool { try format() >= 3 }
}
