// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension StoreSession {
    // MARK: Snapshots

    /// The unpacked snapshot; nil if it is damaged. A snapshot is a cache, so a damaged one is recomputed.
    func unpack(_ packed: [UInt8], of key: PackedSnapshot.Key) -> [UInt8]? {
        PackedSnapshot.unpack(packed, of: key, with: snapshotDecompressor)
    }

    /// Must be called when the transaction has emptied all derived tables.
    func noteEmptiedTables() { writer(of: .stored).didEmpty() }

    // MARK: Writing

    func write(_ changes: LearnerWrites) throws {
        if let batch = changes.batch {
            guard let batch = batch as? PreparedProjections else { preconditionFailure("another store's batch") }
            try writer(of: changes.target).write(batch, &names)
        }
        for (learner, projection, days) in changes.projections {
            try writer(of: changes.target).write(projection, of: learner, days: days, &names)
        }
        if !changes.states.isEmpty { try write(changes.states, writer(of: changes.target)) }
    }

    private func write(_ states: [(learner: Int64, change: LearnerWrites.StateChange)], _ writer: ProjectionWriter)
        throws
    {
        var packed: [StoredFoldState] = []
        func flush() throws {
            try writer.write(packed)
            packed = []
        }
        func pack(_ snapshot: [UInt8], _ key: PackedSnapshot.Key) throws {
            let data = PackedSnapshot.pack(snapshot, of: key, with: snapshotCompressor)
            // One statement may contain only one state for each key.
            if packed.contains(where: { $0.key.isSameRow(key) }) { try flush() }
            packed.append(StoredFoldState(key: key, data: data))
            if packed.count >= StoreSession.statesAtOnce { try flush() }
        }
        for (learner, change) in states {
            let key = PackedSnapshot.Key(learner: learner)
            // A later change may concern a state that this write contains.
            if !change.isNew, packed.last?.key.learner == learner { try flush() }
            switch change {
            case .snapshot(let snapshot?): try pack(snapshot, key)
            case .checkpoint(let checkpoint):
                try pack(checkpoint.snapshot, PackedSnapshot.Key(learner: learner, point: checkpoint.point))
            case .snapshot(nil): try writer.removeSnapshot(of: learner)
            case .snapshotAsCheckpoint(let point):
                guard let snapshot = try tables.keptStates(of: [learner], .snapshots)[0].state else { continue }
                let new = PackedSnapshot.Key(learner: learner, point: point)
                if let data = PackedSnapshot.rekeyed(snapshot.data, from: key, to: new) {
                    try writer.write([StoredFoldState(key: new, data: data)])
                }
            case .noCheckpoints(let points):
                if points?.isEmpty != true { try tables.deleteCheckpoints(of: learner, at: points) }
            }
        }
        try flush()
    }

    /// The maximum number of packed snapshots and checkpoints that wait to be written by one statement.
    private static let statesAtOnce = 64

    private func writer(of target: DerivedTarget) -> ProjectionWriter {
        if let writer = projectionWriters[target] { return writer }
        let writer = ProjectionWriter(target, self)
        projectionWriters[target] = writer
        return writer
    }

    // MARK: Reading

    func groupNames(after name: String, limit: Int) throws -> [String] {
        try tables.groupNames(after: name, limit: limit)
    }

    func groupNames(of learners: [Int64]) throws -> [String] {
        let names = Set(try tables.groupNames(of: learners.sorted()).map { Array($0.utf8) })
        return names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The stored projection; nil if there is none. After a projection was dropped, the learner's row may still have a
    /// profile.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection? {
        let profile = try tables.profiles(from: learner, limit: 1)
        guard profile.count == 1, profile.integer(0, 0) == learner, !profile.isNull(0, 4) else { return nil }
        let rows = try tables.rows([(.progress, [learner])], in: .stored)[0]
        guard rows.count > 0 else { return nil }
        let wanted: [DerivedTable] = withDays ? [.achievements, .days] : [.achievements]
        let parts = try tables.rows(wanted.map { ($0, [learner]) }, in: .stored)
        do {
            var projection = LearnerProjection(
                displayName: profile.string(0, 1),
                cohort: profile.string(0, 2),
                nativeLanguage: profile.string(0, 3),
                dailyGoalMinutes: profile.count(0, 4),
                tracks: try (0..<rows.count).map { try TrackProjection(rows, $0) }
            )
            projection.isOnLeaderboards = profile.isNull(0, 5) || profile.integer(0, 5) != 0
            let codes = (0..<rows.count).map { rows.integer($0, 1) }
            try readAchievements(parts[0], into: &projection, codes: codes)
            if withDays { try DailyRows.read(into: &projection, parts[1], codes: codes) }
            return projection
        } catch let error as Corruption {
            throw error.ofProgress(of: learner, in: tables.name)
        }
    }

    private func readAchievements(_ rows: TableRows, into projection: inout LearnerProjection, codes: [Int64]) throws {
        guard rows.count > 0 else { return }
        let ids = try tables.names(of: (0..<rows.count).map { rows.integer($0, 3) }, in: .achievements)
        for number in 0..<rows.count {
            guard let track = codes.firstIndex(of: rows.integer(number, 1)), let id = ids[rows.integer(number, 3)]
            else {
                continue
            }
            var row = AchievementProjection(id: id)
            try row.read(rows, number)
            projection.tracks[track].achievements.append(row)
        }
    }
}

extension PackedSnapshot.Key {
    fileprivate func isSameRow(_ other: PackedSnapshot.Key) -> Bool {
        learner == other.learner && point?.milliseconds == other.point?.milliseconds
    }
}

extension LearnerWrites.StateChange {
    fileprivate var isNew: Bool {
        switch self {
        case .snapshot(.some), .checkpoint: true
        default: false
        }
    }
}

extension Corruption {
    /// The error for damage in a learner's derived rows. These rows can be rebuilt from the events.
    func ofProgress(of learner: Int64, in store: String) -> StoreError {
        StoreError(
            .corrupt,
            "\(store): the progress of learner \(learner) is damaged (\(self)); `laurel replay` builds it again"
        )
    }
}

extension TrackProjection {
    /// Reads a row of progress. The language tag is in the cell after the columns of the relation.
    fileprivate init(_ rows: TableRows, _ row: Int) throws(Corruption) {
        self.init(language: rows.string(row, TrackNumbers.relation.width))
        try numbers.read(rows, row)
    }
}
