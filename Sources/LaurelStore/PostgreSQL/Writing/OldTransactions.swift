// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem

/// Transactions that may see what has been deleted before: as long as one of them lasts, the server keeps it.
struct OldTransactions {
    /// The server's number of the first transaction that comes after the deletion, or may.
    private let next: String
    /// The transactions that were under way, by their identifiers in the server's list of locks.
    private let present: String

    private static let pause: useconds_t = 20_000

    /// To be called when what was deleted is committed.
    init(_ connection: DatabaseConnection) throws {
        let row = try connection.rows(AdministrationSQL.transactions.rawValue)[0]
        (next, present) = (row.string(0), row.string(1))
    }

    /// Waits until none of them is left.
    /// - Returns: whose is left after so many seconds, in words.
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
