// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The versions of the rules: `rules` has all that were ever applied, `rules_in_force` those that make up the present list.
extension SQLiteSession {
    func rules() throws -> [RulesRecord] {
        guard try hasVersions else { return try records("FROM rules r ORDER BY applied DESC LIMIT 1") }
        return try records("FROM rules_in_force f JOIN rules r USING(applied) ORDER BY f.from_day")
    }

    func rulesKey() throws -> String? { try remembered(\.rulesKey, storedRulesKey) }

    private func storedRulesKey() throws -> String? {
        let table = try hasVersions ? "rules_in_force ORDER BY from_day" : "rules ORDER BY applied DESC LIMIT 1"
        let day = try hasVersions ? "from_day" : "NULL"
        let statement = try connection.statement("SELECT hash, \(day) FROM \(table)")
        defer { statement.reset() }
        var versions: [(hash: String, from: LocalDay?)] = []
        while try statement.step() { versions.append((statement.string(0), statement.day(1))) }
        return versions.isEmpty ? nil : RulesKey.key(versions)
    }

    func rulesHistory() throws -> [RulesRecord] { try records("FROM rules r ORDER BY applied") }

    func setRules(_ rules: RulesRecord) throws {
        try touchEverybody()
        known.rulesKey = nil
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
        try touchEverybody()
        known.rulesKey = nil
        try connection.run("DELETE FROM rules_in_force WHERE from_day = ?", .integer(Int64(day.number)))
    }

    /// Stores of formats before 5 have one version, the last that was applied.
    private var hasVersions: Bool {
        get throws {
            if !knowsVersions {
                knowsVersions =
                    try connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'rules_in_force'") == 1
            }
            return knowsVersions
        }
    }

    /// - Parameter source: where the rows come from, and their order.
    private func records(_ source: String) throws -> [RulesRecord] {
        let day = try hasVersions ? "r.from_day" : "NULL"
        let statement = try connection.statement("SELECT version, r.hash, name, applied_ms, source, \(day) " + source)
        defer { statement.reset() }
        var result: [RulesRecord] = []
        while try statement.step() {
            result.append(
                RulesRecord(
                    version: try statement.amount(0),
                    hash: statement.string(1),
                    name: statement.string(2),
                    appliedAt: try statement.instant(3),
                    source: statement.array(4),
                    from: statement.day(5)
                )
            )
        }
        return result
    }
}

extension Statement {
    fileprivate func day(_ column: Int32) -> LocalDay? {
        isNull(column) ? nil : LocalDay(number: Int32(truncatingIfNeeded: integer(column)))
    }
}
