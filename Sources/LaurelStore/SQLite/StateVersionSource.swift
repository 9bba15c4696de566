// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Tells the version of the store's state. It has a connection of its own, which SQLite tells whether another one has
/// written.
final class StateVersionSource: @unchecked Sendable {
    private let lock = Lock()
    /// These are used only with `lock` held.
    private var session: SQLiteSession?
    private var wasAsked = false
    private var seen: (data: Int64, version: StoreVersion)?

    /// The version of the present state; nil at the first call. So a program that asks once needs no connection for it.
    /// - Parameter open: opens the connection.
    func version(_ open: () throws -> SQLiteSession) throws -> StoreVersion? {
        try lock.withLock {
            guard wasAsked else {
                wasAsked = true
                return nil
            }
            let session = try self.session ?? open()
            self.session = session
            if let seen, seen.data == (try session.dataVersion()) { return seen.version }
            // The number and the history are to be of one state.
            try session.beginReading()
            defer { session.endReading() }
            let data = try session.dataVersion()
            let version = StoreVersion(history: PartitionHistory(try session.store.history()))
            seen = (data, version)
            return version
        }
    }

    /// Notes the version that a write has left. Called by the writer while nobody else can write.
    func note(_ version: StoreVersion) {
        lock.withLock {
            guard let session else { return }
            seen = (try? session.dataVersion()).map { ($0, version) }
        }
    }

    func close() {
        lock.withLock {
            session?.connection.close()
            (session, seen) = (nil, nil)
        }
    }
}
