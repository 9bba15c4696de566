// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The index of stored ids that do not count up (see ``IdentityKey``). It contains the hashes of these ids.
///
/// Blocks contain all ids. So hashes are stored only for learners whose blocks take long to search. ``HashIndex`` has
/// either all hashes of a learner or none. A learner without leaves is searched once in a transaction, and
/// ``TransactionIdentities`` keeps the hashes. At the end of the transaction, it is decided again which learners have
/// leaves.
struct HashedIdentities {
    private let session: StoreSession
    private let leaves: HashIndex

    init(_ session: StoreSession) {
        self.session = session
        leaves = HashIndex(session.tables)
    }

    /// Finds the stored hashes of a batch's learners, in their leaves or in their events. Call it once, for all
    /// learners who have events.
    /// - Parameter learners: the learners with their hashes, ascending.
    func open(_ learners: [(learner: Int64, hashes: [Int64])]) throws {
        let closed = learners.filter { session.memory.openIdentities[$0.learner] == nil }
        guard !closed.isEmpty else { return }
        try leaves.open(closed)
        let others = closed.map(\.learner).filter { !leaves.hasLeaves($0) }.sorted()
        try session.searchIdentitiesInWholeBlocks(of: others)
        let left = others.filter { session.memory.openIdentities[$0] == nil }
        try session.searchIdentities(of: left)
    }

    /// For each hash, true if the hash may be stored. True is not certain, so the events must be checked.
    /// - Parameter hashes: ascending.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        if let known = session.memory.openIdentities.contains(learner, hashes) { return known }
        return try leaves.contains(learner, hashes)
    }

    /// Adds ascending hashes. Call ``open(_:)`` before, unless the learner has no events yet.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        if session.memory.openIdentities[learner] == nil {
            if leaves.hasLeaves(learner) { return try leaves.add(learner, hashes) }
            session.memory.openIdentities.open(learner, [])
        }
        session.memory.openIdentities.add(learner, hashes)
    }

    /// Writes the hashes that were added to leaves.
    func write() throws { try leaves.write() }
}

extension StoreSession {
    /// Searches the blocks for the hashes of learners without leaves. All learners are searched together, so that
    /// each block is decoded once, on all cores. Learners with many events are skipped. Nothing is done if only a few
    /// learners are left, because decoding whole blocks would take too long.
    /// - Parameter learners: ascending.
    func searchIdentitiesInWholeBlocks(of learners: [Int64]) throws {
        let learners = learners.filter { count(of: $0)?.stored ?? 0 <= options.eventsPerGroup }
        guard learners.count >= options.searchedTogether,
            Int64(learners.count) * 4 > learners.last! - learners.first!
        else { return }
        var open: [Int64: DecodedBlock] = [:]
        for start in stride(from: 0, to: learners.count, by: StoreSession.searchedAtOnce)
        where memory.openIdentities.bytes < options.openIdentityBytes {
            let some = learners[start..<min(start + StoreSession.searchedAtOnce, learners.count)]
            let wanted = Set(some)
            let query = EventQuery(learners: some.first!...some.last!)
            let entries = try tables.runs([query]).filter { wanted.contains($0.learner) }
            var found: [FoundIdentities] = []
            try forEachLearner(of: entries, .identities, &open) { entries, open in
                found.append(try FoundIdentities(self, entries.first!.learner))
                for entry in entries {
                    let run = try run(entry, of: open[entry.block]!)
                    found[found.count - 1].take(run.table, run.rows, nil)
                }
            }
            try self.open(&found, nil)
        }
    }

    private static let searchedAtOnce = 1024

    /// Searches all stored ids of some learners, and keeps the hashes of these ids in ``TransactionIdentities``.
    /// - Parameters:
    ///   - learners: ascending.
    ///   - visit: called with each stored event.
    func searchIdentities(of learners: [Int64], visit: IdentityVisit? = nil) throws {
        var rest = learners[...]
        while let first = rest.first {
            // Takes as many learners as may be decoded at once, by the number of their events.
            var events = count(of: first)?.stored ?? 0
            var some = [first]
            for learner in rest.dropFirst().prefix(StoreSession.searchedAtOnce - 1) {
                events += count(of: learner)?.stored ?? 0
                guard events <= options.eventsPerGroup else { break }
                some.append(learner)
            }
            rest = rest.dropFirst(some.count)
            if some.count == 1 {
                try searchIdentities(of: first, visit)
            } else {
                try searchTogether(some, visit)
            }
        }
    }

    private func searchTogether(_ learners: [Int64], _ visit: IdentityVisit?) throws {
        let entries = try tables.runs(learners.map { EventQuery(learners: $0...$0) })
        let records = entries.isEmpty ? [] : try tables.learners(.ids(learners))
        let runs = try runs(ofMany: entries, .identities, known: records.compactMap(\.self))
        var found = try learners.map { try FoundIdentities(self, $0) }
        var position = 0
        for (entry, run) in zip(entries, runs) {
            while learners[position] < entry.learner { position += 1 }
            found[position].take(run.table, run.rows, visit)
        }
        try open(&found, visit)
    }

