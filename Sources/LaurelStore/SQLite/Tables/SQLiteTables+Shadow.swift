// SPDX-License-Identifier: Apache-2.0

extension DerivedTarget {
    /// The prefix of the tables' names.
    var prefix: String {
        switch self {
        case .stored: ""
        case .shadow: "shadow_"
        }
    }
}

/// The shadow: a second set of derived tables under other names. Triggers record which learners change while it is
/// built. A shadow of all learners replaces the stored tables by renaming. The rows of another shadow are copied.
///
/// Tables that are no longer used are leftovers, and so is the shadow of a process that has ended. Leftovers are
/// removed in small steps.
extension SQLiteTables {
    private static let leftover = "leftover_"

    // MARK: Building

    func makeShadow() throws {
        hasNoLeftovers = false
        try connection.execute(Schema.derivedTables(prefix: DerivedTarget.shadow.prefix))
        try connection.execute(
            """
            CREATE TABLE shadow_changed(learner INTEGER PRIMARY KEY);
            CREATE TRIGGER shadow_notes_events AFTER UPDATE OF events ON learners
                BEGIN INSERT OR IGNORE INTO shadow_changed VALUES (new.learner); END;
            CREATE TRIGGER shadow_notes_erasure AFTER DELETE ON learners
                BEGIN INSERT OR IGNORE INTO shadow_changed VALUES (old.learner); END;
            """
        )
    }

    func forgetChanges(of learners: [Int64]) throws {
        for table in Relation.derivedTables.map({ "shadow_\($0.name)" }) + ["shadow_changed"] {
            for learner in learners {
                try connection.run("DELETE FROM \(table) WHERE learner = ?", .integer(learner))
            }
        }
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        hasNoLeftovers = false
        try stopNoting()
        switch extent {
        case .everything: try exchange()
        case .listedLearnersWithoutDays: try merge()
        }
    }

    /// Replaces all derived tables by renaming.
    /// - Complexity: independent of the amount of stored data.
    private func exchange() throws {
        // With this setting, renaming a table does not change views and other objects that name it.
        try connection.execute("PRAGMA legacy_alter_table = ON")
        for table in Relation.derivedTables.map(\.name) {
            try connection.execute("ALTER TABLE \(table) RENAME TO \(Self.leftover)\(table)")
            try connection.execute("ALTER TABLE shadow_\(table) RENAME TO \(table)")
        }
    }

    private func merge() throws {
        let learners = "(SELECT learner FROM shadow_progress_rows)"
        for table in Relation.derivedTables.map(\.name) where table != "daily_rows" {
            try connection.run("DELETE FROM \(table) WHERE learner IN \(learners)")
            try connection.run("INSERT INTO \(table) SELECT * FROM shadow_\(table)")
        }
    }

    private func stopNoting() throws {
        try connection.execute(
            """
            DROP TRIGGER IF EXISTS shadow_notes_events;
            DROP TRIGGER IF EXISTS shadow_notes_erasure;
            DROP TABLE IF EXISTS shadow_changed
            """
        )
    }

    // MARK: Leftovers

    /// The tables of a shadow, and the tables that a shadow has replaced.
    func leftovers() throws -> [String] {
        let statement = try connection.statement(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'shadow_*' OR name GLOB 'leftover_*')"
        )
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.string(0)) }
        return names
    }

    func hasLeftovers() throws -> Bool { try !leftovers().isEmpty }

    /// Removes some rows of the leftovers, and finally returns free pages to the file system. Call it in a transaction,
    /// while no process builds a shadow.
    /// - Parameter rows: the most rows to remove; one learner's rows are always removed together.
    /// - Returns: true if there is more to do.
    func sweep(_ rows: Int) throws -> Bool {
        try stopNoting()
        if let table = try leftovers().first {
            try sweep(table, rows)
            return true
        }
        let free = try connection.number("PRAGMA freelist_count") ?? 0
        let all = try connection.number("PRAGMA page_count") ?? 0
        guard free > 256, free * 4 > all else { return false }
        try connection.execute("PRAGMA incremental_vacuum(4096)")
        return true
    }

    private func sweep(_ table: String, _ rows: Int) throws {
        let bound = try connection.number(
            "SELECT learner FROM \(table) ORDER BY learner LIMIT 1 OFFSET ?",
            .count(rows)
        )
        if let bound {
            // At least one learner, however many rows that learner has.
            let first = try connection.number("SELECT min(learner) FROM \(table)") ?? bound
            try connection.run("DELETE FROM \(table) WHERE learner < ?", .integer(max(bound, first + 1)))
        } else {
            // A prepared statement can keep a table from being dropped.
            connection.forgetStatements()
            try connection.execute("DROP TABLE \(table)")
        }
    }
}
