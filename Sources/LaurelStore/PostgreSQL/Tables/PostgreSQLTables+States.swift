// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Snapshots, checkpoints, and what concerns achievements.
extension PostgreSQLTables {
    func snapshot(of learner: Int64) throws -> [UInt8]? {
        try rows(DerivedSQL.snapshot, [.integer(row.edition), .integer(learner)]).first?.array(0)
    }

    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> StoredFoldState? {
        let parameters: [Parameter] = [.integer(row.edition), .integer(learner), .integer(milliseconds)]
        return try rows(DerivedSQL.checkpointBefore, parameters).first.map { row in
            let place = CheckpointPlace(milliseconds: row.integer(1), events: Int(row.integer(2)))
            return StoredFoldState(key: PackedSnapshot.Key(learner: learner, place: place), data: row.array(0))
        }
    }

    func checkpoints(of learner: Int64) throws -> [CheckpointPlace] {
        try rows(DerivedSQL.checkpoints, [.integer(row.edition), .integer(learner)]).map { row in
            CheckpointPlace(milliseconds: try instant(row, 0), events: try amount(row, 1))
        }
    }

    func keptStates(of learners: [Int64]) throws -> [StoredStates] {
        var kept = learners.map { _ in StoredStates(snapshot: nil, checkpoints: []) }
        guard !learners.isEmpty else { return kept }
        let parameters: [Parameter] = [.integer(row.edition), .integers(learners)]
        let (snapshots, checkpoints) = try rows(
            (DerivedSQL.snapshotsOfLearners, parameters),
            (DerivedSQL.checkpointsOfLearners, parameters)
        )
        for row in snapshots { kept[try place(row, of: learners.count)].snapshot = row.array(1) }
        for row in checkpoints {
            let place = CheckpointPlace(milliseconds: try instant(row, 1), events: try amount(row, 2))
            kept[try self.place(row, of: learners.count)].checkpoints.append(place)
        }
        return kept
    }

    func write(_ states: [StoredFoldState], in place: DerivedPlace) throws {
        try expectOwn(states.lazy.map(\.key.learner))
        let edition = try edition(place)
        let snapshots = states.filter { $0.key.place == nil }
        if !snapshots.isEmpty {
            try send(
                DerivedSQL.writeSnapshots,
                [edition, .integers(snapshots.lazy.map(\.key.learner)), data(of: snapshots)]
            )
        }
        let checkpoints = states.filter { $0.key.place != nil }
        if !checkpoints.isEmpty {
            try send(
                DerivedSQL.writeCheckpoints,
                [
                    edition, .integers(checkpoints.lazy.map(\.key.learner)),
                    .integers(checkpoints.lazy.map { $0.key.place!.milliseconds }),
                    .integers(checkpoints.lazy.map { Int64($0.key.place!.events) }), data(of: checkpoints),
                ]
            )
        }
    }

    private func data(of states: [StoredFoldState]) -> Parameter {
        var data = ParameterList(.bytea)
        for state in states { data.append(state.data) }
        return .list(data)
    }

    func deleteSnapshots(of learners: [Int64], in place: DerivedPlace) throws {
        try send(DerivedSQL.deleteSnapshots, [try edition(place), .integers(learners)])
    }

    func deleteCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws {
        try send(
            DerivedSQL.deleteCheckpoints,
            [.integer(row.edition), .integer(learner), .integers(places.lazy.map(\.milliseconds))]
        )
    }

    func emptyDerivedTables() throws {
        for statement in [
            DerivedSQL.emptyProgress, .emptyDays, .emptyAchievements, .emptySnapshots, .emptyCheckpoints,
        ] {
            try send(statement, [.integer(row.edition)] + bounds)
        }
    }

    // MARK: Achievements

    func setHidden(_ hidden: [(achievement: String, isHidden: Bool)]) throws {
        guard !hidden.isEmpty else { return }
        var truths = ParameterList(.bool)
        for (_, isHidden) in hidden { truths.append(isHidden) }
        let ids = Parameter.stored(hidden.map { Array($0.achievement.utf8) })
        try send(DerivedSQL.hide, [.integer(row.edition)] + bounds + [ids, .list(truths)])
    }

    func learners(withSnapshotOrProgressIn achievements: [String]) throws -> [Int64] {
        let names = Parameter.stored(achievements.map { Array($0.utf8) })
        return try numbers(DerivedSQL.learnersWithSnapshotOrProgress, [.integer(row.edition)] + allBounds + [names])
    }
}
