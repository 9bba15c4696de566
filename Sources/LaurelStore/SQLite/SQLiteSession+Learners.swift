extension SQLiteSession {
    func learner(named subject: [UInt8]) throws -> LearnerRecord? {
        try closeLearners()
        let statement = try connection.statement("SELECT learner, events FROM learners WHERE subject = ?")
        try statement.bind([.text(subject)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return LearnerRecord(id: statement.integer(0), subject: subject, eventCount: statement.count(1))
    }

    func learner(_ id: Int64) throws -> LearnerRecord? {
        let statement = try connection.statement("SELECT subject, events FROM learners WHERE learner = ?")
        try statement.bind([.integer(id)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let added = openLearners.counts[id]?.added ?? 0
        return LearnerRecord(id: id, subject: statement.array(0), eventCount: statement.count(1) + added)
    }

    func learnerIDs() throws -> Range<Int64> {
        let first = try connection.number("SELECT min(learner) FROM learners") ?? 0
        let last = try connection.number("SELECT max(learner) FROM learners") ?? -1
        return first..<last + 1
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws {
        try closeLearners()
        let statement = try connection.newStatement("SELECT learner, subject, events FROM learners ORDER BY subject")
        while try statement.step() {
            try body(
                LearnerRecord(id: statement.integer(0), subject: statement.array(1), eventCount: statement.count(2))
            )
        }
    }

    func learnerID(for subject: [UInt8]) throws -> Int64 {
        if let open = openLearners.id(of: subject) { return open }
        let known = try connection.number("SELECT learner FROM learners WHERE subject = ?", .text(subject))
        if known == nil { try connection.run("INSERT INTO learners(subject) VALUES (?)", .text(subject)) }
        let id = known ?? connection.lastID
        openLearners.open(id, of: subject)
        return id
    }

    func statistics() throws -> StoreStatistics {
        try writeUnwritten()
        var result = StoreStatistics()
        result.learners = Int(try connection.number("SELECT count(*) FROM learners") ?? 0)
        result.events = Int(try connection.number("SELECT sum(events) FROM learners") ?? 0)
        result.blocks = Int(try connection.number("SELECT count(*) FROM blocks") ?? 0)
        result.blockBytes = Int(try connection.number("SELECT sum(length(data)) FROM blocks") ?? 0)
        result.tailEvents = Int(try meta("tail_events"))
        result.quarantined = Int(try connection.number("SELECT count(*) FROM quarantine") ?? 0)
        let pages = try connection.number("PRAGMA page_count") ?? 0
        result.fileBytes = Int(pages * (try connection.number("PRAGMA page_size") ?? 0))
        return result
    }

    func rules() throws -> RulesRecord? { try rules("ORDER BY applied DESC LIMIT 1").first }

    func rulesHash() throws -> String? {
        let statement = try connection.statement("SELECT hash FROM rules ORDER BY applied DESC LIMIT 1")
        defer { statement.reset() }
        return try statement.step() ? statement.string(0) : nil
    }

    func rulesHistory() throws -> [RulesRecord] { try rules("ORDER BY applied") }

    private func rules(_ order: String) throws -> [RulesRecord] {
        let statement = try connection.statement("SELECT version, hash, name, applied_ms, source FROM rules " + order)
        defer { statement.reset() }
        var result: [RulesRecord] = []
        while try statement.step() {
            result.append(
                RulesRecord(
                    version: statement.count(0),
                    hash: statement.string(1),
                    name: statement.string(2),
                    appliedAt: statement.integer(3),
                    source: statement.array(4)
                )
            )
        }
        return result
    }

    func setRules(_ rules: RulesRecord) throws {
        try connection.run(
            "INSERT INTO rules(version, hash, name, applied_ms, source) VALUES (?, ?, ?, ?, ?)",
            .count(rules.version),
            .string(rules.hash),
            .string(rules.name),
            .integer(rules.appliedAt),
            .text(rules.source)
        )
    }
}
