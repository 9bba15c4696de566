// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension AllBucketsTransaction: BucketsTransaction, StoreAdministration {
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
        guard let partition = try changes.onlyPartition() else { return }
        try part(partition, in: changes.place).write(changes)
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
            let edition = tables.row.edition
            changeRows { $0.edition = edition }
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
        case .commits(above: let last): try numberCommits(from: last + 1)
        }
    }

    // MARK: Quarantine

    /// What names nobody stays together, in the order in which it came.
    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        try (line.subject.map(part(named:)) ?? part(0)).quarantine(line, nextPiece: nextPiece)
    }

    func dropQuarantined(ids: [Int64]?) throws {
        if let ids { return try dropQuarantined(ids) }
        try tables.deleteQuarantined(nil)
        changeRows { $0.quarantineBytes = 0 }
        for part in parts.values { try part.session.dropQuarantined(ids: nil) }
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
