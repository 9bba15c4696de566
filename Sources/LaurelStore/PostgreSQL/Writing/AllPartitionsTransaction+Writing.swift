// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension AllPartitionsTransaction: PartitionsTransaction, StoreAdministration {
    /// Writes what is of one partition, or, where there are no rows but its own, of any.
    func write(_ changes: LearnerWrites) throws {
        // One writer knows all rows there are, and takes those of many partitions at one go.
        if wasEmptied, changes.place == .stored { return try everybody.write(changes) }
        guard let partition = try changes.onlyPartition() else { return }
        try part(partition, in: changes.place).write(changes)
    }

    func dropDerivedState() throws {
        touchEverybody()
        try tables.emptyDerivedTables()
        let edition = tables.row.edition
        changeRows { $0.edition = edition }
        noteEmptiedTables()
    }

    func setHidden(_ hidden: [String: Bool]) throws {
        touchEverybody()
        try tables.setHidden(hidden.map { ($0.key, $0.value) })
    }

    // MARK: Rules and settings

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

    func setTimeZones(_ version: String) throws {
        noteNewSettings()
        try everybody.setTimeZones(version)
    }

    func setFoldVersion(_ version: UInt64) throws {
        noteNewSettings()
        try everybody.setFoldVersion(version)
    }

    // MARK: The shadow

    func beginShadow() throws {
        try everybody.beginShadow()
        let edition = tables.row.builtEdition
        changeRows { $0.builtEdition = edition }
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        _ = try settled()
        touchEverybody()
        try tables.adoptShadow(extent)
        takeEdition()
        for part in parts.values { part.session.forgetRows() }
    }

    func forgetChanges(of learners: [Int64]) throws {
        if !learners.isEmpty { try settled().forgetChanges(of: learners) }
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

    // MARK: Quarantine

    /// Stores a refused line with its learner. Lines that name no learner stay together, in the order in which they came.
    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        try (line.subject.map(part(named:)) ?? part(0)).quarantine(line, nextPiece: nextPiece)
    }

    func dropQuarantined(ids: [Int64]?) throws {
        if let ids { return try dropQuarantined(ids) }
        try tables.deleteQuarantined(nil)
        changeRows { $0.quarantineBytes = 0 }
        for part in parts.values { try part.session.dropQuarantined(ids: nil) }
    }
}
