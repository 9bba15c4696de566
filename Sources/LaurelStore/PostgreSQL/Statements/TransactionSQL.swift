// SPDX-License-Identifier: Apache-2.0

/// Beginning and ending.
enum TransactionSQL: String, SQLStatement {
    /// `BEGIN`, and what holds until the transaction ends: nothing is left in the session, which a pooler may give to others.
    case beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    case settings = """
        SELECT set_config('search_path', $1, true), set_config('lock_timeout', $2, true),
            set_config('idle_in_transaction_session_timeout', $3, true)
        """
    case beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// Before the transaction's state is settled: no edition can be dropped that it is going to read.
    case keepEditions = """
        LOCK TABLE progress_rows, daily_rows, achievement_rows, snapshots, checkpoints IN ACCESS SHARE MODE
        """
    case exportSnapshot = "SELECT pg_export_snapshot()"

    /// Whoever writes to a partition holds its row, and whoever writes to all of them all rows.
    case lockPartition = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets WHERE bucket = $1 FOR UPDATE
        """
    /// In one order, so that of two who want some of the same none waits for the other in a circle.
    case lockPartitions = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets WHERE bucket = ANY($1::bigint[]) ORDER BY bucket FOR UPDATE
        """
    case lockAllPartitions = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets ORDER BY bucket FOR UPDATE
        """
    case readPartition = """
        SELECT version, last_learner, last_block, generation, last_quarantine, tail_events, tail_sequence,
            quarantine_bytes, edition, built_edition, erasure_pending, recent_changes
        FROM buckets WHERE bucket = $1
        """
    /// In a statement of its own, which begins when the row is held. The rules are as ``RulesKey`` has them.
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
    case isDistributed = "SELECT 1 FROM meta WHERE name = 'distributed'"
    /// For which server commits are counted, and from which number on.
    case noteServer = """
        INSERT INTO meta(name, value) SELECT name, value FROM unnest($1::text[], $2::bigint[]) q(name, value)
        ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
        """
    /// The fence: a division by zero, where the partition is not at the version that the transaction began with, keeps the
    /// `COMMIT` that was sent behind it from being done.
    case writePartition = """
        WITH written AS (
            UPDATE buckets SET version = version + 1, last_learner = $3, last_block = $4, generation = $5,
                last_quarantine = $6, tail_events = $7, tail_sequence = $8, quarantine_bytes = $9, edition = $10,
                built_edition = $11, erasure_pending = $12, recent_changes = $13
            WHERE bucket = $1 AND version = $2 RETURNING 1)
        SELECT 1 / count(*) FROM written
        """
    /// The same of several partitions, as many as the last parameter says.
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

    /// An erasure is known by the version that it left its partition at: whoever has tidied up after one has not done so after a later one.
    case noteErasure = """
        INSERT INTO meta(name, value) VALUES ('erased/' || $1, $2)
        ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
        """
    case pendingErasures = """
        SELECT b.bucket, m.value FROM buckets b LEFT JOIN meta m ON m.name = 'erased/' || b.bucket
        WHERE b.erasure_pending ORDER BY b.bucket
        """
    case lockSomePartitions = "SELECT 1 FROM buckets WHERE bucket = ANY($1::bigint[]) ORDER BY bucket FOR UPDATE"
    /// With these partitions held.
    case endErasures = """
        WITH done AS (
            UPDATE buckets b SET erasure_pending = false FROM unnest($1::bigint[], $2::bigint[]) q(bucket, value)
            WHERE b.bucket = q.bucket
                AND (SELECT value FROM meta WHERE name = 'erased/' || b.bucket) IS NOT DISTINCT FROM q.value
            RETURNING b.bucket)
        DELETE FROM meta WHERE name IN (SELECT 'erased/' || bucket FROM done)
        """
    case server = """
        SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('server_encoding'),
            current_setting('data_checksums'), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
            pg_backend_pid()
        """

    case statusOfPartitions = """
        SELECT sum(version)::bigint, max(built_edition), (SELECT count(*) FROM learners),
            (SELECT sum(events)::bigint FROM learners)
        FROM buckets
        """
    case hasStore = """
        SELECT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relname = 'meta'),
            to_regnamespace($1) IS NOT NULL
        """
    /// Until the transaction ends, so that of two who make a store one finds the other's.
    case lockCreation = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"

    static var ofAllPartitions: Set<Self> { [.statusOfPartitions, .lockAllPartitions, .pendingErasures] }
}
