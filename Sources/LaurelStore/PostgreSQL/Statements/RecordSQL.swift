// SPDX-License-Identifier: Apache-2.0

/// Statements on rules, settings, and kept copies of apps' stores.
enum RecordSQL: String, SQLStatement {
    case fold = "SELECT value FROM meta WHERE name = 'fold'"
    case setFold = """
        INSERT INTO meta(name, value) VALUES ('fold', $1) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
        """

    /// The sums over all partitions.
    case sums = "SELECT sum(tail_events)::bigint, sum(quarantine_bytes)::bigint FROM buckets"
    /// The recent changes of each partition.
    case recentChanges = "SELECT recent_changes FROM buckets WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket"

    case rules = """
        SELECT r.version, r.hash, r.name, r.applied_ms, r.source, r.from_day
        FROM rules_in_force f JOIN rules r USING (applied) ORDER BY f.from_day NULLS FIRST
        """
    case rulesInForce = "SELECT hash, from_day FROM rules_in_force ORDER BY from_day NULLS FIRST"
    case rulesHistory = "SELECT version, hash, name, applied_ms, source, from_day FROM rules ORDER BY applied"
    /// Ends the rules that are in force from a day or later; null ends all rules.
    case endRules = "DELETE FROM rules_in_force WHERE $1::int IS NULL OR from_day >= $1"
    case addRules = """
        WITH added AS (
            INSERT INTO rules(version, hash, name, applied_ms, source, from_day) VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING applied, from_day, hash)
        INSERT INTO rules_in_force(applied, from_day, hash) SELECT applied, from_day, hash FROM added
        """
    case withdrawRules = "DELETE FROM rules_in_force WHERE from_day = $1"

    case settings = "SELECT name, value FROM settings WHERE name >= $1 AND name < $2 ORDER BY name LIMIT $3"
    case lastSettings = "SELECT name, value FROM settings WHERE name >= $1 AND name < $2 ORDER BY name DESC LIMIT $3"
    case setSetting = """
        INSERT INTO settings(name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
        """
    case removeSetting = "DELETE FROM settings WHERE name = $1"

    case allCopies = """
        SELECT learner, name, data FROM copies WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, learner, name
        """
    case allNotes = """
        SELECT learner, id, ms, author, text FROM notes WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, learner, id
        """
}
