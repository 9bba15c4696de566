// SPDX-License-Identifier: Apache-2.0

/// Tells whether another connection has committed.
final class SQLiteProbe: CommitProbe, @unchecked Sendable {
    private let session: SQLiteSession
    private var seen: Int64

    init(_ session: SQLiteSession) throws {
        self.session = session
        seen = try session.dataVersion()
    }

    func hasNews() throws -> Bool {
        let version = try session.dataVersion()
        defer { seen = version }
        return version != seen
    }

    func close() { session.connection.close() }
}
