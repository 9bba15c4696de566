// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import Synchronization

/// Work that one of all processes does: a lease, which another takes when nothing is heard of who had it.
extension PostgreSQLStore {
    package func hasDuty(_ name: String, seconds: Double) throws -> Bool {
        let token = dutyToken.withLock { token in
            token = token ?? Int64.random(in: 1 ... .max)
            return token!
        }
        return try withConnection { connection in
            try inTransaction(connection, milliseconds: 1000) { connection in
                let taken = try connection.rows(
                    ShadowSQL.takeDuty.rawValue,
                    [.text(name), .integer(token), .real(seconds)]
                )
                return !taken.isEmpty
            }
        }
    }

    /// So that another need not wait.
    func endDuties() {
        guard let token = dutyToken.withLock(\.self) else { return }
        _ = try? withConnection { connection in
            try inTransaction(connection, milliseconds: 1000) { connection in
                try connection.send(ShadowSQL.endDuties.rawValue, [.integer(token)])
            }
        }
    }
}