    private func searchIdentities(of learner: Int64, _ visit: IdentityVisit?) throws {
        var entries = try tables.runs([EventQuery(learners: learner...learner)])[...]
        var found = try FoundIdentities(self, learner)
        while !entries.isEmpty {
            for run in try runs(Array(entries.prefix(options.searchedRuns)), .identities) {
                found.take(run.table, run.rows, visit)
            }
            entries = entries.dropFirst(options.searchedRuns)
        }
        var all = [found]
        try open(&all, visit)
    }

    /// Keeps the hashes of learners in ``TransactionIdentities``, once all blocks are searched. Adds the hashes of
    /// events outside blocks.
    /// - Parameter found: ascending by learner.
    private func open(_ found: inout [FoundIdentities], _ visit: IdentityVisit?) throws {
        guard !found.isEmpty else { return }
        let tail = try self.tail(found.map { EventQuery(learners: $0.learner...$0.learner) })
        var tailRuns = tail.runs[...]
        for position in found.indices {
            for stretch in memory.unwritten.stretches(of: found[position].learner) {
                found[position].take(stretch.events.table(stretch.rows), 0..<stretch.rows.count, visit)
            }
            if let run = tailRuns.first, run.learner == found[position].learner {
                found[position].take(tail.table, run.rows, visit)
                tailRuns = tailRuns.dropFirst()
            }
            // If `visit` is given, the learners may have leaves.
            let (learner, hashes) = (found[position].learner, found[position].hashes.sorted())
            memory.openIdentities.open(learner, hashes, mayHaveLeaves: visit != nil)
        }
    }

    /// Writes all events that are in memory, to blocks or the tail, and frees the memory. Call it before anything reads
    /// stored events.
    func endAppending() throws {
        try writeUnwritten()
        if !memory.openIdentities.learners.isEmpty { try settleIdentities() }
    }

    /// Writes the hashes in ``TransactionIdentities`` to leaves, and frees their memory. Learners without new hashes
    /// are not written, so duplicates use no space.
    func closeIdentities() throws {
        let open = memory.openIdentities
        memory.openIdentities = TransactionIdentities()
        let changed = open.changed.sorted()
        for start in stride(from: 0, to: changed.count, by: StoreSession.searchedAtOnce) {
            let some = changed[start..<min(start + StoreSession.searchedAtOnce, changed.count)]
            let leaves = HashIndex(tables)
            try leaves.open(some.filter(open.mayHaveLeaves.contains).map { ($0, open[$0]!) })
            for learner in some { try leaves.add(learner, open[learner]!) }
            try leaves.write()
        }
    }

    /// Decides which learners have leaves. A learner whose blocks are quickly searched loses its leaves. A learner
    /// without new blocks keeps its leaves until new blocks are written.
    func settleIdentities() throws {
        guard hasNewBlocks || !memory.openIdentities.learners.isEmpty else { return }
        // In a store where all ids count up, no learner needs to be checked.
        if hasNewBlocks, try !memory.openIdentities.learners.isEmpty || tables.hasIdentityLeaves() {
            let learners = memory.learnersInNewBlocks.union(memory.openIdentities.learners).sorted()
            let haveLeaves = try tables.hasIdentityLeaves(learners)
            let looked = zip(learners, haveLeaves).filter { $1 || memory.openIdentities[$0] != nil }
            var losingLeaves: [Int64] = []
            for ((learner, hasLeaves), (runs, events)) in zip(looked, try tables.countRuns(of: looked.map(\.0)))
            where runs > 0 && runs <= options.searchedRuns && events >= runs * options.searchedRunLength {
                memory.openIdentities.forget(learner)
                if hasLeaves { losingLeaves.append(learner) }
            }
            try tables.deleteIdentityLeaves(of: losingLeaves)
        }
        try closeIdentities()
    }
}

/// Called with a stored event: its learner, its table, its row and its key.
typealias IdentityVisit = (Int64, EventTable, Int, IdentityKey) -> Void

/// The collected hashes of a learner's ids.
private struct FoundIdentities {
    let learner: Int64
    private(set) var hashes: [Int64] = []

    /// The most elements to reserve. A damaged count may be any number.
    private static let mostReserved = 1 << 22

    init(_ session: StoreSession, _ learner: Int64) throws {
        self.learner = learner
        let events = try session.count(of: learner)?.stored ?? session.learner(learner)?.eventCount ?? 0
        // Doubling the memory would leave half of it unused, for thousands of learners.
        hashes.reserveCapacity(min(events, FoundIdentities.mostReserved))
    }

    mutating func take(_ table: EventTable, _ rows: some Collection<Int>, _ visit: IdentityVisit?) {
        var keys = IdentityKeys()
        for row in rows {
            let key = keys.key(table, row)
            if key.family == IdentityKey.hashedFamily { hashes.append(key.number) }
            visit?(learner, table, row, key)
        }
    }
}
