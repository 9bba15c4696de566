// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Snapshots, checkpoints, and what concerns achievements.
extension PostgreSQLTables {
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [PackedStates] {
        var kept = learners.map { _ in PackedStates(state: nil, places: []) }
        guard !learners.isEmpty else { return kept }
        let asked = TableRows(learners)
        func take(snapshots: Rows?) throws {
            for row in snapshots.map(Array.init) ?? [] {
                let place = try place(row, of: learners.count)
                let key = PackedSnapshot.Key(learner: learners[place])
                kept[place].state = StoredFoldState(key: key, data: row.array(1))
            }
        }
        func take(places: Rows?) throws {
            for row in places.map(Array.init) ?? [] {
                let place = CheckpointPlace(milliseconds: try instant(row, 1), events: try amount(row, 2))
                kept[try self.place(row, of: learners.count)].places.append(place)
            }
        }
        switch wanted {
        case .snapshots: try take(snapshots: rows(.snapshots, asked))
        case .places: try take(places: rows(.places, asked))
        case .snapshotsAndPlaces:
            let (snapshots, places) = try rows((.snapshots, asked), (.places, asked))
            try take(snapshots: snapshots)
            try take(places: places)
        case .checkpoints(let milliseconds):
            let asked = TableRows(learners, width: 2) { learner, row in
                row.append(learner)
                row.append(milliseconds)
            }
            try forEachRow(.checkpointsBefore, asked) { place, row in
                let at = CheckpointPlace(milliseconds: row.integer(2), events: Int(row.integer(3)))
                let key = PackedSnapshot.Key(learner: learners[place], place: at)
                kept[place].state = StoredFoldState(key: key, data: row.array(1))
            }
        }
        return kept
    }

    func write(_ states: [StoredFoldState], in place: DerivedPlace) throws {
        let snapshots = TableRows(states.filter { $0.key.place == nil }, width: 2) { state, row in
            row.append(state.key.learner)
            row.append(bytes: state.data)
        }
        let checkpoints = TableRows(states.filter { $0.key.place != nil }, width: 4) { state, row in
            row.append(state.key.learner)
            row.append(state.key.place!.milliseconds)
            row.append(state.key.place!.events)
            row.append(bytes: state.data)
        }
        try send(.writeSnapshots, snapshots, in: place)
        try send(.writeCheckpoints, checkpoints, in: place)
    }

    func deleteSnapshots(of learners: [Int64], in place: DerivedPlace) throws {
        try send(.deleteSnapshots, TableRows(learners), in: place)
    }

    func deleteCheckpoints(of learner: Int64, at places: [CheckpointPlace]?) throws {
        guard let places else { return try send(.deleteAllCheckpoints, TableRows([learner])) }
        let keys = TableRows(places, width: 2) { place, row in
            row.append(learner)
            row.append(place.milliseconds)
        }
        try send(.deleteCheckpoints, keys)
    }

    // MARK: Achievements

    func setHidden(_ hidden: [(achievement: String, isHidden: Bool)]) throws {
        guard !hidden.isEmpty else { return }
        var truths = ParameterList(.bool)
        for (_, isHidden) in hidden { truths.append(isHidden) }
        let ids = Parameter.stored(hidden.map { Array($0.achievement.utf8) })
        try sendToAll(DerivedSQL.hide.rawValue, [.integer(edition)] + bounds + [ids, .list(truths)])
    }
}
