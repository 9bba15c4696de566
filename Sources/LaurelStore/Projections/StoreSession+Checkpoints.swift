// SPDX-License-Identifier: Apache-2.0

extension StoreSession {
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [StoredStates] {
        try tables.keptStates(of: learners, wanted).map { packed, places in
            StoredStates(state: packed.flatMap { unpack($0.data, of: $0.key) }, places: places)
        }
    }

    func apply(_ change: StoreChange) throws {
        switch change {
        case .rules(let rules):
            try touchEverybody()
            known.rulesKey = nil
            try tables.insert(rules)
        case .withdrawnRules(let day):
            try touchEverybody()
            known.rulesKey = nil
            try tables.withdrawRules(from: day)
        case .timeZones(let version): try tables.setSetting(StoreSession.timeZones, version)
        case .foldVersion(let version):
            known.foldVersion = nil
            try tables.setCounter(.fold, Int64(clamping: version))
        case .noDerivedState:
            try touchEverybody()
            try tables.emptyDerivedTables()
            noteEmptiedTables()
        case .hidden(let hidden):
            try touchEverybody()
            try tables.setHidden(hidden.map { ($0.key, $0.value) })
        case .newShadow:
            guard try !tables.hasLeftovers() else { throw StoreError(.misuse, "there is a shadow already") }
            try tables.makeShadow()
        case .adoptedShadow(let extent):
            try touchEverybody()
            try tables.adoptShadow(extent)
            for writer in projectionWriters.values { writer.forgetRows() }
        case .commits(above: let last):
            guard pendingChanges == nil else { throw StoreError(.misuse, "the commit has a number already") }
            firstCommit = max(firstCommit, last + 1)
            try touchEverybody()
        }
    }
}
