// SPDX-License-Identifier: Apache-2.0

extension SQLiteSession {
    func copies(of learner: Int64) throws -> [RememberedCopy] {
        // A reader may find an older format.
        guard try isWriter || connection.number("PRAGMA user_version") ?? 0 >= 5 else { return [] }
        let statement = try connection.statement("SELECT name, data FROM copies WHERE learner = ? ORDER BY name")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        var copies: [RememberedCopy] = []
        while try statement.step() {
            let name = String(decoding: statement.array(0), as: UTF8.self)
            copies.append(RememberedCopy(name: name, data: statement.array(1)))
        }
        return copies
    }

    func remember(_ copy: RememberedCopy, of learner: Int64) throws {
        try connection.run(
            "INSERT OR REPLACE INTO copies VALUES (?, ?, ?)",
            .integer(learner),
            .text(Array(copy.name.utf8)),
            .blob(copy.data)
        )
    }

    func forgetCopies(named names: [String], of learner: Int64) throws {
        for name in names {
            try connection.run(
                "DELETE FROM copies WHERE learner = ? AND name = ?",
                .integer(learner),
                .text(Array(name.utf8))
            )
        }
    }

    func learner(named subject: [UInt8]) throws -> LearnerRecord? {
        try closeLearners()
        let statement = try connection.statement("SELECT learner, events FROM learners WHERE subject = ?")
        try statement.bind([.text(subject)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return LearnerRecord(id: statement.integer(0), subject: subject, eventCount: try statement.amount(1))
    }

    func learner(_ id: Int64) throws -> LearnerRecord? {
        let statement = try connection.statement("SELECT subject, events FROM learners WHERE learner = ?")
        try statement.bind([.integer(id)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let added = openLearners.counts[id]?.added ?? 0
        return LearnerRecord(id: id, subject: statement.array(0), eventCount: try statement.amount(1) + added)
    }

    func learnerIDs() throws -> Range<Int64> {
        let statement = try connection.statement("SELECT min(learner), max(learner) FROM learners")
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return 0..<0 }
        // Ids are given from 1 on.
        let (first, last) = (try statement.amount(0), try statement.amount(1))
        guard first <= last else { throw statement.damage("learners \(first) to \(last)") }
        return Int64(first)..<Int64(last) + 1
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws {
        try closeLearners()
        let statement = try connection.newStatement("SELECT learner, subject, events FROM learners ORDER BY subject")
        while try statement.step() {
            try body(
                LearnerRecord(
                    id: statement.integer(0),
                    subject: statement.array(1),
                    eventCount: try statement.amount(2)
                )
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

    func lastEventTime(of learner: Int64) throws -> Int64? {
        try endAppending()
        return try connection.number(
            """
            SELECT max(ms) FROM (SELECT max(last_ms) AS ms FROM runs WHERE learner = ?1
                UNION ALL SELECT max(ms) FROM tail WHERE learner = ?1)
            """,
            .integer(learner)
        )
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

    func foldVersion() throws -> UInt64 { try remembered(\.foldVersion) { UInt64(clamping: try meta("fold")) } }

    func setFoldVersion(_ version: UInt64) throws {
        known.foldVersion = nil
        try connection.run("INSERT OR REPLACE INTO meta VALUES ('fold', ?)", .integer(Int64(clamping: version)))
    }

    func timeZones() throws -> String? {
        guard try format() >= 5 else { return nil }
        let statement = try connection.statement("SELECT value FROM settings WHERE name = 'time_zones'")
        defer { statement.reset() }
        return try statement.step() ? statement.string(0) : nil
    }

    func setTimeZones(_ version: String) throws {
        try connection.run("INSERT OR REPLACE INTO settings VALUES ('time_zones', ?)", .string(version))
    }
}
