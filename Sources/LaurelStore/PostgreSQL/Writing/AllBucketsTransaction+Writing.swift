// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension AllBucketsTransaction: StoreAdministration {
    // MARK: Learners and events

    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64] {
        var ids = [Int64](repeating: 0, count: subjects.count)
        let places = Dictionary(grouping: subjects.indices) { Partition.of(subjects[$0], among: versions.count) }
        for (partition, places) in places.sorted(by: { $0.key < $1.key }) {
            let found = try part(partition).session.learnerIDs(for: places.map { subjects[$0] })
            for (place, id) in zip(places, found) { ids[place] = id }
        }
        return ids
    }

    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult {
        var outcomes = [AppendResult.Outcome](repeating: .skipped, count: table.count)
        var stored: [Int64: LearnerRows] = [:]
        let shares = Dictionary(grouping: groups) { Partition.of(learner: $0.learner) }
        for (partition, groups) in shares.sorted(by: { $0.key < $1.key }) {
            let result = try part(partition).session.append(table, groups: groups)
            for group in groups { for row in group.rows { outcomes[row] = result.outcomes[row] } }
            for rows in result.stored { stored[rows.learner] = rows }
        }
        return AppendResult(outcomes: outcomes, stored: groups.compactMap { stored[$0.learner] })
    }

    func erase(subject: [UInt8]) throws -> Bool { try part(named: subject).erase(subject: subject) }

    func remember(_ copies: [String: [UInt8]?], of learner: Int64) throws {
        try part(of: learner).remember(copies, of: learner)
    }

    // MARK: Progress

    func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in place: DerivedPlace
    ) throws {
        let writer = wasEmptied && place == .stored ? everybody : try part(of: learner, in: place)
        try writer.project(projection, of: learner, days: days, in: place)
    }

    func project(_ batch: any ProjectionBatch) throws {
        guard let prepared = batch as? PreparedProjections else { preconditionFailure("another store's batch") }
        guard let first = prepared.learners.first, let last = prepared.learners.last else { return }
        // One writer knows all rows there are, and takes those of many buckets at one go.
        if wasEmptied { return try everybody.project(batch) }
        guard Partition.of(learner: first.id) == Partition.of(learner: last.id) else {
            throw StoreError(.misuse, "a batch of learners of several partitions replaces nothing")
        }
        try part(of: first.id).project(batch)
    }

    func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64, in place: DerivedPlace) throws {
        try part(of: learner, in: place).saveSnapshot(snapshot, of: learner, in: place)
    }

    func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in place: DerivedPlace) throws {
        try part(of: learner, in: place).saveCheckpoint(checkpoint, of: learner, in: place)
    }

    func saveSnapshotAsCheckpoint(of learner: Int64, at place: CheckpointPlace) throws {
        try part(of: learner).saveSnapshotAsCheckpoint(of: learner, at: place)
    }

    func dropCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws {
        try part(of: learner).dropCheckpoints(of: learner, at: places)
    }

    func dropDerivedState() throws {
        touchEverybody()
        try tables.emptyDerivedTables()
        noteEmptiedTables()
    }

    func setHidden(_ hidden: [String: Bool]) throws {
        touchEverybody()
        try tables.setHidden(hidden.map { ($0.key, $0.value) })
    }

    // MARK: Quarantine

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        let session = try line.subject.map(part(named:)) ?? part(0).session
        return try session.quarantine(line, nextPiece: nextPiece)
    }

    func dropQuarantined(ids: [Int64]?) throws {
        guard let ids else {
            try tables.deleteQuarantined(nil)
            changeRows { $0.quarantineBytes = 0 }
            for part in parts.values { try part.session.dropQuarantined(ids: nil) }
            return
        }
        let shares = Dictionary(grouping: ids, by: Partition.of(learner:))
        for (partition, ids) in shares.sorted(by: { $0.key < $1.key }) where versions.indices.contains(partition) {
            try part(partition).session.dropQuarantined(ids: ids)
        }
    }

    // MARK: Records

    func setServiceRecord(_ name: String, _ value: String?) throws {
        noteNewSettings()
        try everybody.setServiceRecord(name, value)
    }

    func setTimeZones(_ version: String) throws {
        noteNewSettings()
        try everybody.setTimeZones(version)
    }

    func setFoldVersion(_ version: UInt64) throws {
        noteNewSettings()
        try everybody.setFoldVersion(version)
    }

    func setRules(_ rules: RulesRecord) throws {
        touchEverybody()
        try tables.insert(rules)
        everybody.known.rulesKey = nil
    }

    func withdrawRules(from day: LocalDay) throws {
        touchEverybody()
        try tables.withdrawRules(from: day)
        everybody.known.rulesKey = nil
    }

    // MARK: The shadow

    func beginShadow() throws {
        try everybody.beginShadow()
        let edition = tables.row.builtEdition
        changeRows { $0.builtEdition = edition }
    }

    func forgetChanges(of learners: [Int64]) throws {
        _ = try settled()
        try tables.forgetChanges(of: learners)
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        _ = try settled()
        touchEverybody()
        try tables.adoptShadow(extent)
        takeEdition()
        for part in parts.values { part.session.forgetRows() }
    }

    /// Takes back what somebody has left of a shadow.
    func abandonShadow() throws {
        try tables.abandonShadow()
        takeEdition()
    }

    private func takeEdition() {
        let edition = tables.row.edition
        changeRows { ($0.edition, $0.builtEdition) = (edition, 0) }
    }
}
