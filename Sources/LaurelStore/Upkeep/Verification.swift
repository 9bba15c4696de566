// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension StoreSession {
    func examine(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> StoreExamination {
        try writeUnwritten()
        var check = Verification(session: self)
        try check.runCheck { try $0.storage() }
        try check.runCheck { try $0.blocks(progress) }
        try check.runCheck { try $0.learners() }
        try check.runCheck { try $0.snapshots() }
        try check.runCheck { try $0.counters() }
        try check.runCheck { try $0.changes() }
        if !check.found.problems.isEmpty { try check.reportLostLearners() }
        return check.found
    }
}

/// A check of a whole store, with the problems found so far.
private struct Verification {
    let session: StoreSession
    private(set) var found = StoreExamination()

    init(session: StoreSession) { self.session = session }

    private mutating func report(_ problem: String) { found.problems.append(StoreProblem(description: problem)) }

    /// Runs a check. Damage that ends the check is reported as a problem, and the next check still runs. Any other
    /// error, such as a lost connection, ends the verification, because an incomplete result would look complete.
    mutating func runCheck(_ check: (inout Verification) throws -> Void) throws {
        let tables = session.tables
        var damage: String?
        _ = try tables.ifReadable {
            do {
                try check(&self)
            } catch let error as StoreError {
                damage = error.message
                throw error
            } catch {
                damage = "\(error)"
            }
        }
        if let damage { report(damage) }
        tables.resetStatements()
    }

    mutating func storage() throws {
        let storage = try session.tables.storageFindings()
        for problem in storage.problems { report(problem) }
        found.remarks = storage.remarks
    }

    // MARK: Blocks

    /// Checks that every block can be decoded, and contains the events that its runs list, in order.
    mutating func blocks(_ progress: (_ done: Int, _ total: Int) -> Void) throws {
        var blocks: [(id: Int64, events: Int)] = []
        try session.tables.forEachBlock { blocks.append(($0, $1)) }
        var listed: [Int64: Int] = [:]
        try session.tables.forEachListedBlock { listed[$0, default: 0] += 1 }
        for (done, (id, events)) in blocks.enumerated() {
            let listed = listed.removeValue(forKey: id) ?? 0
            try runCheck { try $0.check(id, events: events, listed: listed) }
            progress(done + 1, blocks.count)
        }
        for block in listed.keys.sorted() { report("block \(block) is listed but missing") }
    }

    private mutating func check(_ id: Int64, events: Int, listed: Int) throws {
        let decoded = try session.decodeBlock(id, .all)
        if events != decoded.table.count {
            report("block \(id) holds \(decoded.table.count) events, \(events) are listed")
        }
        if listed != decoded.runs.count {
            report("block \(id) holds \(decoded.runs.count) learners, \(listed) are listed")
        }
        let times = decoded.table.milliseconds
        for (learner, rows) in decoded.runs {
            let (first, last) = (times[rows.lowerBound], times[rows.upperBound - 1])
            let isListed = try session.tables.runs([EventQuery(learners: learner...learner, times: first...first)])
                .contains { $0.block == id && $0.firstTime == first && $0.lastTime == last && $0.rows == rows }
            if !isListed { report("block \(id): the entry of learner \(learner) does not match") }
            for row in rows.dropFirst() where !decoded.table.precedes(row - 1, row) {
                report("block \(id): the events of learner \(learner) are out of order at row \(row)")
                break
            }
        }
    }

    // MARK: Learners

    /// Checks that every learner has as many events as the stored count says. Also checks that no two events of a
    /// learner have the same identity, and that the index contains exactly these identities.
    mutating func learners() throws {
        for ids in try session.learnerRanges() {
            try runCheck { check in
                try check.session.forEachLearner(ids: ids, fields: .none, counting: false) { learner, runs in
                    let (counting, hashes) = check.identities(of: learner, runs)
                    try check.check(counting, of: learner.id)
                    try check.check(hashes, of: learner.id)
                }
            }
        }
        try strays()
    }

    /// Checks that every snapshot and checkpoint can be unpacked, and belongs to its learner.
    mutating func snapshots() throws {
        try session.tables.forEachKeptState { state in
            guard session.unpack(state.data, of: state.key) == nil else { return }
            let table = state.key.point == nil ? "snapshots" : "checkpoints"
            report("a row of \(table) is damaged, of learner \(state.key.learner); `laurel replay` makes it anew")
        }
    }

    /// Reports the learners whose events are damaged. The events of all other learners can be exported.
    mutating func reportLostLearners() throws {
        let salvage = try session.salvage { _, _ in }
        for loss in salvage.losses { report(loss.description) }
    }

