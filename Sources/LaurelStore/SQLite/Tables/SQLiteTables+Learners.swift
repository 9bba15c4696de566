// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?] {
        switch names {
        case .subjects(let subjects):
            let sql = "SELECT learner, subject, events FROM learners WHERE subject = ?"
            return try subjects.map { try row(sql, .text($0), row: record) }
        case .ids(let ids):
            let sql = "SELECT learner, subject, events FROM learners WHERE learner = ?"
            return try ids.map { try row(sql, .integer($0), row: record) }
        }
    }

    func learners(where condition: LearnerCondition) throws -> [Int64] {
        switch condition {
        case .eventsAfter(let instant):
            let sql = "SELECT learner FROM runs WHERE last_ms > ?1 UNION SELECT learner FROM tail WHERE ms > ?1"
            return try connection.numbers(sql + " ORDER BY learner", .integer(instant))
        case .snapshotOrProgress(let achievements):
            var learners = try connection.numbers("SELECT learner FROM snapshots")
            for id in achievements {
                learners += try connection.numbers(
                    "SELECT DISTINCT learner FROM achievement_rows JOIN achievement_names n USING(achievement) WHERE n.id = ?",
                    .string(id)
                )
            }
            return Set(learners).sorted()
        case .offLeaderboards:
            // A file of an older format is only read, and its progress is not used.
            guard try addition() == Relation.additions else { return [] }
            return try connection.numbers("SELECT learner FROM learners WHERE leaderboard = 0 ORDER BY learner")
        case .mayBeIn(let group):
            // A file of an older format is only read, and has no such table.
            guard try format() == Schema.version else { return [] }
            return try connection.numbers(
                "SELECT learner FROM group_learners WHERE name = ? ORDER BY learner",
                .string(group)
            )
        case .changedBesideShadow:
            return try connection.numbers("SELECT learner FROM shadow_changed ORDER BY learner")
        }
    }

    func addLearners(_ subjects: [[UInt8]]) throws -> [Int64] {
        let statement = try connection.statement("INSERT INTO learners(subject) VALUES (?)")
        return try subjects.map { subject in
            try statement.run(.text(subject))
            return connection.lastID
        }
    }

    func learnerRanges() throws -> [ClosedRange<Int64>] {
        // A single query for both ids would scan all learners.
        let statement = try connection.statement(
            "SELECT (SELECT min(learner) FROM learners), (SELECT max(learner) FROM learners)"
        )
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return [] }
        // The lowest id is 1.
        let (first, last) = (try statement.amount(0), try statement.amount(1))
        guard first <= last else { throw statement.damage("learners \(first) to \(last)") }
        return [Int64(first)...Int64(last)]
    }

    func learnerIDs(in ids: Range<Int64>, limit: Int) throws -> [Int64] {
        try connection.numbers(
            "SELECT learner FROM learners WHERE learner >= ? AND learner < ? ORDER BY learner LIMIT ?",
            .integer(ids.lowerBound),
            .integer(ids.upperBound),
            .count(limit)
        )
    }

    func forEachLearner(_ ids: Range<Int64>, _ body: (LearnerRecord) throws -> Bool) throws {
        let statement = try connection.statement(
            "SELECT learner, subject, events FROM learners WHERE learner >= ? AND learner < ? ORDER BY learner"
        )
        try statement.bind([.integer(ids.lowerBound), .integer(ids.upperBound)])
        defer { statement.reset() }
        while try statement.step(), try body(record(statement)) {}
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws {
        let statement = try connection.newStatement("SELECT learner, subject, events FROM learners ORDER BY subject")
        while try statement.step() { try body(record(statement)) }
    }

    private func record(_ statement: Statement) throws -> LearnerRecord {
        LearnerRecord(id: statement.integer(0), subject: statement.array(1), eventCount: try statement.amount(2))
    }

    func count(_ added: [CountedEvents]) throws {
        try run("UPDATE learners SET events = events + ?, changed = ? WHERE learner = ?", each: added) { learner, row in
            row.bind(learner.events)
            row.bind(learner.commit)
            row.bind(learner.learner)
        }
    }

    func lastChange(of subject: [UInt8]) throws -> (commit: Int64, recent: [UInt8]?)? {
        guard let commit = try connection.number("SELECT changed FROM learners WHERE subject = ?", .text(subject))
        else {
            return nil
        }
        return (commit, try recentChanges()[0])
    }

    func lastChanges(of _: [Int]) throws -> [Int64] {
        [try connection.number("SELECT max(changed) FROM learners") ?? 0]
    }

    func learners(changedAfter commits: [Int64], limit: Int) throws -> [LearnerRecord] {
        try rows(
            "SELECT learner, subject, events FROM learners WHERE changed > ? LIMIT ?",
            .integer(commits[0]),
            .count(limit),
            row: record
        )
    }

    func deleteLearner(_ id: Int64, keepsNames: Bool) throws -> Int {
        try connection.run("DELETE FROM tail WHERE learner = ?", .integer(id))
        let inTail = connection.changes
        // While rules are applied, the derived tables exist a second time.
        let derived = Relation.derivedTables.map(\.name) + (try leftovers()).filter { $0 != "shadow_changed" }
        for table in derived + ["identities", "identity_leaves", "copies", "notes", "group_learners", "learners"] {
            try connection.run("DELETE FROM \(table) WHERE learner = ?", .integer(id))
        }
        if keepsNames { return inTail }
        for (table, code, suffixes) in [
            ("languages", "language", Relation.projected.map(\.name)),
            ("achievement_names", "achievement", ["achievement_rows"]),
        ] {
            let used = derived.filter { table in suffixes.contains { table.hasSuffix($0) } }
                .map { "SELECT \(code) FROM \($0)" }.joined(separator: " UNION ")
            try connection.run("DELETE FROM \(table) WHERE \(code) NOT IN (\(used))")
        }
        return inTail
    }

    func deleteSecurely(in _: Int) throws {
        mustClean = true
        try connection.run("UPDATE meta SET value = 1 WHERE name = 'erasure_pending'")
    }
}
