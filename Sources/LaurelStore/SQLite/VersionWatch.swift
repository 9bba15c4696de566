// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Tells which state the store is in, by a connection that does nothing else: SQLite tells it whether another has written.
final class VersionWatch: @unchecked Sendable {
    private let gate = Gate()
    /// The following are used with `gate` held only.
    private var session: SQLiteSession?
    private var wasAsked = false
    private var seen: (data: Int64, version: StoreVersion)?

    /// nil where it is asked for the first time: who asks a single question is spared the connection.
    /// - Parameter open: makes the connection.
    func version(_ open: () throws -> SQLiteSession) throws -> StoreVersion? {
        try gate.withLock {
            guard wasAsked else {
                wasAsked = true
                return nil
            }
            let session = try self.session ?? open()
            self.session = session
            let data = try session.dataVersion()
            if let seen, seen.data == data { return seen.version }
            let version = StoreVersion(others: 0, write: StoreVersion.newWrite())
            seen = (data, version)
            return version
        }
    }

    /// To be told by the writer, while nobody else can write, which state it has left.
    func note(_ version: StoreVersion) {
        gate.withLock {
            guard let session else { return }
            seen = (try? session.dataVersion()).map { ($0, version) }
        }
    }

    func close() {
        gate.withLock {
            session?.connection.close()
            (session, seen) = (nil, nil)
        }
    }
}
