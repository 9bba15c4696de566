// SPDX-License-Identifier: Apache-2.0

/// Checkpoints: snapshots of earlier points of learners' histories, which an event that comes late is folded from.
extension StoreSession {
    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]? {
        try tables.checkpoint(of: learner, before: milliseconds).flatMap { try unpack($0.data, of: $0.key) }
    }

    func checkpoints(of learner: Int64) throws -> [CheckpointPlace] { try tables.checkpoints(of: learner) }

    func keptStates(of learners: [Int64]) throws -> [StoredStates] {
        try zip(learners, tables.keptStates(of: learners)).map { learner, packed in
            var kept = packed
            kept.snapshot = try packed.snapshot.flatMap { try unpack($0, of: PackedSnapshot.Key(learner: learner)) }
            return kept
        }
    }

    func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in place: DerivedPlace) throws {
        let key = PackedSnapshot.Key(learner: learner, place: checkpoint.place)
        let data = PackedSnapshot.pack(checkpoint.snapshot, of: key, with: snapshotCompressor)
        try tables.write([StoredFoldState(key: key, data: data)], in: place)
    }

    func saveSnapshotAsCheckpoint(of learner: Int64, at place: CheckpointPlace) throws {
        let key = PackedSnapshot.Key(learner: learner, place: place)
        guard let snapshot = try tables.snapshot(of: learner),
            let data = PackedSnapshot.rekeyed(snapshot, from: PackedSnapshot.Key(learner: learner), to: key)
        else { return }
        try tables.write([StoredFoldState(key: key, data: data)], in: .stored)
    }

    func dropCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws {
        if !places.isEmpty { try tables.deleteCheckpoints(of: learner, at: places) }
    }

    // MARK: The shadow

    func setHidden(_ hidden: [String: Bool]) throws { try tables.setHidden(hidden.map { ($0.key, $0.value) }) }

    func learners(withSnapshotOrProgressIn achievements: [String]) throws -> [Int64] {
        try tables.learners(withSnapshotOrProgressIn: achievements)
    }

    func beginShadow() throws {
        guard try !tables.hasLeftovers() else { throw StoreError(.misuse, "there is a shadow already") }
        try tables.makeShadow()
    }

    func changedLearners() throws -> [Int64] {
        try closeLearners()
        return try tables.changedLearners()
    }

    func forgetChanges(of learners: [Int64]) throws { try tables.forgetChanges(of: learners) }

    func adoptShadow(_ extent: ShadowExtent) throws {
        try touchEverybody()
        try tables.adoptShadow(extent)
        for writer in projectionWriters.values { writer.forgetRows() }
    }
}
