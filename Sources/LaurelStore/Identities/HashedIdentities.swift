// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The identities of a learner whose ids do not count, by hashes.
///
/// The ids themselves are in the blocks, so hashes are kept only where looking there takes long. A learner has either
/// ``IdentityLeaves`` for all ids, or none. Who has none is looked up in the blocks once in a transaction, and then in
/// ``OpenIdentities``; what the transaction does last decides who has leaves from then on.
struct HashedIdentities {
    private let session: StoreSession
    private let leaves: IdentityLeaves

    init(_ session: StoreSession) {
        self.session = session
        leaves = IdentityLeaves(session.tables)
    }

    /// Which of some hashes, ascending, look as if they were there.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        if let known = session.openIdentities.contains(learner, hashes) { return known }
        if try session.hasLeaves(learner) { return try leaves.contains(learner, hashes) }
        try session.searchIdentities(of: learner)
        return session.openIdentities.contains(learner, hashes)!
    }

    /// Adds hashes, ascending. Unless the learner has no events yet, ``contains(_:_:)`` has been asked before.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        if session.openIdentities[learner] == nil {
            if try session.hasLeaves(learner) { return try leaves.add(learner, hashes) }
            session.openIdentities.open(learner, [])
        }
        session.openIdentities.add(learner, hashes)
    }
}

extension StoreSession {
    /// Opens the hashes of those learners of a batch who are to be looked up in the blocks: together, so that each block
    /// is decoded once, on all cores. Does nothing where that is not worth decoding whole blocks.
    func searchIdentities(of groups: [LearnerRows], _ table: EventTable) throws {
        guard groups.count >= options.searchedTogether else { return }
        let learners = try withoutLeaves(groups.filter { haveHashedIdentities($0, table) }.map(\.learner).sorted())
        guard learners.count >= options.searchedTogether,
            Int64(learners.count) * 4 > learners.last! - learners.first!
        else { return }
        var open: [Int64: DecodedBlock] = [:]
        for start in stride(from: 0, to: learners.count, by: StoreSession.searchedAtOnce)
        where openIdentities.bytes < options.openIdentityBytes {
            let some = learners[start..<min(start + StoreSession.searchedAtOnce, learners.count)]
            let wanted = Set(some)
            let query = EventQuery(learners: some.first!...some.last!)
            let entries = try tables.runs([query]).filter { wanted.contains($0.learner) }
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

    /// Whether a learner's ids, unless they are in leaves, are to be looked for in blocks, of which there are few.
    private func haveHashedIdentities(_ group: LearnerRows, _ table: EventTable) -> Bool {
        openIdentities[group.learner] == nil
            && (1...options.eventsPerGroup).contains(openLearners.counts[group.learner]?.stored ?? 0)
            && group.rows.contains { table.identifiers[$0].style == EventIdentifier.whole }
    }

    private func withoutLeaves(_ learners: [Int64]) throws -> [Int64] {
        // Too few are not searched together anyway.
        guard learners.count >= options.searchedTogether else { return [] }
        return zip(learners, try tables.hasIdentityLeaves(learners)).filter { !$0.1 }.map(\.0)
    }

    /// Looks through all stored ids of a learner, and opens their hashes.
    /// - Parameter visit: is told every stored event, with its table and key.
    func searchIdentities(
        of learner: Int64,
        visit: IdentityVisit = { _, _, _ in }
    ) throws {
        var entries = try tables.runs([EventQuery(learners: learner...learner)])[...]
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
        let tail = try self.tail([EventQuery(learners: found.learner...found.learner)])
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
        let leaves = IdentityLeaves(tables)
        for learner in openIdentities.changed.sorted() { try leaves.add(learner, openIdentities[learner]!) }
        openIdentities = OpenIdentities()
    }

    /// Keeps leaves of those learners only whose ids are not easily found in the blocks. A learner who is written to
    /// keeps them until then.
    func settleIdentities() throws {
        guard hasNewBlocks || !openIdentities.learners.isEmpty else { return }
        // Where all ids count, nobody need be asked for.
        if hasNewBlocks, try !openIdentities.learners.isEmpty || tables.hasIdentityLeaves() {
            let learners = learnersInNewBlocks.union(openIdentities.learners).sorted()
            for (learner, hasLeaves) in zip(learners, try tables.hasIdentityLeaves(learners)) {
                guard hasLeaves || openIdentities[learner] != nil, try isEasilySearched(learner) else { continue }
                openIdentities.forget(learner)
                if hasLeaves { try tables.deleteIdentityLeaves(of: [learner]) }
            }
        }
        try closeIdentities()
    }

    func hasLeaves(_ learner: Int64) throws -> Bool { try tables.hasIdentityLeaves([learner])[0] }

    private func isEasilySearched(_ learner: Int64) throws -> Bool {
        let (runs, events) = try tables.countRuns(of: learner)
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

    init(_ session: StoreSession, _ learner: Int64) throws {
        self.learner = learner
        let events = try session.openLearners.counts[learner]?.stored ?? session.learner(learner)?.eventCount ?? 0
        // Doubling would leave as much again free, for thousands of learners.
        hashes.reserveCapacity(min(events, FoundIdentities.mostReserved))
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
