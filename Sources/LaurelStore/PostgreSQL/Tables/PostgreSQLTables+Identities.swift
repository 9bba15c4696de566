// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func identityRuns(_ positions: [(family: IdentityFamily, number: Int64)]) throws -> [ClosedRange<Int64>?] {
        var runs = [ClosedRange<Int64>?](repeating: nil, count: positions.count)
        let asked = TableRows(positions, width: 3) { index, row in
            row.append(index.family.learner)
            row.append(index.family.number)
            row.append(index.number)
        }
        try forEachRow(.identityRuns, asked) { index, row in
            let (low, more) = (row.integer(1), row.integer(2))
            // An id that counts up has at most 18 digits.
            guard more >= 0, low.magnitude < 1 << 60, more < 1 << 60 else {
                throw damage("identities from \(low) on, \(more) more")
            }
            runs[index] = low...low + more
        }
        return runs
    }

    func forEachIdentityRun(of learner: Int64, _ body: (Int64, Int64, Int64) throws -> Void) throws {
        try forEachRow(.identityRunsOfLearners, TableRows([learner])) {
            try body($1.integer(1), $1.integer(2), $1.integer(3))
        }
    }

    func write(_ runs: [IdentityRun]) throws {
        let rows = TableRows(runs, width: 4) { run, row in
            row.append(run.family.learner)
            row.append(run.family.number)
            row.append(run.numbers.lowerBound)
            row.append(run.numbers.upperBound - run.numbers.lowerBound)
        }
        try send(.writeIdentities, rows)
    }

    func delete(_ runs: [IdentityRun]) throws {
        let keys = TableRows(runs, width: 3) { run, row in
            row.append(run.family.learner)
            row.append(run.family.number)
            row.append(run.numbers.lowerBound)
        }
        try send(.deleteIdentities, keys)
    }

    // MARK: Leaves

    func hasIdentityLeaves() throws -> Bool {
        try !found(.haveLeavesOfPartitions, TableRows(held.map(\.partition))).isEmpty
    }

    func hasIdentityLeaves(_ learners: [Int64]) throws -> [Bool] {
        var found = [Bool](repeating: false, count: learners.count)
        try forEachRow(.haveLeaves, TableRows(learners)) { index, _ in found[index] = true }
        return found
    }

    func identityLeaves(_ hashes: [IdentityHash]) throws -> [(leaf: IdentityLeaf, end: Int64)] {
        guard !hashes.isEmpty else { return [] }
        let parts = hashes.indices.runs { hashes[$0].learner >> 32 == hashes[$1].learner >> 32 }.map { hashes[$0] }
        let calls = parts.map { part -> (sql: String, parameters: [Parameter]) in
            let positions: [Parameter] = [.integers(part.lazy.map(\.learner)), .integers(part.lazy.map(\.hash))]
            return (IdentitySQL.leaves.rawValue, [.integer(part.first!.learner >> 32)] + positions)
        }
        return try translating { try $0.rows(of: calls) }.joined().map { row in
            let leaf = IdentityLeaf(learner: row.integer(0), low: row.integer(1), data: row.array(2))
            return (leaf, row.isNull(3) ? .max : row.integer(3))
        }
    }

    func identityLeaves(of learner: Int64) throws -> [IdentityLeaf] {
        try found(.leavesOfLearners, TableRows([learner])).map {
            IdentityLeaf(learner: learner, low: $0.row.integer(1), data: $0.row.array(2))
        }
    }

    func write(_ leaves: [IdentityLeaf]) throws {
        let rows = TableRows(leaves, width: 3) { leaf, row in
            row.append(leaf.learner)
            row.append(leaf.low)
            row.append(bytes: leaf.data)
        }
        try send(.writeLeaves, rows)
    }

    func deleteIdentityLeaves(of learners: [Int64]) throws { try send(.deleteLeaves, TableRows(learners)) }
}
