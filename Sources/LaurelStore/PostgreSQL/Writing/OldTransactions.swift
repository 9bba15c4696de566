// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem

/// Transactions that may still see deleted rows. The server stores the rows until all these transactions have ended.
struct OldTransactions {
    /// The id of the first transaction that cannot see the deleted rows.
    private let next: String
    /// The transactions that were running, by their identifiers in the server's list of locks.
    private let present: String

    private static let pause: useconds_t = 20_000

    /// Reads the list of running transactions. Must be called after the deletion was committed.
    init(_ connection: DatabaseConnection) throws {
        let row = try connection.rows(AdministrationSQL.transactions.rawValue)[0]
        (next, present) = (row.string(0), row.string(1))
    }

    /// Waits until all these transactions have ended, at most `seconds`.
    /// - Returns: a description of a transaction that has not ended; nil if all have.
    func wait(_ seconds: Double, _ connection: DatabaseConnection) throws -> String? {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let left = try connection.rows(
                AdministrationSQL.oldTransactions.rawValue,
                [.text(next), .text(present)]
            )
            guard let first = left.first else { return nil }
            guard ContinuousClock.now < end else { return first.string(0) }
            usleep(Self.pause)
        }
    }
}
