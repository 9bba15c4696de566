// SPDX-License-Identifier: Apache-2.0

/// Writes to one partition: the session that knows what its last transactions have left.
final class PostgreSQLWriter: Sendable {
    private let number: Int64
    private let versions: VersionPoll
    /// Held for the time of a write; all that follows is used with it held only.
    let lock = Lock()
    nonisolated(unsafe) let tables: PostgreSQLTables
    let session: StoreSession
    /// The version that the last write has left, and the server that did it; nil before it.
    nonisolated(unsafe) private var last: (version: Int64, server: Int64)?
    /// Changes whenever others have written.
    nonisolated(unsafe) private var others: Int64 = 0
    /// What the transaction found.
    nonisolated(unsafe) private var found = PartitionRow()
    nonisolated(unsafe) private var facts = StoreFacts()

    var partition: Int { Int(number) }

    init(
        _ partition: Int64,
        of count: Int,
        _ place: PostgreSQLLocation,
        _ options: StoreOptions,
        _ names: StoredNames,
        _ versions: VersionPoll
    ) {
        (number, self.versions) = (partition, versions)
        tables = PostgreSQLTables(place, partitionCount: count, partitions: partition...partition, names: names)
        tables.leaseTimeout = options.leaseTimeout
        session = StoreSession(tables, options.shared(among: count), isWriter: true, partition: Int(partition))
    }

    /// To be called when a transaction has begun.
    /// - Parameters:
    ///   - row: of the partition, as the transaction has found it.
    ///   - shadowToken: of whoever may build a shadow.
    ///   - merged: what is sent together with other partitions' statements.
    ///   - learnersRead: of the whole transaction.
    func begin(
        _ slot: WriterSlot,
        _ row: PartitionRow,
        _ facts: StoreFacts,
        shadowToken: Int64?,
        merging merged: MergedStatements?,
        sharing learnersRead: LearnerRowCache
    ) {
        (found, self.facts) = (row, facts)
        session.codecs = slot.codecs
        // It may have taken the place of one that had counted further.
        if let last, last.server != facts.server { session.fail() }
        if last == nil || last! != (found.version, facts.server) { others = StoreVersion.newWrite() }
        last = (found.version, facts.server)
        tables.begin(slot.connection!, found, facts, merging: merged, sharing: learnersRead)
        tables.shadowToken = shadowToken
        let before =
            versions.known(number, found.version, facts.server)
            ?? StoreVersion(
                partition: partition,
                others: others,
                history: PartitionHistory(found.history(facts.server))
            )
        session.begin(others: others, at: before, leaving: PartitionHistory())
        session.learn(facts)
    }

    /// What the partition's row becomes with the transaction; nil where nothing was written.
    var written: (partition: Int64, found: PartitionRow, row: PartitionRow)? {
        tables.hasWritten || tables.row != found ? (number, found, tables.row) : nil
    }

    /// To be called when the transaction is committed.
    /// - Returns: what it has left to be done.
    func didCommit() -> WriteAftermath {
        if written != nil { last = (found.version + 1, facts.server) }
        session.step.after.history?.settle(tables.row.history(facts.server))
        tables.end()
        // Decoded blocks of all partitions would be too much.
        if tables.partitionCount > 1 { session.cache.removeAll() }
        versions.note(number, last!.version, facts.server, session.step.after)
        return WriteAftermath(tables, found, facts)
    }

    /// To be called when the transaction was rolled back.
    func didFail() {
        tables.end()
        session.fail()
    }
}

extension WriterSlot {
    /// Runs `body` in a transaction of some writers.
    /// - Parameter writers: of partitions ascending, each with its lock held.
    /// - Returns: what `body` gave, and what is left to be done.
    func write<T>(
        _ writers: [PostgreSQLWriter],
        shadowToken: Int64?,
        _ body: (SomePartitionsTransaction) throws -> T
    ) throws -> (result: T, left: WriteAftermath) {
        let (rows, facts) = try begin(writers.map { Int64($0.partition) })
        let merged = writers.count > 1 ? MergedStatements() : nil
        let learnersRead = LearnerRowCache()
        do {
            for (writer, row) in zip(writers, rows) {
                writer.begin(self, row, facts, shadowToken: shadowToken, merging: merged, sharing: learnersRead)
            }
            let result = try body(SomePartitionsTransaction(writers, merged, self))
            for writer in writers { try writer.session.finish() }
            if let merged { try send(merged) }
            try commit(writers.compactMap(\.written))
            return (result, WriteAftermath(writers.map { $0.didCommit() }))
        } catch {
            rollBack()
            for writer in writers { writer.didFail() }
            throw error
        }
    }
}
