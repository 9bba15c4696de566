// SPDX-License-Identifier: Apache-2.0

/// Who does what only one may: the building of a shadow, the duties of a service.
enum LeaseSQL: String, SQLStatement {
    case take = """
        INSERT INTO leases(name, token, holder, until)
        VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
        ON CONFLICT (name) DO UPDATE SET token = EXCLUDED.token, holder = EXCLUDED.holder, until = EXCLUDED.until
            WHERE leases.until < clock_timestamp() OR leases.token = EXCLUDED.token
        RETURNING token
        """
    case renew = """
        UPDATE leases SET until = clock_timestamp() + make_interval(secs => $3) WHERE name = $1 AND token = $2
        """
    /// All that go by a token.
    case end = "DELETE FROM leases WHERE token = $1"
    /// Who had it when the transaction began: they could not renew it while they waited for this one.
    case holder = "SELECT holder, token FROM leases WHERE name = $1 AND until >= now()"
}
