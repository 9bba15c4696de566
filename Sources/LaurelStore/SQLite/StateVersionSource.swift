// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The source of the version of the store's state. It uses a separate connection, which sees the writes of all other
/// connections.
final class StateVersionSource: @unchecked Sendable {
    private let lock = Lock()
    /// The following properties are used only with `lock` held.
    private var session: SQLiteSession?
    private var wasAsked = false
    private var seen: (data: Int64, version: StoreVersion)?

    /// The version of the current state. The first call returns nil, so that a program that asks only once needs no
    /// connection for this.
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
            // The number and the history must belong to one state.
            try session.beginReading()
            defer { session.endReading() }
            let data = try session.dataVersion()
            let version = StoreVersion(history: PartitionHistory(try session.store.history()))
            seen = (data, version)
            return version
        }
    }

    /// Records the version that a write has left. Called by the writer while no other process can write.
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
