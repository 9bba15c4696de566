// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Snapshots, checkpoints, and queries on achievements.
extension PostgreSQLTables {
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [PackedStates] {
        var kept = learners.map { _ in PackedStates(state: nil, points: []) }
        guard !learners.isEmpty else { return kept }
        let asked = TableRows(learners)
        func take(snapshots: [Found]) {
            for (index, row) in snapshots {
                let key = PackedSnapshot.Key(learner: learners[index])
                kept[index].state = StoredFoldState(key: key, data: row.array(1))
            }
        }
        func take(points: [Found]) throws {
            for (index, row) in points {
                let point = CheckpointPoint(milliseconds: try instant(row, 1), events: try amount(row, 2))
                kept[index].points.append(point)
            }
        }
        switch wanted {
        case .snapshots: take(snapshots: try found(.snapshots, asked))
        case .points: try take(points: found(.places, asked))
        case .snapshotsAndPoints:
            let found = try found([(.snapshots, asked), (.places, asked)])
            take(snapshots: found[0])
            try take(points: found[1])
        case .checkpoints(let milliseconds):
            let asked = TableRows(learners, width: 2) { learner, row in
                row.append(learner)
                row.append(milliseconds)
            }
            try forEachRow(.checkpointsBefore, asked) { index, row in
                let at = CheckpointPoint(milliseconds: row.integer(2), events: Int(row.integer(3)))
                let key = PackedSnapshot.Key(learner: learners[index], point: at)
                kept[index].state = StoredFoldState(key: key, data: row.array(1))
            }
        }
        return kept
    }

    func write(_ states: [StoredFoldState], in target: DerivedTarget) throws {
        let snapshots = TableRows(states.filter { $0.key.point == nil }, width: 2) { state, row in
            row.append(state.key.learner)
            row.append(bytes: state.data)
        }
        let checkpoints = TableRows(states.filter { $0.key.point != nil }, width: 4) { state, row in
            row.append(state.key.learner)
            row.append(state.key.point!.milliseconds)
            row.append(state.key.point!.events)
            row.append(bytes: state.data)
        }
        try send(.writeSnapshots, snapshots, in: target)
        try send(.writeCheckpoints, checkpoints, in: target)
    }

    func deleteSnapshots(of learners: [Int64], in target: DerivedTarget) throws {
        try send(.deleteSnapshots, TableRows(learners), in: target)
    }

    func deleteCheckpoints(of learner: Int64, at points: [CheckpointPoint]?) throws {
        guard let points else { return try send(.deleteAllCheckpoints, TableRows([learner])) }
        let keys = TableRows(points, width: 2) { index, row in
            row.append(learner)
            row.append(index.milliseconds)
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
