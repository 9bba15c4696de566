// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The identities of a learner's ids that do not count up, by their hashes.
///
/// The blocks hold the ids, so hashes are stored only where a search of the blocks takes long. A learner has
/// ``HashIndex`` for all ids or for none. A learner without leaves is searched once in a transaction, and the
/// hashes are then in ``TransactionIdentities``. The end of the transaction decides who has leaves from then on.
struct HashedIdentities {
    private let session: StoreSession
    private let leaves: HashIndex

    init(_ session: StoreSession) {
        self.session = session
        leaves = HashIndex(session.tables)
    }

    /// Which of some hashes, ascending, may be stored. A hit must be checked against the events.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        if let known = session.openIdentities.contains(learner, hashes) { return known }
        if try session.hasLeaves(learner) { return try leaves.contains(learner, hashes) }
        try session.searchIdentities(of: learner)
        return session.openIdentities.contains(learner, hashes)!
    }

    /// Adds hashes, ascending. ``contains(_:_:)`` must have been called before, unless the learner has no events yet.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        if session.openIdentities[learner] == nil {
            if try session.hasLeaves(learner) { return try leaves.add(learner, hashes) }
            session.openIdentities.open(learner, [])
        }
        session.openIdentities.add(learner, hashes)
    }
}

extension StoreSession {
    /// Searches the blocks for the hashes of those learners of a batch that need it, all at once. So each block is
    /// decoded once, on all cores. Does nothing if there are too few learners to decode whole blocks for.
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

    /// Whether the batch has ids of a learner that must be searched for in the blocks, unless the learner has leaves.
    /// Learners with many events are searched one by one.
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

    /// Searches all stored ids of a learner, and opens their hashes.
    /// - Parameter visit: called with each stored event: its table, its row and its key.
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

    /// Opens a learner's hashes, once those of all blocks are found. Adds those outside blocks.
    private func open(_ found: inout FoundIdentities, _ visit: IdentityVisit = { _, _, _ in }) throws {
        for stretch in unwritten.stretches(of: found.learner) {
            found.take(stretch.events.table(stretch.rows), 0..<stretch.rows.count, visit)
        }
        let tail = try self.tail([EventQuery(learners: found.learner...found.learner)])
        if let run = tail.runs.first { found.take(tail.table, run.rows, visit) }
        openIdentities.open(found.learner, found.hashes.sorted())
    }

    /// Call it before anything reads stored events. Then all of them are in blocks or in the tail, and memory is free
    /// for the reader.
    func endAppending() throws {
        try writeUnwritten()
        if !openIdentities.learners.isEmpty { try settleIdentities() }
    }

    /// Writes open hashes to leaves, and closes them. Learners without new hashes stay as they were, so duplicates cost
    /// no space.
    func closeIdentities() throws {
        let leaves = HashIndex(tables)
        for learner in openIdentities.changed.sorted() { try leaves.add(learner, openIdentities[learner]!) }
        openIdentities = TransactionIdentities()
    }

    /// Decides who has leaves. Learners whose blocks are searched easily lose them; but a learner who is only written
    /// to keeps them until new blocks are written.
    func settleIdentities() throws {
        guard hasNewBlocks || !openIdentities.learners.isEmpty else { return }
        // In a store where all ids count up, no learner needs to be looked at.
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
        let runs = try tables.runs([EventQuery(learners: learner...learner)])
        let events = runs.reduce(0) { $0 + $1.rows.count }
        return !runs.isEmpty && runs.count <= options.searchedRuns && events >= runs.count * options.searchedRunLength
    }
}

/// Called with a stored event: its table, its row and its key.
typealias IdentityVisit = (EventTable, Int, IdentityKey) -> Void

/// Collects the hashes of a learner's ids.
private struct FoundIdentities {
    let learner: Int64
    private(set) var hashes: [Int64] = []

    /// The most memory to reserve. A damaged count may be any number.
    private static let mostReserved = 1 << 22

    init(_ session: StoreSession, _ learner: Int64) throws {
        self.learner = learner
        let events = try session.openLearners.counts[learner]?.stored ?? session.learner(learner)?.eventCount ?? 0
        // Growth by doubling would leave half of the memory unused, for thousands of learners.
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
