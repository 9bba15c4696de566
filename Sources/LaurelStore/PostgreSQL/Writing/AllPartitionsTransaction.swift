// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL
internal import LaurelProgress

/// A transaction that has all partitions to itself. What is one learner's goes to a session of the learner's partition, made when it is
/// first needed; what is everybody's is done in all partitions by one statement.
final class AllPartitionsTransaction {
    struct Part {
        let tables: PostgreSQLTables
        let session: StoreSession
    }

    private let slot: WriterSlot
    private let names: StoredNames
    private let options: StoreOptions
    private(set) var facts: StoreFacts
    /// All partitions' tables, and the session that reads them.
    let tables: PostgreSQLTables
    let everybody: StoreSession
    private(set) var parts: [Int: Part] = [:]
    /// As they were found, and as they are where no part has them.
    private let found: [PartitionRow]
    private var rows: [PartitionRow]
    let versions: [VersionStep]
    private var touchesEverybody = false
    private var hasNewSettings = false
    /// Whether there are no rows of progress but those that it has written itself.
    private(set) var wasEmptied = false

    /// Begins it: waits until nobody writes to any partition.
    init(_ slot: WriterSlot, _ names: StoredNames, _ known: VersionPoll, shadowToken: Int64?) throws {
        (self.slot, self.names) = (slot, names)
        let (rows, facts) = try slot.begin(nil)
        (found, self.rows, self.facts) = (rows, rows, facts)
        options = slot.server.options.shared(among: rows.count)
        let place = slot.server.place
        tables = PostgreSQLTables(
            place,
            partitionCount: rows.count,
            partitions: 0...Int64(rows.count - 1),
            names: names
        )
        tables.begin(slot.connection!, rows[0], facts)
        tables.shadowToken = shadowToken
        tables.leaseTimeout = slot.server.options.leaseTimeout
        everybody = slot.session(reading: tables)
        versions = rows.enumerated().map { number, row in
            let before = known.known(Int64(number), row.version, facts.server)
            let history = PartitionHistory(row.history(facts.server))
            return VersionStep(
                before: before ?? StoreVersion(partition: number, history: history),
                after: StoreVersion(partition: number, history: PartitionHistory())
            )
        }
    }

    // MARK: Parts

    var partitionCount: Int { rows.count }

    func part(_ partition: Int) throws -> StoreSession {
        if let part = parts[partition] { return part.session }
        guard rows.indices.contains(partition) else {
            throw StoreError(.misuse, "there is no partition \(partition)")
        }
        let number = Int64(partition)
        let own = PostgreSQLTables(
            tables.place,
            partitionCount: rows.count,
            partitions: number...number,
            names: names
        )
        let session = StoreSession(own, options, isWriter: true, partition: partition, codecs: slot.codecs)
        own.begin(slot.connection!, rows[partition], facts, sharing: tables.learnersRead)
        own.shadowToken = tables.shadowToken
        own.leaseTimeout = tables.leaseTimeout
        session.begin(others: StoreVersion.newWrite())
        session.learn(facts)
        if wasEmptied { session.noteEmptiedTables() }
        let part = Part(tables: own, session: session)
        parts[partition] = part
        return session
    }

    func partAtHand(_ partition: Int) -> StoreSession? { parts[partition]?.session }

    /// Whoever writes to a partition in some place.
    func part(_ partition: Int, in place: DerivedPlace) throws -> StoreSession {
        let session = try part(partition)
        if place == .shadow {
            try tables.renewLease()
            parts[partition]?.tables.hasRenewedLease = true
        }
        return session
    }

    func settled() throws -> StoreSession {
        for part in parts.values { try part.session.endAppending() }
        return everybody
    }

    func statistics() throws -> StoreStatistics {
        var statistics = try settled().statistics()
        statistics.tailEvents = rows.indices.reduce(0) { $0 + Int((parts[$1]?.tables.row ?? rows[$1]).tailEvents) }
        return statistics
    }

    // MARK: What is everybody's

    func touchEverybody() { touchesEverybody = true }

    func numberCommits(above last: Int64) throws {
        guard parts.isEmpty else { throw StoreError(.misuse, "the commit has a number already") }
        facts.firstCommit = max(facts.firstCommit, last + 1)
        touchEverybody()
    }

    func noteNewSettings() { hasNewSettings = true }

    func noteEmptiedTables() {
        wasEmptied = true
        everybody.noteEmptiedTables()
        for part in parts.values { part.session.noteEmptiedTables() }
    }

    func changeRows(_ change: (inout PartitionRow) -> Void) {
        for number in rows.indices {
            change(&rows[number])
            if let part = parts[number] { change(&part.tables.row) }
        }
        change(&tables.row)
    }

    // MARK: The end

    /// Commits.
    func finish(_ versions: VersionPoll) throws -> WriteAftermath {
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) {
            if touchesEverybody { try part.session.touchEverybody() }
            try part.session.finish()
            rows[Int(part.tables.partitions.lowerBound)] = part.tables.row
        }
        if touchesEverybody { try touchOthers() }
        let written = rows.indices.filter { number in
            rows[number] != found[number] || parts[number]?.tables.hasWritten == true || touchesEverybody
                // Whoever follows the store is to notice, which takes one of them.
                || hasNewSettings && number == 0
        }
        try slot.commit(written.map { (Int64($0), found[$0], rows[$0]) })
        note(versions, Set(written))
        return aftermath
    }

    /// Notes in the partitions without a part that everybody is touched.
    private func touchOthers() throws {
        var last: [Int64]?
        for number in rows.indices where parts[number] == nil {
            var log = rows[number].recentChanges.flatMap { bytes in bytes.withUnsafeBytes { try? ChangeLog($0) } }
            if log == nil {
                last = try last ?? tables.lastChanges()
                log = ChangeLog(after: last.map { ChangeLog.isNumber($0[number]) ? $0[number] : 0 } ?? 0)
            }
            log = log!.counted(from: facts.firstCommit)
            log!.addCommitToEverybody()
            rows[number].recentChanges = log!.bytes
        }
    }

    private func note(_ known: VersionPoll, _ written: Set<Int>) {
        for number in rows.indices {
            let version = found[number].version + (written.contains(number) ? 1 : 0)
            versions[number].after.history?.settle(rows[number].history(facts.server))
            known.note(Int64(number), version, facts.server, versions[number].after)
        }
    }

    private var aftermath: WriteAftermath {
        WriteAftermath(
            parts.values.map { WriteAftermath($0.tables, found[Int($0.tables.partitions.lowerBound)], facts) },
            hasShadow: tables.row.builtEdition > 0,
            hasOldEditions: facts.editions > 1 || rows[0].edition != found[0].edition,
            isErasurePending: rows.contains(where: \.isErasurePending)
        )
    }

    /// Ends it, all of which is gone.
    func fail() { slot.rollBack() }
}
