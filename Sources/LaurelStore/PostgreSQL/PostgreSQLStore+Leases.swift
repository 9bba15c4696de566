// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem
internal import Synchronization

/// Leases for work that only one process may do at a time. If a process does not renew its lease, another process takes
/// over.
extension PostgreSQLStore {
    static let shadowLease = "shadow"

    /// The name of this process. Other processes report it as the owner of a lease or a job.
    static let holder: String = {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let machine = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "process \(getpid()) on \(machine)"
    }()

    /// Acquires a lease, or renews it, for some seconds.
    /// - Returns: nil if the lease was acquired, otherwise the name of the process that has the lease.
    func acquireLease(_ name: String, _ token: Int64, seconds: Double, milliseconds: Int) throws -> String? {
        try withConnection { connection in
            try inTransaction(connection, milliseconds: milliseconds) { connection in
                let now = try connection.serverClock()
                let end = now + Int64(seconds * 1000)
                let taken = try connection.rows(
                    LeaseSQL.take.rawValue,
                    [.text(name), .integer(token), .stored(Self.holder), .integer(now), .integer(end)]
                )
                guard taken.isEmpty else { return nil }
                let rows = try connection.rows(LeaseSQL.holder.rawValue, [.text(name)])
                return rows.first?.string(0) ?? "another process"
            }
        }
    }

    /// Ends leases, so that another process need not wait until they expire.
    func endLeases(_ token: Int64) {
        deferred.run {
            try withConnection { connection in
                try inTransaction(connection, milliseconds: 1000) { connection in
                    try connection.send(LeaseSQL.end.rawValue, [.integer(token)])
                }
            }
        }
    }

    // MARK: Duties

    package func hasDuty(_ name: String, seconds: Double) throws -> Bool {
        let token = dutyToken.withLock { token in
            token = token ?? Int64.random(in: 1 ... .max)
            return token!
        }
        return try acquireLease("duty/\(name)", token, seconds: seconds, milliseconds: 1000) == nil
    }

    func endDuties() {
        if let token = dutyToken.withLock(\.self) { endLeases(token) }
    }
}

extension DatabaseConnection {
    /// The server's clock in milliseconds.
    func serverClock() throws -> Int64 { try rows(TransactionSQL.clock.rawValue)[0].integer(0) }
}
