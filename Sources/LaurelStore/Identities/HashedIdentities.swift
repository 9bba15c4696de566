// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The identities of a learner whose ids do not count, by hashes.
///
/// The ids themselves are in the blocks, so hashes are kept only where looking there takes long. A learner has either
/// ``IdentityLeaves`` for all ids, or none. Who has none is looked up in the blocks once in a transaction, and then in
/// ``OpenIdentities``; what the transaction does last decides who has leaves from then on.
struct HashedIdentities {
    private let session: SQLiteSession
    private let leaves: IdentityLeaves

    init(_ session: SQLiteSession) throws {
        self.session = session
        leaves = try IdentityLeaves(session.connection)
    }

    /// Which of some hashes, ascending, look as if they were there.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        if let known = session.openIdentities.contains(learner, hashes) { return known }
        if try leaves.has(learner) { return try leaves.contains(learner, hashes) }
        try session.searchIdentities(of: learner)
        return session.openIdentities.contains(learner, hashes)!
    }

    /// Adds hashes, ascending. Unless the learner has no events yet, ``contains(_:_:)`` has been asked before.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        if session.openIdentities[learner] == nil {
            if try leaves.has(learner) { return try leaves.add(learner, hashes) }
            session.openIdentities.open(learner, [])
        }
        session.openIdentities.add(learner, hashes)
    }
}

extension SQLiteSession {
    /// Opens the hashes of those learners of a batch who are to be looked up in the blocks: together, so that each block
    /// is decoded once, on all cores. Does nothing where that is not worth decoding whole blocks.
    func searchIdentities(of groups: [LearnerRows], _ table: EventTable) throws {
        guard groups.count >= options.searchedTogether else { return }
        let learners = try groups.filter { try mustSearchIdentities(of: $0, table) }.map(\.learner).sorted()
        guard learners.count >= options.searchedTogether,
            Int64(learners.count) * 4 > learners.last! - learners.first!
        else { return }
        var open: [Int64: DecodedBlock] = [:]
        for start in stride(from: 0, to: learners.count, by: SQLiteSession.searchedAtOnce)
        where openIdentities.bytes < options.openIdentityBytes {
            let some = learners[start..<min(start + SQLiteSession.searchedAtOnce, learners.count)]
            let wanted = Set(some)
            let entries = try entries(learners: some.first!...some.last!).filter { wanted.contains($0.learner) }
            try forEachLearner(of: entries, .identities, &open) { entries, open in
                var found = try FoundIdentities(self, entries.first!.learner)
                for entry in entries {
                    let run = try run(entry, of: open[entry.block]!)
                    found.take(run.table, run.rows)
                }
                try self.open(&found)
            }
        }
    }

    private static let searchedAtOnce = 1024

    /// Whether a learner's ids are to be looked for in blocks, of which there are few.
    private func mustSearchIdentities(of group: LearnerRows, _ table: EventTable) throws -> Bool {
        guard openIdentities[group.learner] == nil,
            group.rows.contains(where: { table.identifiers[$0].style == EventIdentifier.whole }),
            let learner = try self.learner(group.learner), (1...options.eventsPerGroup).contains(learner.eventCount)
        else { return false }
        return try !IdentityLeaves(connection).has(group.learner)
    }

    /// Looks through all stored ids of a learner, and opens their hashes.
    /// - Parameter visit: is told every stored event, with its table and key.
    func searchIdentities(
        of learner: Int64,
        visit: IdentityVisit = { _, _, _ in }
    ) throws {
        var entries = try entries(of: learner, since: .min, until: .max)[...]
        var found = try FoundIdentities(self, learner)
        while !entries.isEmpty {
            for run in try runs(Array(entries.prefix(options.searchedRuns)), .identities) {
                found.take(run.table, run.rows, visit)
            }
            entries = entries.dropFirst(options.searchedRuns)
        }
        try open(&found, visit)
    }

    /// Opens a learner's hashes, given those of all blocks.
    private func open(_ found: inout FoundIdentities, _ visit: IdentityVisit = { _, _, _ in }) throws {
        for stretch in unwritten.stretches(of: found.learner) {
            found.take(stretch.events.table(stretch.rows), 0..<stretch.rows.count, visit)
        }
        let tail = try self.tail(learners: found.learner...found.learner, times: .min ... .max)
        if let run = tail.runs.first { found.take(tail.table, run.rows, visit) }
        openIdentities.open(found.learner, found.hashes.sorted())
    }

    /// To be called before anything reads stored events: they are in blocks then, and the memory is free for it.
    func endAppending() throws {
        try writeUnwritten()
        if !openIdentities.learners.isEmpty { try settleIdentities() }
    }

    /// Writes open hashes to leaves, and forgets them. Whoever got nothing new is left as found: duplicates cost no space.
    func closeIdentities() throws {
        let leaves = try IdentityLeaves(connection)
        for learner in openIdentities.changed.sorted() { try leaves.add(learner, openIdentities[learner]!) }
        openIdentities = OpenIdentities()
    }

    /// Keeps leaves of those learners only whose ids are not easily found in the blocks. A learner who is written to
    /// keeps them until then.
    func settleIdentities() throws {
        guard hasNewBlocks || !openIdentities.learners.isEmpty else { return }
        let leaves = try IdentityLeaves(connection)
        // Where all ids count, nobody need be asked for.
        if hasNewBlocks, try !openIdentities.learners.isEmpty || leaves.areThere() {
            for learner in learnersInNewBlocks.union(openIdentities.learners).sorted() {
                let isOpen = openIdentities[learner] != nil
                let hasLeaves = try leaves.has(learner)
                guard isOpen || hasLeaves, try isEasilySearched(learner) else { continue }
                openIdentities.forget(learner)
                if hasLeaves { try leaves.removeAll(of: learner) }
            }
        }
        try closeIdentities()
    }

    private func isEasilySearched(_ learner: Int64) throws -> Bool {
        let statement = try connection.statement("SELECT count(*), sum(rows) FROM runs WHERE learner = ?")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        guard try statement.step() else { return false }
        let (runs, events) = (statement.count(0), statement.count(1))
        return runs > 0 && runs <= options.searchedRuns && events >= runs * options.searchedRunLength
    }
}

/// Is told of a stored event, with its table and key.
typealias IdentityVisit = (EventTable, Int, IdentityKey) -> Void

/// The hashes of a learner's ids, as they are come across.
private struct FoundIdentities {
    let learner: Int64
    private(set) var hashes: [Int64] = []

    /// Damage may have made any number of a count.
    private static let mostReserved = 1 << 22

    init(_ session: SQLiteSession, _ learner: Int64) throws {
        self.learner = learner
        // Doubling would leave as much again free, for thousands of learners.
        hashes.reserveCapacity(min(try session.learner(learner)?.eventCount ?? 0, FoundIdentities.mostReserved))
    }

    mutating func take(_ table: EventTable, _ rows: some Collection<Int>, _ visit: IdentityVisit = { _, _, _ in }) {
        var keys = IdentityKeys()
        for row in rows {
            let key = keys.key(table, row)
            if key.family == IdentityKey.hashedFamily { hashes.append(key.number) }
            visit(table, row, key)
        }
    }
}