    /// Checks the number of a learner's events, and that no two events have the same identity.
    /// - Returns: the keys of ids that count up, and the hashes of the other ids.
    private mutating func identities(
        of learner: LearnerRecord,
        _ runs: [EventRun]
    ) -> (counting: Set<IdentityKey>, hashes: Set<Int64>) {
        let events = runs.reduce(0) { $0 + $1.rows.count }
        if events != learner.eventCount {
            report("learner \(learner.id) has \(events) events, \(learner.eventCount) are counted")
        }
        var (counting, hashes) = (Set<IdentityKey>(), Set<Int64>())
        for run in runs {
            var keys = IdentityKeys()
            let table = run.table
            for row in run.rows {
                let key = keys.key(table, row)
                if key.family == IdentityKey.hashedFamily {
                    hashes.insert(key.number)
                } else {
                    counting.insert(key)
                }
            }
        }
        if counting.count + hashes.count < events { checkForRepeated(runs, of: learner.id) }
        return (counting, hashes)
    }

    /// Checks that no table contains rows of a learner that does not exist.
    private mutating func strays() throws {
        for (table, learner) in try session.tables.strays() {
            report("\(table) has rows of a learner that is not there, \(learner)")
        }
    }

    /// Compares identities byte by byte, because different ids may have the same hash.
    private mutating func checkForRepeated(_ runs: [EventRun], of learner: Int64) {
        var seen: Set<[UInt8]> = []
        for run in runs {
            let table = run.table
            for row in run.rows {
                var identity: [UInt8] = []
                identity.append(text: table.texts[table.source[row]])
                table.appendIdentifier(of: row, to: &identity)
                if seen.insert(identity).inserted { continue }
                let id = String(decoding: table.identifier(row), as: UTF8.self)
                report("learner \(learner): more than one event with the id '\(id)'")
            }
        }
    }

    /// Checks that the stored ranges of numbers contain exactly the numbers of the events.
    private mutating func check(_ counting: Set<IdentityKey>, of learner: Int64) throws {
        var left = counting
        try session.tables.forEachIdentityRun(of: learner) { family, low, more in
            // An id that counts up has at most 18 digits.
            guard more >= 0, more < Int64(counting.count), low.magnitude < 1 << 60 else {
                return report("learner \(learner): a run of identities is longer than there are events")
            }
            for number in low...low + more where left.remove(IdentityKey(family: family, number: number)) == nil {
                report("learner \(learner): an identity without an event, number \(number) of family \(family)")
                break
            }
        }
        reportUnindexed(left.count, of: learner)
    }

    /// Checks that the leaves contain exactly the hashes of the events. A learner may have no hashes.
    private mutating func check(_ hashes: Set<Int64>, of learner: Int64) throws {
        var left = Set(hashes.map(HashIndex.kept))
        let leaves = try session.tables.identityLeaves(of: learner)
        for leaf in leaves {
            for hash in try HashIndex.hashes(of: leaf) where left.remove(hash) == nil {
                report("learner \(learner): an identity without an event, hash \(hash)")
                break
            }
        }
        if !leaves.isEmpty { reportUnindexed(left.count, of: learner) }
    }

    private mutating func reportUnindexed(_ count: Int, of learner: Int64) {
        if count > 0 { report("learner \(learner): \(count) events whose identity is not in the index") }
    }

    // MARK: Counters

    mutating func changes() throws {
        for problem in try session.changeProblems() { report(problem) }
    }

    mutating func counters() throws {
        let tail = try session.tables.countTail()
        let counted = try session.tables.counter(.tailEvents, of: nil)
        if tail != counted { report("the tail holds \(tail) events, \(counted) are counted") }
        let generations = try session.tables.wrongGenerations()
        if generations != 0 { report("\(generations) generations of blocks are counted wrongly") }
        for id in try session.tables.orphanedQuarantinePieces() {
            report("quarantine: bytes of a line that is not there, \(id)")
        }
        try quarantine()
    }

    /// Checks that every quarantined line can be read, and has the counted size.
    private mutating func quarantine() throws {
        for id in try session.tables.quarantinedLines() {
            // A damaged id may be any number. No line can precede the lowest number.
            try runCheck { if id > .min { _ = try $0.session.tables.quarantined(after: id - 1, limit: 1) } }
            try runCheck { try $0.session.forEachPiece(ofQuarantined: id) { _ in } }
        }
        let stored = try session.tables.stored(ofQuarantined: nil)
        let counted = try session.tables.counter(.quarantineBytes, of: nil)
        if stored != counted { report("quarantine takes \(stored) bytes, \(counted) are counted") }
    }
}
