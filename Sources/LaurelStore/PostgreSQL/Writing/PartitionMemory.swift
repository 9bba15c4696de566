// SPDX-License-Identifier: Apache-2.0

/// This process's knowledge of a partition that it writes, from one transaction to the next.
final class PartitionMemory: Sendable {
    /// Held for the time of a write; all that follows is used with it held only.
    let lock = Lock()
    nonisolated(unsafe) let state: PartitionState
    /// The version that the last write has left, and the server that did it; nil before it.
    nonisolated(unsafe) private var last: (version: Int64, server: Int64)?
    /// Changes whenever others have written.
    nonisolated(unsafe) private var others: Int64 = 0

    init(_ partition: Int) { state = PartitionState(partition) }

    /// To be called when a transaction has begun.
    /// - Parameter row: of the partition, as the transaction has found it.
    func begin(_ row: PartitionRow, _ facts: StoreFacts, _ versions: VersionPoll) {
        // It may have taken the place of one that had counted further.
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

    /// To be called when the transaction is committed.
    func didCommit(_ held: HeldPartition, _ facts: StoreFacts, _ versions: VersionPoll) {
        let version = held.found.version + (held.isChanged ? 1 : 0)
        last = (version, facts.server)
        state.step.after.history?.settle(held.row.history(facts.server))
        versions.note(Int64(state.partition), version, facts.server, state.step.after)
    }
}

extension WriterSlot {
    /// Runs `body` in a transaction that holds some partitions.
    /// - Parameter memories: of partitions ascending, each with its lock held.
    /// - Returns: what `body` gave, and what is left to be done.
    func write<T>(
        _ memories: [PartitionMemory],
        _ tables: PostgreSQLTables,
        _ versions: VersionPoll,
        _ body: (StoreSession, PostgreSQLTables) throws -> T
    ) throws -> (result: T, left: WriteAftermath) {
        let partitions = memories.map(\.state.partition)
        let facts = try begin(partitions, tables)
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
