// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension SQLiteTables {
    // MARK: Counters

    func counter(_ counter: Counter, of _: Int?) throws -> Int64 { try number(of: counter.rawValue) }
    func setCounter(_ counter: Counter, of _: Int, _ value: Int64) throws { try setCounter(counter.rawValue, value) }

    func foldVersion() throws -> Int64 { try number(of: "fold") }
    func setFoldVersion(_ version: Int64) throws { try setCounter("fold", version) }

    private func number(of name: String) throws -> Int64 {
        try row("SELECT value FROM meta WHERE name = ?", .string(name)) { Int64(try $0.amount(0)) } ?? 0
    }

    private func setCounter(_ name: String, _ value: Int64) throws {
        try connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", .string(name), .integer(value))
    }

    func recentChanges() throws -> [[UInt8]?] { [try recentChanges(of: 0)] }

    func recentChanges(of _: Int) throws -> [UInt8]? {
        try row("SELECT value FROM meta WHERE name = 'recent_changes'") { $0.array(0) }
    }

    func setRecentChanges(of _: Int, _ bytes: [UInt8]) throws {
        try connection.run("INSERT OR REPLACE INTO meta VALUES ('recent_changes', ?)", .blob(bytes))
    }

    // MARK: Rules

    func rulesHistory() throws -> [RulesRecord] { try records("FROM rules r ORDER BY applied") }

    func rules() throws -> [RulesRecord] {
        return try records("FROM rules_in_force f JOIN rules r USING(applied) ORDER BY f.from_day")
    }

    func rulesInForce() throws -> [(hash: String, from: LocalDay?)] {
        try rows("SELECT hash, from_day FROM rules_in_force ORDER BY from_day") { ($0.string(0), $0.day(1)) }
    }

    func insert(_ rules: RulesRecord) throws {
        try connection.run(
            "INSERT INTO rules(version, hash, name, applied_ms, source, from_day) VALUES (?, ?, ?, ?, ?, ?)",
            .count(rules.version),
            .string(rules.hash),
            .string(rules.name),
            .integer(rules.appliedAt),
            .text(rules.source),
            rules.from.map { .integer(Int64($0.number)) } ?? .null
        )
        let applied = connection.lastID
        if let from = rules.from {
            try connection.run("DELETE FROM rules_in_force WHERE from_day >= ?", .integer(Int64(from.number)))
        } else {
            try connection.run("DELETE FROM rules_in_force")
        }
        try connection.run(
            "INSERT INTO rules_in_force(applied, from_day, hash) SELECT applied, from_day, hash FROM rules WHERE applied = ?",
            .integer(applied)
        )
    }

    func withdrawRules(from day: LocalDay) throws {
        try connection.run("DELETE FROM rules_in_force WHERE from_day = ?", .integer(Int64(day.number)))
    }

    /// Reads versions of the rules.
    /// - Parameter source: the rest of the query: the tables to read, and the order of the rows.
    private func records(_ source: String) throws -> [RulesRecord] {
        try rows("SELECT version, r.hash, name, applied_ms, source, r.from_day " + source) { row in
            RulesRecord(
                version: try row.amount(0),
                hash: row.string(1),
                name: row.string(2),
                appliedAt: try row.instant(3),
                source: row.array(4),
                from: row.day(5)
            )
        }
    }

    // MARK: Settings

    func settings(
        prefix: String,
        before end: String?,
        limit: Int,
        side: RecordSide
    ) throws -> [(name: String, value: String)] {
        // U+10FFFF is the last character.
        try rows(
            side == .first
                ? "SELECT name, value FROM settings WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
                : "SELECT name, value FROM settings WHERE name >= ? AND name < ? ORDER BY name DESC LIMIT ?",
            .string(prefix),
            .string(end ?? prefix + "\u{10FFFF}"),
            .count(limit)
        ) { ($0.string(0), $0.string(1)) }
    }

    func setSetting(_ name: String, _ value: String?) throws {
        guard let value else { return try connection.run("DELETE FROM settings WHERE name = ?", .string(name)) }
        try connection.run("INSERT OR REPLACE INTO settings VALUES (?, ?)", .string(name), .string(value))
    }

    // MARK: Copies

    func forEachCopy(of learner: Int64?, _ body: (Int64, RememberedCopy) throws -> Void) throws {
        // A separate statement, because the body may read other copies.
        let rows = try connection.newStatement(
            "SELECT learner, name, data FROM copies \(learner == nil ? "" : "WHERE learner = ?") ORDER BY learner, name"
        )
        if let learner { try rows.bind([.integer(learner)]) }
        while try rows.step() {
            try body(rows.integer(0), RememberedCopy(name: rows.string(1), data: rows.array(2)))
        }
    }

    func write(_ copies: [(name: String, data: [UInt8]?)], of learner: Int64) throws {
        for (name, data) in copies {
            let key = (Value.integer(learner), Value.string(name))
            if let data {
                try connection.run("INSERT OR REPLACE INTO copies VALUES (?, ?, ?)", key.0, key.1, .blob(data))
            } else {
                try connection.run("DELETE FROM copies WHERE learner = ? AND name = ?", key.0, key.1)
            }
        }
    }

    // MARK: Notes

    func forEachNote(of learner: Int64?, _ body: (Int64, NoteRecord) throws -> Void) throws {
        // A file of an older format is only read, and has no notes.
        guard try format() == Schema.version else { return }
        let rows = try connection.newStatement(
            "SELECT \(Relation.notes.names()) FROM notes \(learner == nil ? "" : "WHERE learner = ?") ORDER BY learner, id"
        )
        if let learner { try rows.bind([.integer(learner)]) }
        while try rows.step() {
            let (id, author, text) = (rows.string(1), rows.string(3), rows.string(4))
            try body(rows.integer(0), NoteRecord(id: id, milliseconds: rows.integer(2), author: author, text: text))
        }
    }

    func write(_ notes: [NoteRecord], of learner: Int64) throws {
        for note in notes {
            try connection.run(
                "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?)",
                .integer(learner),
                .string(note.id),
                .integer(note.milliseconds),
                .string(note.author),
                .string(note.text)
            )
        }
    }

    func deleteNotes(_ ids: [String], of learner: Int64) throws {
        for id in ids {
            try connection.run("DELETE FROM notes WHERE learner = ? AND id = ?", .integer(learner), .string(id))
        }
    }
}

extension Statement {
    fileprivate func day(_ column: Int32) -> LocalDay? {
        isNull(column) ? nil : LocalDay(number: Int32(truncatingIfNeeded: integer(column)))
    }
}
