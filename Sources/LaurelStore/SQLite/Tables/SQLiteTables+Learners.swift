// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    func learners(named subjects: [[UInt8]]) throws -> [LearnerRecord?] {
        let statement = try connection.statement("SELECT learner, events FROM learners WHERE subject = ?")
        return try subjects.map { subject in
            statement.reset()
            try statement.bind([.text(subject)])
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return LearnerRecord(id: statement.integer(0), subject: subject, eventCount: try statement.amount(1))
        }
    }

    func learners(_ ids: [Int64]) throws -> [LearnerRecord?] {
        let statement = try connection.statement("SELECT subject, events FROM learners WHERE learner = ?")
        return try ids.map { id in
            statement.reset()
            try statement.bind([.integer(id)])
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return LearnerRecord(id: id, subject: statement.array(0), eventCount: try statement.amount(1))
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
        let statement = try connection.statement("SELECT min(learner), max(learner) FROM learners")
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return [] }
        // Ids are given from 1 on.
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

    func count(_ added: [CountedEvents], commit: Int64) throws {
        let statement = try connection.statement(
            "UPDATE learners SET events = events + ?, changed = ? WHERE learner = ?"
        )
        for learner in added {
            try statement.run { row in
                row.bind(learner.events)
                row.bind(commit)
                row.bind(learner.learner)
            }
        }
    }

    func lastChange(of subject: [UInt8]) throws -> Int64? {
        try connection.number("SELECT changed FROM learners WHERE subject = ?", .text(subject))
    }

    func lastChanges() throws -> [Int64] { [try connection.number("SELECT max(changed) FROM learners") ?? 0] }

    func learners(changedAfter commits: [Int64], limit: Int) throws -> [LearnerRecord] {
        try rows(
            "SELECT learner, subject, events FROM learners WHERE changed > ? LIMIT ?",
            .integer(commits[0]),
            .count(limit),
            row: record
        )
    }

    func deleteLearner(_ id: Int64) throws -> Int {
        try connection.run("DELETE FROM tail WHERE learner = ?", .integer(id))
        let inTail = connection.changes
        // While rules are applied, the derived tables exist a second time.
        let derived = Schema.derivedTables + (try leftovers()).filter { $0 != "shadow_changed" }
        for table in derived + ["identities", "identity_leaves", "copies", "learners"] {
            try connection.run("DELETE FROM \(table) WHERE learner = ?", .integer(id))
        }
        for (table, code, suffixes) in [
            ("languages", "language", Schema.projectedTables),
            ("achievement_names", "achievement", ["achievement_rows"]),
        ] {
            let used = derived.filter { table in suffixes.contains { table.hasSuffix($0) } }
                .map { "SELECT \(code) FROM \($0)" }.joined(separator: " UNION ")
            try connection.run("DELETE FROM \(table) WHERE \(code) NOT IN (\(used))")
        }
        return inTail
    }

    func leaveNoTrace() throws {
        mustClean = true
        try connection.run("UPDATE meta SET value = 1 WHERE name = 'erasure_pending'")
    }
}
