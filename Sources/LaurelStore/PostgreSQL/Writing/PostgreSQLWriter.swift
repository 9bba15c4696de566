// SPDX-License-Identifier: Apache-2.0

/// Writes to one bucket: the session that knows what its last transactions have left.
final class PostgreSQLWriter: Sendable {
    private let bucket: Int64
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
    nonisolated(unsafe) private var found = BucketRow()
    nonisolated(unsafe) private var facts = StoreFacts()
    nonisolated(unsafe) private var slot: WriterSlot?

    init(
        _ bucket: Int64,
        of count: Int,
        _ place: PostgreSQLLocation,
        _ options: StoreOptions,
        _ names: StoredNames,
        _ versions: VersionPoll
    ) {
        (self.bucket, self.versions) = (bucket, versions)
        tables = PostgreSQLTables(place, bucketCount: count, buckets: bucket...bucket, names: names)
        tables.leaseTimeout = options.leaseTimeout
        session = StoreSession(tables, options.shared(among: count), isWriter: true, partition: Int(bucket))
    }

    /// Runs `body` in a transaction.
    /// - Parameter shadowToken: of whoever may build a shadow.
    func write<T>(
        by slot: WriterSlot,
        shadowToken: Int64?,
        _ body: (StoreSession) throws -> T
    ) throws -> (result: T, left: WriteAftermath) {
        try begin(slot, shadowToken)
        do {
            let result = try body(session)
            try session.finish()
            try commit()
            return (result, WriteAftermath(tables, found, facts))
        } catch {
            tables.end()
            self.slot?.rollBack()
            self.slot = nil
            session.fail()
            throw error
        }
    }

    private func begin(_ slot: WriterSlot, _ shadowToken: Int64?) throws {
        self.slot = slot
        session.codecs = slot.codecs
        let (rows, facts) = try slot.begin(bucket)
        (found, self.facts) = (rows[0], facts)
        // It may have taken the place of one that had counted further.
        if let last, last.server != facts.server { session.fail() }
        if last == nil || last! != (found.version, facts.server) { others = StoreVersion.newWrite() }
        last = (found.version, facts.server)
        tables.begin(slot.connection!, found, facts)
        tables.shadowToken = shadowToken
        let before =
            versions.known(bucket, found.version, facts.server)
            ?? StoreVersion(
                partition: Int(bucket),
                others: others,
                history: PartitionHistory(found.history(facts.server))
            )
        session.begin(others: others, at: before, leaving: PartitionHistory())
        session.learn(facts)
    }

    private func commit() throws {
        defer { slot = nil }
        let hasNews = tables.hasWritten || tables.row != found
        try slot?.commit(hasNews ? [(bucket, found, tables.row)] : [])
        if hasNews { last = (found.version + 1, facts.server) }
        session.step.after.history?.settle(tables.row.history(facts.server))
        tables.end()
        // Decoded blocks of all buckets would be too much.
        if tables.bucketCount > 1 { session.cache.removeAll() }
        versions.note(bucket, last!.version, facts.server, session.step.after)
    }
}
