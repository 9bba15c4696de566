// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension SQLiteSession {
    func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem] {
        try writeUnwritten()
        var check = try Verification(session: self)
        check.goingOn { try $0.pages() }
        check.goingOn { try $0.database() }
        check.goingOn { try $0.blocks(progress) }
        check.goingOn { try $0.learners() }
        check.goingOn { try $0.snapshots() }
        check.goingOn { try $0.counters() }
        check.goingOn { try $0.changes() }
        if !check.problems.isEmpty { try check.tellWhatIsLost() }
        return check.problems
    }

    func remarks() throws -> [String] { try PageChecksums.examine(connection).remarks }
}

/// A check of a whole store, and what it has found so far.
private struct Verification {
    let session: SQLiteSession
    /// Of the file, which may be older than the program.
    private let format: Int64
    private(set) var problems: [StoreProblem] = []

    init(session: SQLiteSession) throws {
        self.session = session
        format = try session.connection.number("PRAGMA user_version") ?? 0
    }

    private mutating func report(_ problem: String) { problems.append(StoreProblem(description: problem)) }

    /// What stops one check stops no other.
    mutating func goingOn(_ check: (inout Verification) throws -> Void) {
        do {
            try check(&self)
        } catch {
            report((error as? StoreError)?.message ?? "\(error)")
        }
        session.connection.resetStatements()
    }

    mutating func pages() throws {
        for problem in try PageChecksums.examine(session.connection).problems { report(problem) }
    }

    mutating func database() throws {
        let statement = try session.connection.newStatement("PRAGMA integrity_check")
        while try statement.step() {
            let line = statement.string(0)
            if line != "ok" { report("SQLite: \(line)") }
        }
    }

    // MARK: Blocks

    /// Every block decodes and holds what the directory says, in order.
    mutating func blocks(_ progress: (_ done: Int, _ total: Int) -> Void) throws {
        let ids = try numbers("SELECT block FROM blocks ORDER BY block")
        var listed: [Int64: Int] = [:]
        for block in try numbers("SELECT block FROM runs") { listed[block, default: 0] += 1 }
        for (done, id) in ids.enumerated() {
            do {
                try check(id, try session.decodeBlock(id, .all), listed: listed.removeValue(forKey: id) ?? 0)
            } catch let error as StoreError where error.code == .corrupt {
                report(error.message)
            }
            progress(done + 1, ids.count)
        }
        for block in listed.keys.sorted() { report("block \(block) is listed but missing") }
    }

    private mutating func check(_ id: Int64, _ decoded: DecodedBlock, listed: Int) throws {
        if listed != decoded.runs.count {
            report("block \(id) holds \(decoded.runs.count) learners, \(listed) are listed")
        }
        let events = try session.connection.number("SELECT events FROM blocks WHERE block = ?", .integer(id))
        if events != Int64(decoded.table.count) {
            report("block \(id) holds \(decoded.table.count) events, \(events ?? 0) are listed")
        }
        let statement = try session.connection.newStatement(
            "SELECT first_row, rows, last_ms FROM runs WHERE learner = ? AND first_ms = ? AND block = ?"
        )
        let times = decoded.table.milliseconds
        for (learner, rows) in decoded.runs {
            statement.reset()
            try statement.bind([.integer(learner), .integer(times[rows.lowerBound]), .integer(id)])
            let isListed =
                try statement.step() && statement.count(0) == rows.lowerBound && statement.count(1) == rows.count
                && statement.integer(2) == times[rows.upperBound - 1]
            if !isListed { report("block \(id): the entry of learner \(learner) does not match") }
            for row in rows.dropFirst() where !decoded.table.precedes(row - 1, row) {
                report("block \(id): the events of learner \(learner) are out of order at row \(row)")
                break
            }
        }
    }

    // MARK: Learners

    /// Every learner has as many events as counted, each identity once, and just these in the index.
    mutating func learners() throws {
        let ids = try session.learnerIDs()
        let covered = try session.connection.newStatement(
            "SELECT family, low, more FROM identities WHERE learner = ? ORDER BY family, low"
        )
        let leaves = try session.connection.newStatement(
            format == 1
                ? "SELECT low, x'' FROM identities WHERE false AND learner = ?"
                : "SELECT low, data FROM identity_leaves WHERE learner = ? ORDER BY low"
        )
        goingOn { check in
            try check.session.forEachLearner(ids: ids, fields: .none, counting: false) { learner, runs in
                let (counting, hashes) = check.identities(of: learner, runs)
                try check.check(counting, hashes, of: learner.id, covered)
                try check.check(hashes, of: learner.id, leaves)
            }
        }
        try strays()
    }

    /// Every snapshot and checkpoint unpacks, and is its learner's.
    mutating func snapshots() throws {
        guard format >= 5 else { return }
        for (table, place) in [("snapshots", "NULL, NULL"), ("checkpoints", "ms, events")] {
            let rows = try session.connection.newStatement("SELECT data, learner, \(place) FROM \(table)")
            while try rows.step() {
                let place = rows.optionalInteger(2).map {
                    CheckpointPlace(milliseconds: $0, events: rows.count(3))
                }
                let key = PackedSnapshot.Key(learner: rows.integer(1), place: place)
                guard try session.unpack(rows.array(0), of: key) == nil else { continue }
                report("a row of \(table) is damaged, of learner \(key.learner); `laurel replay` makes it anew")
            }
        }
    }

