// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The SQL statements for administration.
enum AdministrationSQL: String {
    case programs = """
        SELECT coalesce(application_name, ''), coalesce(usename, ''), count(*),
            count(*) FILTER (WHERE state <> 'idle') + nullif(count(*) FILTER (WHERE state IS NOT NULL), 0) * 0,
            extract(epoch FROM max(clock_timestamp() - xact_start))::float8
        FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        GROUP BY 1, 2 ORDER BY 1, 2
        """
    case standbys = """
        SELECT coalesce(application_name, ''), state, sync_state,
            CASE WHEN pg_is_in_recovery() THEN NULL
                ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint END,
            extract(epoch FROM replay_lag)::float8
        FROM pg_stat_replication ORDER BY 1
        """
    case mayVacuum = """
        SELECT coalesce(bool_and(pg_has_role(c.relowner, 'USAGE')), false)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
        """
    /// The query for the right to maintain tables, for PostgreSQL 17 and later, which have the MAINTAIN privilege.
    case mayMaintain = """
        SELECT coalesce(bool_and(has_table_privilege(c.oid, 'MAINTAIN')), false)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        """
    /// The id of the first unfinished transaction, and the virtual ids of all other connections' transactions. For a
    /// transaction of another role, the server shows only the virtual id.
    case transactions = """
        SELECT pg_snapshot_xmax(pg_current_snapshot())::text, array_to_string(array(
            SELECT virtualxid FROM pg_locks WHERE locktype = 'virtualxid' AND granted AND pid <> pg_backend_pid()), ' ')
        """
    /// A transaction that may still see the state before the transaction $1. The age of its snapshot shows this. The
    /// age is hidden for a transaction of another role. Such a transaction is returned if its virtual id is in the list
    /// $2.
    case oldTransactions = """
        SELECT format('process %s (%s)', pid, coalesce(nullif(application_name, ''), usename, backend_type))
        FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND age(backend_xmin) > age($1::text::xid8::xid)
            AND (datname = current_database() OR backend_type = 'walsender')
        UNION ALL
        SELECT format('process %s of %s', a.pid, a.usename) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.locktype = 'virtualxid' AND l.granted AND a.state IS NULL AND a.datname = current_database()
            AND l.virtualxid = ANY(string_to_array($2, ' '))
        UNION ALL
        SELECT format('prepared transaction %s', gid) FROM pg_prepared_xacts
        WHERE database = current_database() AND age(transaction) > age($1::text::xid8::xid)
        UNION ALL
        SELECT format('replication slot %s', slot_name) FROM pg_replication_slots
        WHERE age(xmin) > age($1::text::xid8::xid)
        LIMIT 1
        """
    case citus = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
    case mostConnections = "SELECT current_setting('max_connections')::bigint"
    case rights = """
        SELECT pg_has_role(n.nspowner, 'USAGE'),
            has_table_privilege(c.oid, 'UPDATE') AND has_schema_privilege(n.oid, 'USAGE'),
            has_table_privilege(v.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE')
        FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'buckets'
            JOIN pg_class v ON v.relnamespace = n.oid AND v.relname = 'progress'
        WHERE n.nspname = $1
        """
    /// The sizes of a schema's tables with their indexes.
    case sizes = """
        SELECT c.relname, pg_total_relation_size(c.oid)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
        """
    /// The same for a database with Citus, where tables may be on several servers.
    case sizesInCitus = """
        SELECT c.relname, CASE WHEN p.logicalrelid IS NULL THEN pg_total_relation_size(c.oid)
                ELSE citus_total_relation_size(c.oid) END
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
        WHERE n.nspname = $1 AND c.relkind = 'r'
        """

    /// The names of a schema's tables, and their sizes with indexes on all servers.
    static func sizes(in schema: String, _ connection: DatabaseConnection) throws -> [(table: String, bytes: Int)] {
        let hasCitus = try !connection.rows(citus.rawValue).isEmpty
        let statement = hasCitus ? sizesInCitus : sizes
        return try connection.rows(statement.rawValue, [.text(schema)]).map { ($0.string(0), Int($0.integer(1))) }
    }
}
