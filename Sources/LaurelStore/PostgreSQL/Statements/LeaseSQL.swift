// SPDX-License-Identifier: Apache-2.0

/// Statements on leases, for work that only one process may do. Examples are building a shadow, and the duties of a
/// service.
enum LeaseSQL: String, SQLStatement {
    /// Takes a lease that ends at $5, unless another process has a lease that is valid at $4.
    case take = """
        INSERT INTO leases(name, token, holder, until) VALUES ($1, $2, $3, to_timestamp($5::bigint / 1000.0))
        ON CONFLICT (name) DO UPDATE SET token = EXCLUDED.token, holder = EXCLUDED.holder, until = EXCLUDED.until
            WHERE leases.until < to_timestamp($4::bigint / 1000.0) OR leases.token = EXCLUDED.token
        RETURNING token
        """
    case renew = """
        UPDATE leases SET until = greatest(until, to_timestamp($3::bigint / 1000.0)) WHERE name = $1 AND token = $2
        """
    /// Ends all leases with a token.
    case end = "DELETE FROM leases WHERE token = $1"
    /// The process whose lease was valid when the transaction began. The lease may have expired since then, because the
    /// process cannot renew it while it waits for this transaction.
    case holder = "SELECT holder, token FROM leases WHERE name = $1 AND until >= now()"
}
