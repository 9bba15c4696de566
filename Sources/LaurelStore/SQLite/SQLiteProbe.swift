// SPDX-License-Identifier: Apache-2.0

/// Detects commits of other connections.
final class SQLiteProbe: CommitProbe, @unchecked Sendable {
    private let session: SQLiteSession
    private var seen: Int64

    init(_ session: SQLiteSession) throws {
        self.session = session
        seen = try session.dataVersion()
    }

    func hasNewCommits() throws -> Bool {
        let version = try session.dataVersion()
        defer { seen = version }
        return version != seen
    }

    func close() { session.connection.close() }
}
