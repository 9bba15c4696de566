// SPDX-License-Identifier: Apache-2.0

/// What a service over the store keeps in it, among the settings, and asks for at every request.
extension SQLiteSession {
    private static let prefix = "service/"

    func serviceRecords(prefix: String, before end: String?, limit: Int) throws -> [String: String] {
        guard try format() >= 5 else { return [:] }
        let statement = try connection.statement(
            "SELECT name, value FROM settings WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
        )
        // No character comes after the last one.
        let end = end ?? prefix + "\u{10FFFF}"
        try statement.bind([.string(Self.prefix + prefix), .string(Self.prefix + end), .count(limit)])
        defer { statement.reset() }
        var records: [String: String] = [:]
        while try statement.step() {
            records[String(statement.string(0).dropFirst(Self.prefix.count))] = statement.string(1)
        }
        return records
    }

    func setServiceRecord(_ name: String, _ value: String?) throws {
        if let value {
            try connection.run(
                "INSERT OR REPLACE INTO settings VALUES (?, ?)",
                .string(Self.prefix + name),
                .string(value)
            )
        } else {
            try connection.run("DELETE FROM settings WHERE name = ?", .string(Self.prefix + name))
        }
    }

    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion? {
        guard try format() >= 6 else { return nil }
        let statement = try connection.statement("SELECT changed FROM learners WHERE subject = ?")
        try statement.bind([.text(subject)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return LearnerVersion(learner: statement.integer(0), everybody: try lastChangeOfEverybody())
    }
}
