// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Snapshots, checkpoints, and what concerns achievements.
extension PostgreSQLTables {
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [PackedStates] {
        var kept = learners.map { _ in PackedStates(state: nil, places: []) }
        let parameters: [Parameter] = [.integer(row.edition), .integers(learners)]
        func take(snapshots: Rows) throws {
            for row in snapshots {
                let place = try place(row, of: learners.count)
                kept[place].state = StoredFoldState(
                    key: PackedSnapshot.Key(learner: learners[place]),
                    data: row.array(1)
                )
            }
        }
        func take(places: Rows) throws {
            for row in places {
                let place = CheckpointPlace(milliseconds: try instant(row, 1), events: try amount(row, 2))
                kept[try self.place(row, of: learners.count)].places.append(place)
            }
        }
        switch wanted {
        case _ where learners.isEmpty: break
        case .snapshots: try take(snapshots: rows(DerivedSQL.snapshotsOfLearners, parameters))
        case .places: try take(places: rows(DerivedSQL.checkpointsOfLearners, parameters))
        case .snapshotsAndPlaces:
            let (snapshots, places) = try rows(
                (DerivedSQL.snapshotsOfLearners, parameters),
                (DerivedSQL.checkpointsOfLearners, parameters)
            )
            try take(snapshots: snapshots)
            try take(places: places)
        case .checkpoints(let milliseconds):
            for index in learners.indices {
                kept[index].state = try checkpoint(of: learners[index], before: milliseconds)
            }
        }
        return kept
    }

    private func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> StoredFoldState? {
        let parameters: [Parameter] = [.integer(row.edition), .integer(learner), .integer(milliseconds)]
        return try rows(DerivedSQL.checkpointBefore, parameters).first.map { row in
            let place = CheckpointPlace(milliseconds: row.integer(1), events: Int(row.integer(2)))
            return StoredFoldState(key: PackedSnapshot.Key(learner: learner, place: place), data: row.array(0))
        }
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

    func deleteCheckpoints(of learner: Int64, at places: [CheckpointPlace]?) throws {
        try send(
            DerivedSQL.deleteCheckpoints,
            [.integer(row.edition), .integer(learner), .integers(orNull: places?.map(\.milliseconds))]
        )
    }

    // MARK: Achievements

    func setHidden(_ hidden: [(achievement: String, isHidden: Bool)]) throws {
        guard !hidden.isEmpty else { return }
        var truths = ParameterList(.bool)
        for (_, isHidden) in hidden { truths.append(isHidden) }
        let ids = Parameter.stored(hidden.map { Array($0.achievement.utf8) })
        try send(DerivedSQL.hide, [.integer(row.edition)] + bounds + [ids, .list(truths)])
    }
}
