// SPDX-License-Identifier: Apache-2.0

/// This process's cached data of a partition, kept from one write to the next.
final class PartitionMemory: Sendable {
    /// Held during a write. All properties below are accessed only while it is held.
    let lock = TimedLock()
    nonisolated(unsafe) let state: PartitionState
    /// The version after the last write, and the server that committed it; nil before the first write.
    nonisolated(unsafe) private var last: (version: Int64, server: Int64)?
    /// A number that changes whenever another process has written to the partition.
    nonisolated(unsafe) private var others: Int64 = 0

    init(_ partition: Int) { state = PartitionState(partition) }

    /// Prepares the cached data for a transaction. Discards cached rows that another process may have changed.
    /// - Parameter row: the partition's row at the beginning of the transaction.
    func begin(_ row: PartitionRow, _ facts: StoreFacts, _ versions: VersionPoll) {
        // After a failover, the new server's counters may be lower than the cached ones.
        if let last, last.server != facts.server { state.forgetRows() }
        if last == nil || last! != (row.version, facts.server) { others = StoreVersion.newWrite() }
        last = (row.version, facts.server)
        let before =
            versions.cachedVersion(Int64(state.partition), row.version, facts.server)
            ?? StoreVersion(
                partition: state.partition,
                others: others,
                history: PartitionHistory(row.history(facts.server))
            )
        state.begin(others: others, at: before, leaving: PartitionHistory())
    }

    /// Records the version that a committed transaction has left.
    func didCommit(_ held: HeldPartition, _ facts: StoreFacts, _ versions: VersionPoll) {
        let version = held.found.version + (held.isChanged ? 1 : 0)
        last = (version, facts.server)
        state.step.after.history?.settle(held.row.history(facts.server))
        versions.note(Int64(state.partition), version, facts.server, state.step.after)
    }
}

extension WriterSlot {
    /// Runs `body` in a transaction that holds partitions.
    /// - Parameters:
    ///   - memories: the memories of the partitions, ascending, each with its lock held.
    ///   - deadline: the end of the wait for other writers.
    /// - Returns: the result of `body`, and the work that is left.
    func write<T>(
        _ memories: [PartitionMemory],
        _ tables: PostgreSQLTables,
        _ versions: VersionPoll,
        before deadline: Deadline,
        _ body: (StoreSession, PostgreSQLTables) throws -> T
    ) throws -> (result: T, left: WriteAftermath) {
        let partitions = memories.map(\.state.partition)
        let facts = try begin(partitions, tables, before: deadline)
        let options = server.options.shared(among: tables.partitionCount)
        let session = StoreSession(tables, options, writing: memories.map(\.state), codecs: codecs)
        do {
            for (memory, held) in zip(memories, tables.held) { memory.begin(held.found, facts, versions) }
            session.learn(facts)
            let result = try body(session, tables)
            try session.finish()
            let held = tables.finished
            try commit(held.filter(\.isChanged))
            for (memory, held) in zip(memories, held) { memory.didCommit(held, facts, versions) }
            tables.end()
            return (result, WriteAftermath(tables))
        } catch {
            rollBack()
            session.fail()
            throw error
        }
    }
}
