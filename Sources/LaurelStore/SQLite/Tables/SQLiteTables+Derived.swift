// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import LaurelEvents
internal import LaurelProgress

extension SQLiteTables {
    // MARK: Rows

    func codes(of names: [[UInt8]], in table: NameTable) throws -> [Int64] {
        let (find, add) =
            switch table {
            case .languages:
                ("SELECT language FROM languages WHERE tag = ?", "INSERT INTO languages(tag) VALUES (?)")
            case .achievements:
                (
                    "SELECT achievement FROM achievement_names WHERE id = ?",
                    "INSERT INTO achievement_names(id) VALUES (?)"
                )
            }
        return try names.map { name in
            if let code = try connection.number(find, .text(name)) { return code }
            try connection.run(add, .text(name))
            return connection.lastID
        }
    }

    func write(_ changes: DerivedChanges, in place: DerivedPlace) throws { try statements(of: place).write(changes) }

    func lastLearner(with kind: DerivedKind, in place: DerivedPlace) throws -> Int64? {
        let statements = try statements(of: place)
        let statement = kind == .progress ? statements.lastProgress : statements.lastSnapshot
        statement.reset()
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    func profiles(from learner: Int64, limit: Int) throws -> TableRows {
        let statement = try connection.statement(
            """
            SELECT learner, display_name, cohort, native_language, daily_goal_minutes FROM learners
            WHERE learner >= ? ORDER BY learner LIMIT ?
            """
        )
        try statement.bind([.integer(learner), .count(limit)])
        return try cells(statement)
    }

    func progressRows(of learner: Int64) throws -> TableRows {
        let statement = try connection.statement(
            """
            SELECT p.*, g.tag FROM progress_rows p LEFT JOIN languages g USING(language) WHERE learner = ?
            ORDER BY p.language > 0, g.tag
            """
        )
        try statement.bind([.integer(learner)])
        return try cells(statement)
    }

    func achievementRows(of learners: [Int64], in place: DerivedPlace) throws -> TableRows {
        try cells(try statements(of: place).achievements, of: learners)
    }

    func dailyRows(of learners: [Int64], in place: DerivedPlace) throws -> TableRows {
        try cells(try statements(of: place).days, of: learners)
    }

    func names(of codes: [Int64], in table: NameTable) throws -> [Int64: String] {
        let find =
            switch table {
            case .languages: "SELECT tag FROM languages WHERE language = ?"
            case .achievements: "SELECT id FROM achievement_names WHERE achievement = ?"
            }
        var names: [Int64: String] = [:]
        for code in codes where names[code] == nil {
            names[code] = try row(find, .integer(code)) { $0.string(0) }
        }
        return names
    }

    private func cells(_ statement: Statement, of learners: [Int64]) throws -> TableRows {
        var rows = TableRows(width: statement.columnCount)
        for learner in learners {
            statement.reset()
            try statement.bind([.integer(learner)])
            try read(statement, into: &rows)
        }
        return rows
    }

    private func cells(_ statement: Statement) throws -> TableRows {
        var rows = TableRows(width: statement.columnCount)
        try read(statement, into: &rows)
        return rows
    }

    private func read(_ statement: Statement, into rows: inout TableRows) throws {
        defer { statement.reset() }
        while try statement.step() {
            for column in 0..<Int32(rows.width) {
                switch statement.type(column) {
                case SQLITE_NULL: rows.append(.null)
                case SQLITE_INTEGER: rows.append(.integer(statement.integer(column)))
                case SQLITE_FLOAT: rows.append(.real(statement.real(column)))
                default:
                    let text = rows.text { $0 += statement.bytes(column) }
                    rows.append(text)
                }
            }
        }
    }

    // MARK: Snapshots and checkpoints

    func snapshot(of learner: Int64) throws -> [UInt8]? {
        try row("SELECT data FROM snapshots WHERE learner = ?", .integer(learner)) { $0.array(0) }
    }

    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> StoredFoldState? {
        guard try hasCheckpoints() else { return nil }
        return try row(
            "SELECT data, ms, events FROM checkpoints WHERE learner = ? AND ms < ? ORDER BY ms DESC LIMIT 1",
            .integer(learner),
            .integer(milliseconds)
        ) { row in
            let place = CheckpointPlace(milliseconds: row.integer(1), events: row.count(2))
            return StoredFoldState(key: PackedSnapshot.Key(learner: learner, place: place), data: row.array(0))
        }
    }

    func checkpoints(of learner: Int64) throws -> [CheckpointPlace] {
        guard try hasCheckpoints() else { return [] }
        return try rows("SELECT ms, events FROM checkpoints WHERE learner = ? ORDER BY ms", .integer(learner)) {
            CheckpointPlace(milliseconds: try $0.instant(0), events: try $0.amount(1))
        }
    }

    /// Whether the file's format has checkpoints.
    func hasCheckpoints() throws -> Bool { try format() >= 3 }

    func write(_ states: [StoredFoldState], in place: DerivedPlace) throws { try statements(of: place).write(states) }

    func deleteSnapshots(of learners: [Int64], in place: DerivedPlace) throws {
        try statements(of: place).deleteSnapshots(of: learners)
    }

    func deleteCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws {
        for place in places {
            try connection.run(
                "DELETE FROM checkpoints WHERE learner = ? AND ms = ?",
                .integer(learner),
                .integer(place.milliseconds)
            )
        }
    }

    func emptyDerivedTables() throws {
        // The dropped rows hold nothing that the events do not hold. So overwriting them with zeros would only double
        // the writing. An erasure leaves no free pages in any case.
        try connection.execute("PRAGMA secure_delete = OFF")
        defer { try? connection.execute("PRAGMA secure_delete = ON") }
        for table in Schema.derivedTables { try connection.run("DELETE FROM \(table)") }
    }

    // MARK: Achievements

    func setHidden(_ hidden: [(achievement: String, isHidden: Bool)]) throws {
        for (id, isHidden) in hidden {
            try connection.run(
                """
                UPDATE achievement_rows SET hidden = ?
                WHERE achievement = (SELECT achievement FROM achievement_names WHERE id = ?)
                """,
                .integer(isHidden ? 1 : 0),
                .string(id)
            )
        }
    }

    func learners(withSnapshotOrProgressIn achievements: [String]) throws -> [Int64] {
        var learners = try connection.numbers("SELECT learner FROM snapshots")
        for id in achievements {
            learners += try connection.numbers(
                "SELECT DISTINCT learner FROM achievement_rows JOIN achievement_names n USING(achievement) WHERE n.id = ?",
                .string(id)
            )
        }
        return Set(learners).sorted()
    }
}
