// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Statements that begin and end transactions.
enum TransactionSQL: String, SQLStatement {
    /// Begins a writing transaction. All settings apply only until the end of the transaction, because a pooler may
    /// pass the session to another client.
    case beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    case settings = """
        SELECT set_config('search_path', $1, true), set_config('lock_timeout', $2, true),
            set_config('idle_in_transaction_session_timeout', $3, true)
        """
    case beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// Keeps the editions that the transaction will read from being dropped. Must be sent before the transaction takes
    /// its snapshot.
    case keepEditions = """
        LOCK TABLE progress_rows, daily_rows, achievement_rows, snapshots, checkpoints IN ACCESS SHARE MODE
        """
    case exportSnapshot = "SELECT pg_export_snapshot()"
    /// Waits until no write is being committed, and keeps writes from being committed. Each write updates a partition's
    /// row at its end.
    case holdCommits = "LOCK TABLE buckets IN SHARE MODE"
    /// Makes each server of a Citus cluster take its snapshot for the transaction.
    case takeSnapshots = "SELECT count(*) FROM buckets"

    /// Locks a partition's row. A writer to one partition locks that row, and a writer to all partitions locks all
    /// rows.
    case lockPartition = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets WHERE bucket = $1 FOR UPDATE
        """
    /// Locks rows in a fixed order, so that two transactions cannot deadlock.
    case lockPartitions = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets WHERE bucket = ANY($1::bigint[]) ORDER BY bucket FOR UPDATE
        """
    case readPartition = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets WHERE bucket = $1
        """
    /// Reads ``StoreFacts``. It is a separate statement, so that it begins after the row is locked. The rules have
    /// the form of ``RulesKey``.
    case readStore = """
        SELECT (SELECT value FROM meta WHERE name = 'format'), (SELECT value FROM meta WHERE name = 'buckets'),
            (SELECT count(*) FROM editions), (SELECT value FROM meta WHERE name = 'names'),
            (SELECT value FROM meta WHERE name = 'fold'),
            (SELECT string_agg(hash || coalesce('@' || from_day, ''), ' ' ORDER BY from_day NULLS FIRST)
                FROM rules_in_force),
            (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint,
            (SELECT value FROM meta WHERE name = 'server'), (SELECT value FROM meta WHERE name = 'commits'),
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """
    /// The server's clock in milliseconds. Statements that write get the time as a parameter, because in a Citus cluster
    /// they may not call such a function themselves.
    case clock = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    /// The server's start time, which identifies the server. It is a statement of its own, because Citus runs a
    /// statement on distributed tables on another server.
    case start = "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint"
    case isDistributed = "SELECT 1 FROM meta WHERE name = 'distributed'"
    /// Stores the server's start time, and the lowest number for its new commits.
    case noteServer = """
        INSERT INTO meta(name, value) SELECT name, value FROM unnest($1::text[], $2::bigint[]) q(name, value)
        ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
        """
    /// Writes the partition's row. If the partition's version has changed since the start of the transaction, a
    /// division by zero makes the statement fail. Then the `COMMIT` that follows fails, too.
    case writePartition = """
        WITH written AS (
            UPDATE buckets SET version = version + 1, last_learner = $3, last_block = $4, generation = $5,
                last_quarantine = $6, tail_events = $7, tail_sequence = $8, quarantine_bytes = $9, edition = $10,
                built_edition = $11, erasure_pending = $12, recent_changes = $13
            WHERE bucket = $1 AND version = $2 RETURNING 1)
        SELECT 1 / count(*) FROM written
        """
    /// Does the same as ``writePartition`` for several partitions. The last parameter is their number.
    case writePartitions = """
        WITH written AS (
            UPDATE buckets b SET version = b.version + 1, last_learner = q.last_learner, last_block = q.last_block,
                generation = q.generation, last_quarantine = q.last_quarantine, tail_events = q.tail_events,
                tail_sequence = q.tail_sequence, quarantine_bytes = q.quarantine_bytes, edition = q.edition,
                built_edition = q.built_edition, erasure_pending = q.erasure_pending, recent_changes = q.recent_changes
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::boolean[], $13::bytea[])
                q(bucket, version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
                    quarantine_bytes, edition, built_edition, erasure_pending, recent_changes)
            WHERE b.bucket = q.bucket AND b.version = q.version RETURNING 1)
        SELECT 1 / (count(*) = $14)::int FROM written
        """

    /// Stores that an erasure is not finished, with the version of the partition after the erasure. The version
    /// distinguishes this erasure from later ones.
    case noteErasure = """
        INSERT INTO meta(name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
        """
    case pendingErasures = """
        SELECT b.bucket, m.value FROM buckets b LEFT JOIN meta m ON m.name = 'erased/' || b.bucket
        WHERE b.erasure_pending ORDER BY b.bucket
        """
    /// Marks the erasure of a partition as finished, unless a later erasure has begun. The transaction must hold the
    /// partition.
    case endErasure = """
        UPDATE buckets SET erasure_pending = false
        WHERE bucket = $1 AND (SELECT value FROM meta WHERE name = $2) IS NOT DISTINCT FROM $3
        """
    case forgetErasure = "DELETE FROM meta WHERE name = $1 AND value = $2"
    case server = """
        SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('server_encoding'),
            current_setting('data_checksums'), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
            pg_backend_pid()
        """

    case statusOfPartitions = "SELECT sum(version)::bigint, max(built_edition) FROM buckets"
    case hasStore = """
        SELECT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relname = 'meta'),
            to_regnamespace($1) IS NOT NULL
        """
    /// Takes a lock on the creation of a store until the transaction ends. A second process waits for the lock, and
    /// then finds the store.
    case lockCreation = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
}

extension TransactionSQL {
    /// The statements that lock partitions, and return their rows in the order of the partitions.
    /// - Parameters:
    ///   - partitions: ascending.
    ///   - isDistributed: true if a statement may lock only one partition.
    static func lock(_ partitions: [Int], isDistributed: Bool) -> [(sql: String, parameters: [Parameter])] {
        guard partitions.count > 1, !isDistributed else {
            return partitions.map { (lockPartition.rawValue, [.count($0)]) }
        }
        return [(lockPartitions.rawValue, [.integers(partitions.lazy.map(Int64.init))])]
    }

    /// The name of the row of `meta` that says that a partition's erasure is not finished.
    static func erasureName(_ partition: Int64) -> Parameter { .text("erased/\(partition)") }
}
