// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func identityRuns(_ places: [(family: IdentityFamily, number: Int64)]) throws -> [ClosedRange<Int64>?] {
        guard !places.isEmpty else { return [] }
        var runs = [ClosedRange<Int64>?](repeating: nil, count: places.count)
        let parameters: [Parameter] = [
            .integers(places.lazy.map(\.family.learner)), .integers(places.lazy.map(\.family.number)),
            .integers(places.lazy.map(\.number)),
        ]
        for row in try rows(IdentitySQL.runs, parameters) {
            let (low, more) = (row.integer(1), row.integer(2))
            // An id that counts has at most 18 digits.
            guard more >= 0, low.magnitude < 1 << 60, more < 1 << 60 else {
                throw damage("identities from \(low) on, \(more) more")
            }
            runs[try place(row, of: places.count)] = low...low + more
        }
        return runs
    }

    func forEachIdentityRun(of learner: Int64, _ body: (Int64, Int64, Int64) throws -> Void) throws {
        for row in try rows(IdentitySQL.runsOfLearner, [.integer(learner)]) {
            try body(row.integer(0), row.integer(1), row.integer(2))
        }
    }

    func write(_ runs: [IdentityRun]) throws {
        guard !runs.isEmpty else { return }
        try send(
            IdentitySQL.write,
            [
                .integers(runs.lazy.map(\.family.learner)), .integers(runs.lazy.map(\.family.number)),
                .integers(runs.lazy.map(\.numbers.lowerBound)),
                .integers(runs.lazy.map { $0.numbers.upperBound - $0.numbers.lowerBound }),
            ]
        )
    }

    func delete(_ runs: [IdentityRun]) throws {
        guard !runs.isEmpty else { return }
        try send(
            IdentitySQL.delete,
            [
                .integers(runs.lazy.map(\.family.learner)), .integers(runs.lazy.map(\.family.number)),
                .integers(runs.lazy.map(\.numbers.lowerBound)),
            ]
        )
    }

    // MARK: Leaves

    func hasIdentityLeaves() throws -> Bool { try number(IdentitySQL.hasLeaves, bounds) == 1 }

    func hasIdentityLeaves(_ learners: [Int64]) throws -> [Bool] {
        guard !learners.isEmpty else { return [] }
        var found = [Bool](repeating: false, count: learners.count)
        for row in try rows(IdentitySQL.haveLeaves, [.integers(learners)]) {
            found[try place(row, of: learners.count)] = true
        }
        return found
    }

    func identityLeaves(_ hashes: [IdentityHash]) throws -> [(leaf: IdentityLeaf, end: Int64)] {
        guard !hashes.isEmpty else { return [] }
        let places: [Parameter] = [.integers(hashes.lazy.map(\.learner)), .integers(hashes.lazy.map(\.hash))]
        return try rows(IdentitySQL.leaves, places).map { row in
            let leaf = IdentityLeaf(learner: row.integer(0), low: row.integer(1), data: row.array(2))
            return (leaf, row.isNull(3) ? .max : row.integer(3))
        }
    }

    func identityLeaves(of learner: Int64) throws -> [IdentityLeaf] {
        try rows(IdentitySQL.leavesOfLearner, [.integer(learner)]).map {
            IdentityLeaf(learner: learner, low: $0.integer(0), data: $0.array(1))
        }
    }

    func write(_ leaves: [IdentityLeaf]) throws {
        guard !leaves.isEmpty else { return }
        var data = ParameterList(.bytea)
        for leaf in leaves { data.append(leaf.data) }
        let keys: [Parameter] = [.integers(leaves.lazy.map(\.learner)), .integers(leaves.lazy.map(\.low))]
        try send(IdentitySQL.writeLeaves, keys + [.list(data)])
    }

    func deleteIdentityLeaves(of learners: [Int64]) throws {
        if !learners.isEmpty { try send(IdentitySQL.deleteLeaves, [.integers(learners)]) }
    }
}
