// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelPostgreSQL

/// One state of a store, read through several connections. The first transaction exports its snapshot, and the others
/// use it.
final class SharedSnapshot: StoreState, @unchecked Sendable {
    private let location: PostgreSQLLocation
    private let snapshot: String
    private let take: () throws -> PostgreSQLReader
    private let free = DispatchSemaphore(value: max(2, Threads.processors))
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
        snapshot = try first.connection.rows(TransactionSQL.exportSnapshot.rawValue)[0].string(0)
        self.take = take
        idle = [first]
        all = [first]
    }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        free.wait()
        defer { free.signal() }
        let reader = try lock.withLock({ idle.popLast() }) ?? another()
        defer { lock.withLock { idle.append(reader) } }
        return try body(reader.session)
    }

    private func another() throws -> PostgreSQLReader {
        do {
            let reader = try take()
            try reader.begin(of: snapshot)
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