    /// Says whose events are not sound: all others' can be exported.
    mutating func tellWhatIsLost() throws {
        let salvage = try session.salvage { _, _ in }
        for loss in salvage.losses { report(loss.description) }
    }

    /// Checks how many events a learner has, and that each has an identity of its own.
    /// - Returns: keys of ids that count, and hashes of the others.
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

    /// No table has rows of learners that are not there.
    private mutating func strays() throws {
        let tables = ["runs", "tail", "identities", "snapshots", "progress_rows", "daily_rows", "achievement_rows"]
        let newTables = try (format == 1 ? [] : ["identity_leaves"]) + (session.hasCheckpoints() ? ["checkpoints"] : [])
        for table in tables + newTables {
            let strays = try numbers(
                "SELECT DISTINCT learner FROM \(table) WHERE learner NOT IN (SELECT learner FROM learners)"
            )
            for learner in strays { report("\(table) has rows of a learner that is not there, \(learner)") }
        }
    }

    /// Different ids may have the same hash.
    private mutating func checkForRepeated(_ runs: [EventRun], of learner: Int64) {
        var known: Set<[UInt8]> = []
        for run in runs {
            let table = run.table
            for row in run.rows {
                var identity: [UInt8] = []
                identity.append(text: table.texts[table.source[row]])
                table.appendIdentifier(of: row, to: &identity)
                if known.insert(identity).inserted { continue }
                let id = String(decoding: table.identifier(row), as: UTF8.self)
                report("learner \(learner): more than one event with the id '\(id)'")
            }
        }
    }

    /// The runs of numbers are just those of the events.
    private mutating func check(
        _ counting: Set<IdentityKey>,
        _ hashes: Set<Int64>,
        of learner: Int64,
        _ covered: Statement
    ) throws {
        var (left, leftHashes) = (counting, hashes)
        covered.reset()
        try covered.bind([.integer(learner)])
        while try covered.step() {
            let (family, low, more) = (covered.integer(0), covered.integer(1), covered.integer(2))
            if family == IdentityKey.hashedFamily {
                // As format 1 had them.
                leftHashes.remove(low)
                continue
            }
            // An id that counts has at most 18 digits.
            guard more >= 0, more < Int64(counting.count), low.magnitude < 1 << 60 else {
                report("learner \(learner): a run of identities is longer than there are events")
                continue
            }
            for number in low...low + more where left.remove(IdentityKey(family: family, number: number)) == nil {
                report("learner \(learner): an identity without an event, number \(number) of family \(family)")
                break
            }
        }
        reportUnindexed(left.count + (format == 1 ? leftHashes.count : 0), of: learner)
    }

    /// The leaves hold just the hashes of the events. Since format 4 there may be none.
    private mutating func check(_ hashes: Set<Int64>, of learner: Int64, _ leaves: Statement) throws {
        var left = Set(hashes.map(IdentityLeaves.kept))
        var isEmpty = true
        leaves.reset()
        try leaves.bind([.integer(learner)])
        while try leaves.step() {
            isEmpty = false
            for hash in try IdentityLeaves.hashes(leaves.bytes(1), from: leaves.integer(0))
            where left.remove(hash) == nil {
                report("learner \(learner): an identity without an event, hash \(hash)")
                break
            }
        }
        if !isEmpty || (2...3).contains(format) { reportUnindexed(left.count, of: learner) }
    }

    private mutating func reportUnindexed(_ count: Int, of learner: Int64) {
        if count > 0 { report("learner \(learner): \(count) events whose identity is not in the index") }
    }

    // MARK: Counters

    mutating func changes() throws {
        for problem in try session.changeProblems() { report(problem) }
    }

    mutating func counters() throws {
        let tail = try session.connection.number("SELECT count(*) FROM tail") ?? 0
        let counted = try session.meta("tail_events")
        if tail != counted { report("the tail holds \(tail) events, \(counted) are counted") }
        let generations = try session.connection.number(
            """
            SELECT count(*) FROM (
                SELECT generation, sum(events) AS events FROM blocks GROUP BY generation
                EXCEPT SELECT generation, events FROM generations)
            """
        )
        if generations != 0 { report("\(generations ?? 0) generations of blocks are counted wrongly") }
        let orphans = try numbers(
            "SELECT DISTINCT quarantine FROM quarantine_pieces WHERE quarantine NOT IN (SELECT id FROM quarantine)"
        )
        for id in orphans { report("quarantine: bytes of a line that is not there, \(id)") }
        try quarantine()
    }

    /// Every line can be read, and takes as much as is counted.
    private mutating func quarantine() throws {
        for id in try numbers("SELECT id FROM quarantine ORDER BY id") {
            goingOn { try $0.session.forEachPiece(ofQuarantined: id) { _ in } }
        }
        guard format >= 5 else { return }
        let stored = try session.connection.number("SELECT sum(stored) FROM quarantine") ?? 0
        let counted = try session.meta("quarantine_bytes")
        if stored != counted { report("quarantine takes \(stored) bytes, \(counted) are counted") }
    }

    private func numbers(_ sql: String) throws -> [Int64] {
        let statement = try session.connection.newStatement(sql)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}
