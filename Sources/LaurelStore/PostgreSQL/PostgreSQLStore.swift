// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem
internal import Synchronization

/// A store in a schema of a database in PostgreSQL 13 or later. Any number of processes on any number of machines can
/// share it.
///
/// Learners are distributed over partitions. A writer locks the row of a partition, so that one transaction at a time
/// writes to it. The row's version counts the writes. A transaction that changes data of the whole store locks all
/// these rows. Each reader sees one state, and never waits for a writer. In a Citus cluster, only
/// ``readTogether(_:)`` gives one state of several partitions, and it waits while writes are committed.
///
/// An erasure deletes rows and vacuums the tables. Then no query finds the data any more, and their space can be
/// reused. Bytes that are not yet overwritten may remain in the server's files. Archives of its write-ahead log,
/// replicas and backups contain the data until they expire.
package final class PostgreSQLStore: EventStore, GenerationStore {
    let server: PostgreSQLServer
    private let readers: ReaderPool
    let partitionCount: Int
    private let memories = PartitionMemories()
    let slots: WriterSlots
    private let names: StoredNames
    /// Held during a write to all partitions. So at most one such write of this process waits for other writers.
    private let administering = TimedLock()
    /// Held while the remains of an erasure are removed.
    let cleaning = TimedLock()
    private let versions = VersionPoll()
    package let commits = CommitSignal()
    /// Identifier of the server that answered the latest connection.
    private let lastServer = Mutex<Int64?>(nil)
    /// The lease token of the shadow that this store builds; nil if it builds none.
    private let shadowToken = Mutex<Int64?>(nil)
    let deferred = DeferredWork()
    let sweeping = Mutex(SweepTimes())
    let looking = Mutex(SweepTimes())
    /// The lease token of the service's duties; nil if the store has requested none.
    let dutyToken = Mutex<Int64?>(nil)

    var location: PostgreSQLLocation { server.location }
    /// The address without a password.
    package var name: String { location.name }
    package var options: StoreOptions { server.options }

    /// Opens a store.
    /// - Parameter location: `postgresql://user@host:port/database?…`, with `schema=` for another schema than `laurel`.
    /// - Throws: ``StoreError`` of code `notFound` if the schema contains no store, or `unavailable` if the server
    ///   cannot be reached.
    package init(_ location: String, mode: StoreMode, options: StoreOptions = StoreOptions()) throws {
        let location = try PostgreSQLLocation(location)
        var server = PostgreSQLServer(location: location, mode: mode, options: options.mergingLater)
        do {
            let connection = try server.connect()
            (partitionCount, server.isDistributed) = try Self.layout(connection, location)
            self.server = server
            readers = ReaderPool(server, partitions: partitionCount)
            readers.release(PostgreSQLReader(connection, server, partitions: partitionCount))
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
        slots = WriterSlots(server)
        names = StoredNames(server, readers)
    }

    private static func layout(
        _ connection: DatabaseConnection,
        _ location: PostgreSQLLocation
    ) throws -> (partitions: Int, isDistributed: Bool) {
        try connection.send(TransactionSQL.beginReading.rawValue)
        try connection.send("SET LOCAL search_path = \(location.searchPath)")
        let found = try connection.rows(
            of: [TransactionSQL.readStore, .isDistributed].map { ($0.rawValue, []) }
        )
        let (row, distributed) = (found[0][0], found[1])
        try PostgreSQLSchema.check(row.integer(0), location)
        guard connection.rollBack() else { throw DatabaseError(sqlState: "08006", message: "the connection broke") }
        guard possiblePartitions.contains(Int(row.integer(1))) else {
            throw StoreError(
                .corrupt,
                "\(location.name) is damaged (\(row.integer(1)) partitions); \(StoreError.advice)"
            )
        }
        return (Int(row.integer(1)), !distributed.isEmpty)
    }

    // MARK: Reading

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        try readBlocks { try body($0) }
    }

    func readBlocks<T>(_ body: (StoreSession) throws -> T) throws -> T {
        let reader = try readers.begin()
        defer { readers.end(reader) }
        return try body(reader.session)
    }

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        let state = try server.isDistributed ? stateOfAllServers() : sharedState()
        defer { state.end(readers.release) }
        return try body(state)
    }

    private func sharedState() throws -> SharedSnapshot {
        let first = try readers.begin()
        do {
            return try SharedSnapshot(first, location, take: readers.take)
        } catch {
            readers.end(first)
            throw readers.translated(error)
        }
    }

    private func stateOfAllServers() throws -> SharedSnapshot {
        try withConnection { connection in
            try inTransaction(connection, milliseconds: Int(options.lockTimeout * 1000)) { connection in
                _ = try connection.rows(TransactionSQL.holdCommits.rawValue)
                return try SharedSnapshot(ofAllServers: location, take: readers.take)
            }
        }
    }

    /// Runs `body` with a connection that has no open transaction. Runs `body` again if the connection is lost.
    func withConnection<T>(_ body: (DatabaseConnection) throws -> T) throws -> T { try readers.withConnection(body) }

    package func version(of partition: Int) throws -> StoreVersion? {
        try versions.version(of: Int64(partition)) { partitions in
            try withConnection { connection in
                let versions = PostgreSQLSchema.versions(location.schema)
                let found = try connection.rows(
                    of: [(versions, [.integers(partitions)]), (TransactionSQL.start.rawValue, [])]
                )
                let server = found[1][0].integer(0)
                noteServer(server)
                return Dictionary(found[0].map { ($0.integer(0), Self.finding($0, server)) }) { first, _ in first }
            }
        }
    }

    /// - Parameter row: a row of ``PostgreSQLSchema/versions(_:)``.
    private static func finding(_ row: Row, _ server: Int64) -> VersionPoll.Finding {
        VersionPoll.Finding(
            serverVersion: VersionPoll.ServerVersion(version: row.integer(1), server: server),
            history: PartitionHistory.Content(
                era: [server, row.integer(2)],
                changes: row.isNull(3) ? nil : row.array(3)
            )
        )
    }

    /// Closes the connections to the previous server after a failover. They would report an outdated state.
    private func noteServer(_ server: Int64) {
        let isOther = lastServer.withLock { last in
            defer { last = server }
            return last != nil && last != server
        }
        if isOther { readers.removeAll() }
    }

    package func newProbe() throws -> any CommitProbe {
        try VersionProbe { [self] in
            try withConnection { connection in
                let sum = PostgreSQLSchema.sumOfVersions(location.schema)
                return try connection.rows(of: [(sum, []), (TransactionSQL.start.rawValue, [])]).map {
                    $0[0].integer(0)
                }
            }
        }
    }

    /// Runs `body` in a separate transaction, which is independent of the transactions that write events.
    func inTransaction<T>(
        _ connection: DatabaseConnection,
        milliseconds: Int,
        _ body: (DatabaseConnection) throws -> T
    ) throws -> T {
        try server.inTransaction(connection, lockTimeout: milliseconds, body)
    }

    // MARK: Writing

    package func newBatch() -> any ProjectionBatch { PreparedProjections() }

    package var partitions: Int { partitionCount }
    /// The maximum number of events in a transaction. Larger transactions are more efficient. But with several
    /// partitions, they block the partitions' other writers.
    package var eventsPerTransaction: Int { partitionCount == 1 ? .max : 50_000 }

    package func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T {
        let result = try inPartitions(partitions) { session, _ in try body(session) }
        commits.send()
        return result
    }

    func writeBlocks<T>(in partition: Int, _ body: (StoreSession) throws -> T) throws -> T {
        try inPartitions([partition]) { session, _ in try body(session) }
    }

    package func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T {
        let result = try inPartitions(nil) { session, _ in try body(session) }
        commits.send()
        return result
    }

    /// Runs `body` in a transaction that writes to partitions.
    /// - Parameter partitions: the partitions, ascending; nil for all partitions.
    private func inPartitions<T>(
        _ partitions: [Int]?,
        _ body: (StoreSession, PostgreSQLTables) throws -> T
    ) throws -> T {
        guard server.mode == .readWrite else { throw StoreError(.readOnly, "\(name) was opened for reading") }
        let token = shadowToken.withLock(\.self)
        let deadline = Deadline(seconds: options.lockTimeout)
        let (result, left) = try withMemories(partitions, before: deadline) { memories in
            try slots.withOne(before: deadline) { slot in
                let tables = PostgreSQLTables(
                    location,
                    partitionCount: partitionCount,
                    isDistributed: server.isDistributed,
                    names: names,
                    shadowToken: token,
                    leaseTimeout: options.leaseTimeout
                )
                return try slot.write(memories, tables, versions, before: deadline, body)
            }
        }
        try runMaintenance(left, token)
        return result
    }

    private func withMemories<T>(
        _ partitions: [Int]?,
        before deadline: Deadline,
        _ body: ([PartitionMemory]) throws -> T
    ) throws -> T {
        let busy = { [self] in
            StoreError(
                .busy,
                "\(name) is being written by this process; waited \(options.lockTimeout) s. Try again when it is done"
            )
        }
        // For some partitions, this process's cached data is used and locked. A write to all partitions uses no
        // cached data. Other threads may write to each partition meanwhile, so the database makes the threads wait.
        if let some = partitions ?? (partitionCount == 1 ? [0] : nil) {
            return try memories.with(some, before: deadline, else: busy, body)
        }
        return try administering.withLock(before: deadline, else: busy) {
            try body((0..<partitionCount).map(PartitionMemory.init))
        }
    }

    /// Does the work that a transaction has left, if that work is due.
    private func runMaintenance(_ left: WriteAftermath, _ token: Int64?) throws {
        if left.erasures > 0 {
            try cleanUp(after: left)
        } else if left.isErasurePending ? isTimeToSweep() : hasErasedElsewhere() {
            // If the clean-up fails, the write still succeeds. A later write tries the clean-up again.
            let isDone = deferred.run { try cleanUp(after: left) }
            sweeping.withLock { $0.note(success: isDone) }
        }
        guard token == nil else { return }
        if left.hasShadow, isTimeToSweep() { deferred.run(abandonDeadShadow) }
        if left.hasOldEditions, isTimeToSweep() { dropOldEditions() }
    }

    /// Commits an empty write. The deferred work runs after the commit.
    package func runDeferredWork() throws {
        try inPartitions([0]) { _, _ in }
        try deferred.throwFailure()
    }

    package func releaseMemory() { readers.removeAll() }

    package func close() {
        endDuties()
        readers.removeAll()
        slots.close()
    }

    // MARK: The shadow

    package func withShadow<T>(_ body: () throws -> T) throws -> T {
        let token = Int64.random(in: 1 ... .max)
        try acquireShadowLease(token)
        // Remains of an earlier shadow must be removed first.
        let result = Result {
            shadowToken.withLock { $0 = token }
            return try renewing(token) {
                try clearShadow()
                return try body()
            }
        }
        // If this fails, later writes remove the remains.
        deferred.run(clearShadow)
        shadowToken.withLock { $0 = nil }
        endLeases(token)
        return try result.get()
    }

    private func acquireShadowLease(_ token: Int64) throws {
        let (seconds, patience) = (options.leaseTimeout, Int(options.lockTimeout * 1000))
        if let other = try acquireLease(Self.shadowLease, token, seconds: seconds, milliseconds: patience) {
            throw StoreError(.busy, "\(name): the store's rules are being changed by \(other)")
        }
    }

    /// Renews the lease while `body` computes or waits for other writers. Without a renewal, another process would
    /// treat the shadow as abandoned.
    private func renewing<T>(_ token: Int64, _ body: () throws -> T) rethrows -> T {
        try repeating(every: options.leaseTimeout / 4) {
            // The shadow's writes also renew the lease. If this renewal fails, the next of those writes reports it.
            _ = try? self.withConnection { connection in
                try self.server.inTransaction(connection, lockTimeout: 100) { connection in
                    let end = try connection.serverClock() + Int64(self.options.leaseTimeout * 1000)
                    try connection.send(
                        LeaseSQL.renew.rawValue,
                        [.text(Self.shadowLease), .integer(token), .integer(end)]
                    )
                }
            }
        } during: {
            try body()
        }
    }

    /// Removes the shadow. The caller must hold the lease.
    private func clearShadow() throws {
        try inPartitions(nil) { _, tables in
            guard tables.builtEdition > 0 else { return }
            // If another process has the lease now, this call throws an error, so that the shadow of that process is
            // not deleted.
            try tables.renewLease()
            try tables.abandonShadow()
        }
        dropOldEditions()
    }

    /// Removes the shadow of a process whose lease has expired.
    private func abandonDeadShadow() throws {
        try inPartitions(nil) { _, tables in
            guard tables.builtEdition > 0 else { return }
            if try tables.rows(LeaseSQL.holder, [.text(Self.shadowLease)]).isEmpty { try tables.abandonShadow() }
        }
    }

    private func isTimeToSweep() -> Bool { sweeping.withLock { $0.isTime() } }

    /// Drops the tables of editions that no partition uses any more. Dropping needs a lock. If a reader uses a
    /// table, the function returns at once, and a later write tries again.
    private func dropOldEditions() {
        let isDone = deferred.run {
            try withConnection { connection in while try dropOldEdition(connection) {} }
        }
        sweeping.withLock { $0.note(success: isDone) }
    }

    /// Drops one edition that no partition uses any more.
    /// - Returns: false if there was no such edition.
    private func dropOldEdition(_ connection: DatabaseConnection) throws -> Bool {
        try server.inTransaction(connection, lockTimeout: PostgreSQLStore.dropTimeout) { connection in
            // The editions are read first: an edition that is found here and unused afterwards is never used again.
            let editions = try connection.rows(ShadowSQL.lockEditions.rawValue).map { $0.integer(0) }
            let used = try connection.rows(ShadowSQL.usedEditions.rawValue).flatMap { [$0.integer(0), $0.integer(1)] }
            guard let edition = editions.first(where: { !used.contains($0) }) else { return false }
            try connection.send(PostgreSQLSchema.dropEdition(edition))
            try connection.send(ShadowSQL.forgetEdition.rawValue, [.integer(edition)])
            return true
        }
    }

    /// The longest time, in milliseconds, that dropping old tables waits for a lock. Readers may have to wait that
    /// long.
    static let dropTimeout = 100
}

/// The times at which remains of shadows are removed. They are not removed at every write. If readers block the
/// removal for long, it is attempted less often.
struct SweepTimes {
    private var last: ContinuousClock.Instant?
    private var pause = shortest

    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)

    mutating func isTime() -> Bool {
        if let last, last.duration(to: .now) < pause { return false }
        last = .now
        return true
    }

    mutating func note(success: Bool) {
        pause = success ? Self.shortest : min(pause * 2, Self.longest)
    }
}
