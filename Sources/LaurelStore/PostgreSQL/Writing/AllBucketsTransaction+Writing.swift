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

    /// Writes what is of one partition, or, where there are no rows but its own, of any.
    func write(_ changes: LearnerWrites) throws {
        // One writer knows all rows there are, and takes those of many buckets at one go.
        if wasEmptied, changes.place == .stored, changes.forgotten.isEmpty { return try everybody.write(changes) }
        var changes = changes
        if !changes.forgotten.isEmpty {
            _ = try settled()
            try tables.forgetChanges(of: changes.forgotten)
            changes.forgotten = []
        }
        let learners = (changes.batch as? PreparedProjections)?.learners
        var partitions = Set([learners?.first?.id, learners?.last?.id].compactMap { $0 })
        partitions.formUnion(changes.projections.map(\.learner))
        partitions.formUnion(changes.states.map(\.learner))
        partitions.formUnion(changes.copies.map(\.learner))
        partitions = Set(partitions.map { Int64(Partition.of(learner: $0)) })
        guard let partition = partitions.first else { return }
        guard partitions.count == 1 else {
            throw StoreError(.misuse, "what is written of learners of several partitions at one go replaces nothing")
        }
        try part(Int(partition), in: changes.place).write(changes)
    }

    func apply(_ change: StoreChange) throws {
        switch change {
        case .rules(let rules):
            touchEverybody()
            try tables.insert(rules)
            everybody.known.rulesKey = nil
        case .withdrawnRules(let day):
            touchEverybody()
            try tables.withdrawRules(from: day)
            everybody.known.rulesKey = nil
        case .timeZones, .foldVersion:
            noteNewSettings()
            try everybody.apply(change)
        case .noDerivedState:
            touchEverybody()
            try tables.emptyDerivedTables()
            noteEmptiedTables()
        case .hidden(let hidden):
            touchEverybody()
            try tables.setHidden(hidden.map { ($0.key, $0.value) })
        case .newShadow:
            try everybody.apply(change)
            let edition = tables.row.builtEdition
            changeRows { $0.builtEdition = edition }
        case .adoptedShadow(let extent):
            _ = try settled()
            touchEverybody()
            try tables.adoptShadow(extent)
            takeEdition()
            for part in parts.values { part.session.forgetRows() }
        }
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
