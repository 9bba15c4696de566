// SPDX-License-Identifier: Apache-2.0

extension StoreSession {
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [StoredStates] {
        try tables.keptStates(of: learners, wanted).map { packed, points in
            StoredStates(state: packed.flatMap { unpack($0.data, of: $0.key) }, points: points)
        }
    }

    func dropDerivedState() throws {
        try touchAllLearners()
        try tables.emptyDerivedTables()
        noteEmptiedTables()
    }

    func setHidden(_ hidden: [String: Bool]) throws {
        try touchAllLearners()
        try tables.setHidden(hidden.map { ($0.key, $0.value) })
    }

    // MARK: The shadow

    func beginShadow() throws {
        guard try !tables.hasLeftovers() else { throw StoreError(.misuse, "there is a shadow already") }
        try tables.makeShadow()
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        try touchAllLearners()
        try tables.adoptShadow(extent)
        for writer in projectionWriters.values { writer.forgetRows() }
        for part in parts { part.forgetDerivedRows() }
    }

    func forgetChanges(of learners: [Int64]) throws {
        if !learners.isEmpty { try tables.forgetChanges(of: learners) }
    }
}
