// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelPostgreSQL

/// One state of a store, read through several connections. The first transaction exports its snapshot, and the others
/// use it. In a Citus cluster, a snapshot is of one server only. So there all transactions begin at once, while no
/// write is committed.
final class SharedSnapshot: StoreState, @unchecked Sendable {
    private let location: PostgreSQLLocation
    /// Returns a further reader of the state.
    private let another: () throws -> PostgreSQLReader
    private let free = DispatchSemaphore(value: SharedSnapshot.mostReaders)
    private static let mostReaders = max(2, Threads.processors)
    private let lock = Lock()
    /// Readers that are not in use. Accessed only while `lock` is held.
    private var idle: [PostgreSQLReader]
    private var all: [PostgreSQLReader]

    /// Exports the snapshot of a transaction.
    /// - Parameters:
    ///   - first: a reader in a transaction, which must not end before the last read of the state.
    ///   - take: returns a further reader, which has no transaction.
    init(_ first: PostgreSQLReader, _ location: PostgreSQLLocation, take: @escaping () throws -> PostgreSQLReader)
        throws
    {
        self.location = location
        let snapshot = try first.connection.rows(TransactionSQL.exportSnapshot.rawValue)[0].string(0)
        another = {
            let reader = try take()
            try reader.begin(of: snapshot)
            return reader
        }
        idle = [first]
        all = [first]
    }

    /// Takes snapshots of all servers of a Citus cluster. Meanwhile no write may be committed.
    init(ofAllServers location: PostgreSQLLocation, take: @escaping () throws -> PostgreSQLReader) throws {
        self.location = location
        another = take
        idle = try (0..<Self.mostReaders).map { _ in
            let reader = try take()
            try reader.beginOnAllServers()
            return reader
        }
        all = idle
    }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        free.wait()
        defer { free.signal() }
        let reader = try lock.withLock({ idle.popLast() }) ?? further()
        defer { lock.withLock { idle.append(reader) } }
        return try body(reader.session)
    }

    private func further() throws -> PostgreSQLReader {
        do {
            let reader = try another()
            lock.withLock { all.append(reader) }
            return reader
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
    }

    /// Ends all transactions, and releases the readers. Must be called when no thread reads any more.
    func end(_ release: (PostgreSQLReader) -> Void) {
        for reader in lock.withLock({ all }) {
            reader.end()
            release(reader)
        }
    }
}
