// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    func identityRuns(_ positions: [(family: IdentityFamily, number: Int64)]) throws -> [ClosedRange<Int64>?] {
        let statement = try connection.statement(
            """
            SELECT low, more FROM identities WHERE learner = ? AND family = ? AND low <= ?
            ORDER BY low DESC LIMIT 1
            """
        )
        return try positions.map { family, number in
            statement.reset()
            try statement.bind([.integer(family.learner), .integer(family.number), .integer(number)])
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            let (low, more) = (statement.integer(0), statement.integer(1))
            // An id that counts up has at most 18 digits.
            guard more >= 0, low.magnitude < 1 << 60, more < 1 << 60 else {
                throw statement.damage("identities from \(low) on, \(more) more")
            }
            return low...low + more
        }
    }

    func forEachIdentityRun(of learner: Int64, _ body: (Int64, Int64, Int64) throws -> Void) throws {
        let statement = try connection.statement(
            "SELECT family, low, more FROM identities WHERE learner = ? ORDER BY family, low"
        )
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        while try statement.step() { try body(statement.integer(0), statement.integer(1), statement.integer(2)) }
    }

    func write(_ runs: [IdentityRun]) throws {
        try run("INSERT OR REPLACE INTO identities VALUES (?, ?, ?, ?)", each: runs) { run, row in
            row.bind(run.family.learner)
            row.bind(run.family.number)
            row.bind(run.numbers.lowerBound)
            row.bind(run.numbers.upperBound - run.numbers.lowerBound)
        }
    }

    func delete(_ runs: [IdentityRun]) throws {
        try run("DELETE FROM identities WHERE learner = ? AND family = ? AND low = ?", each: runs) { run, row in
            row.bind(run.family.learner)
            row.bind(run.family.number)
            row.bind(run.numbers.lowerBound)
        }
    }

    // MARK: Leaves

    func hasIdentityLeaves() throws -> Bool {
        try connection.number("SELECT 1 FROM identity_leaves LIMIT 1") != nil
    }

    func hasIdentityLeaves(_ learners: [Int64]) throws -> [Bool] {
        try learners.map {
            try connection.number("SELECT 1 FROM identity_leaves WHERE learner = ? LIMIT 1", .integer($0)) != nil
        }
    }

    func identityLeaves(_ hashes: [IdentityHash]) throws -> [(leaf: IdentityLeaf, end: Int64)] {
        var leaves: [(leaf: IdentityLeaf, end: Int64)] = []
        // A learner who has no leaves.
        var without: Int64?
        for hash in hashes where hash.learner != without {
            if let (leaf, end) = leaves.last, leaf.learner == hash.learner, hash.hash < end { continue }
            if let leaf = try identityLeaf(of: hash.learner, hash: hash.hash) {
                leaves.append(leaf)
            } else {
                without = hash.learner
            }
        }
        return leaves
    }

    private func identityLeaf(of learner: Int64, hash: Int64) throws -> (leaf: IdentityLeaf, end: Int64)? {
        let leaf = try row(
            "SELECT low, data FROM identity_leaves WHERE learner = ? AND low <= ? ORDER BY low DESC LIMIT 1",
            .integer(learner),
            .integer(hash)
        ) { IdentityLeaf(learner: learner, low: $0.integer(0), data: $0.array(1)) }
        guard let leaf else { return nil }
        let end = try connection.number(
            "SELECT low FROM identity_leaves WHERE learner = ? AND low > ? ORDER BY low LIMIT 1",
            .integer(learner),
            .integer(hash)
        )
        return (leaf, end ?? .max)
    }

    func identityLeaves(of learner: Int64) throws -> [IdentityLeaf] {
        try rows("SELECT low, data FROM identity_leaves WHERE learner = ? ORDER BY low", .integer(learner)) {
            IdentityLeaf(learner: learner, low: $0.integer(0), data: $0.array(1))
        }
    }

    func write(_ leaves: [IdentityLeaf]) throws {
        try run("INSERT OR REPLACE INTO identity_leaves VALUES (?, ?, ?)", each: leaves) { leaf, row in
            row.bind(leaf.learner)
            row.bind(leaf.low)
            row.bind(blob: leaf.data)
        }
    }

    func deleteIdentityLeaves(of learners: [Int64]) throws {
        try run("DELETE FROM identity_leaves WHERE learner = ?", each: learners) { $1.bind($0) }
    }
}
