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

    func write(_ changes: DerivedChanges, in target: DerivedTarget) throws {
        let statements = target.statements
        // A shadow has no profiles, because they do not depend on the rules.
        if target == .stored, !changes.profiles.isEmpty { try write(changes.profiles) }
        if !changes.groups.isEmpty {
            let sql = "INSERT OR IGNORE INTO group_learners VALUES (?, ?)"
            try run(sql, each: 0..<changes.groups.count) { index, row in
                row.bind(changes.groups.integer(index, 0))
                row.bind(changes.groups.string(index, 1))
            }
        }
        if !changes.deletedProgress.isEmpty {
            try run(statements.deleteProgress, each: changes.deletedProgress) { $1.bind($0) }
        }
        if !changes.deletedAchievements.isEmpty {
            try run(statements.deleteAchievement, each: changes.deletedAchievements) { gone, row in
                row.bind(gone.learner)
                row.bind(gone.language)
                row.bind(gone.position)
            }
        }
        if !changes.deletedDays.isEmpty {
            try run(statements.deleteDay, each: changes.deletedDays) { gone, row in
                row.bind(gone.learner)
                row.bind(Int64(gone.day))
            }
        }
        if !changes.deletedDayRows.isEmpty {
            try run(statements.deleteDayOfTrack, each: changes.deletedDayRows) { gone, row in
                row.bind(gone.learner)
                row.bind(Int64(gone.day))
                row.bind(gone.language)
            }
        }
        try insert(changes.progress, statements.insertProgress)
        try insert(changes.achievements, statements.insertAchievements)
        try insert(changes.days, statements.insertDays)
    }

    func groupNames(after name: String, limit: Int) throws -> [String] {
        // A file of an older format is only read, and has no such table.
        guard try format() == Schema.version else { return [] }
        return try rows(
            "SELECT DISTINCT name FROM group_learners WHERE name > ? ORDER BY name LIMIT ?",
            .string(name),
            .count(limit)
        ) { $0.string(0) }
    }

    func groupNames(of learners: [Int64]) throws -> [String] {
        // A file of an older format is only read, and has no such table.
        guard try format() == Schema.version else { return [] }
        return try learners.flatMap { learner in
            try rows("SELECT name FROM group_learners WHERE learner = ?", .integer(learner)) { $0.string(0) }
        }
    }

    private func write(_ profiles: [(learner: Int64, profile: LearnerProjection)]) throws {
        try run(
            """
            UPDATE learners SET display_name = ?1, cohort = ?2, native_language = ?3, daily_goal_minutes = ?4,
                leaderboard = ?5
            WHERE learner = ?6 AND (display_name IS NOT ?1 OR cohort IS NOT ?2 OR native_language IS NOT ?3
                OR daily_goal_minutes IS NOT ?4 OR leaderboard IS NOT ?5)
            """,
            each: profiles
        ) { changed, row in
            row.bind(changed.profile.displayName)
            row.bind(changed.profile.cohort)
            row.bind(changed.profile.nativeLanguage)
            row.bind(changed.profile.dailyGoalMinutes)
            row.bind(changed.profile.isOnLeaderboards ? 1 : 0)
            row.bind(changed.learner)
        }
    }

    func lastLearners(with kind: DerivedKind, of _: [Int], in target: DerivedTarget) throws -> [Int64?] {
        [try connection.number(kind == .progress ? target.statements.lastProgress : target.statements.lastSnapshot)]
    }

    func profiles(from learner: Int64, limit: Int) throws -> TableRows {
        let flag = try addition() < Relation.additions ? "NULL" : "leaderboard"
        let statement = try connection.statement(
            """
            SELECT learner, display_name, cohort, native_language, daily_goal_minutes, \(flag) FROM learners
            WHERE learner >= ? ORDER BY learner LIMIT ?
            """
        )
        try statement.bind([.integer(learner), .count(limit)])
        return try cells(statement)
    }

    func rows(_ wanted: [(table: DerivedTable, learners: [Int64])], in target: DerivedTarget) throws -> [TableRows] {
        try wanted.map { table, learners in
            switch table {
            case .progress:
                var sql = target.statements.progress
                let (relation, addition) = (TrackNumbers.relation, try addition())
                if addition < Relation.additions {
                    sql = sql.replacing(relation.name, with: relation.rowsInSQLite(of: addition))
                }
                return try cells(try connection.statement(sql), of: learners)
            case .achievements: return try cells(try connection.statement(target.statements.achievements), of: learners)
            case .days: return try cells(try connection.statement(target.statements.days), of: learners)
            }
        }
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
        while try statement.step() { rows.append(statement) }
    }

    // MARK: Snapshots and checkpoints

    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [PackedStates] {
        try learners.map { learner in
            switch wanted {
            case .snapshots: (try snapshot(of: learner), [])
            case .points: (nil, try checkpoints(of: learner))
            case .snapshotsAndPoints: (try snapshot(of: learner), try checkpoints(of: learner))
            case .checkpoints(let milliseconds): (try checkpoint(of: learner, before: milliseconds), [])
            }
        }
    }

    private func snapshot(of learner: Int64) throws -> StoredFoldState? {
        try row("SELECT data FROM snapshots WHERE learner = ?", .integer(learner)) {
            StoredFoldState(key: PackedSnapshot.Key(learner: learner), data: $0.array(0))
        }
    }

    private func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> StoredFoldState? {
        try row(
            "SELECT data, ms, events FROM checkpoints WHERE learner = ? AND ms < ? ORDER BY ms DESC LIMIT 1",
            .integer(learner),
            .integer(milliseconds)
        ) { row in
            let point = CheckpointPoint(milliseconds: row.integer(1), events: row.count(2))
            return StoredFoldState(key: PackedSnapshot.Key(learner: learner, point: point), data: row.array(0))
        }
    }

    private func checkpoints(of learner: Int64) throws -> [CheckpointPoint] {
        try rows("SELECT ms, events FROM checkpoints WHERE learner = ? ORDER BY ms", .integer(learner)) {
            CheckpointPoint(milliseconds: try $0.instant(0), events: try $0.amount(1))
        }
    }

    func write(_ states: [StoredFoldState], in target: DerivedTarget) throws {
        for state in states {
            if let at = state.key.point {
                try run(target.statements.insertCheckpoint, each: CollectionOfOne(state)) { state, row in
                    row.bind(state.key.learner)
                    row.bind(at.milliseconds)
                    row.bind(at.events)
                    row.bind(blob: state.data)
                }
            } else {
                try run(target.statements.insertSnapshot, each: CollectionOfOne(state)) { state, row in
                    row.bind(state.key.learner)
                    row.bind(blob: state.data)
                }
            }
        }
    }

    func deleteSnapshots(of learners: [Int64], in target: DerivedTarget) throws {
        try run(target.statements.deleteSnapshot, each: learners) { $1.bind($0) }
    }

    func deleteCheckpoints(of learner: Int64, at points: [CheckpointPoint]?) throws {
        guard let points else {
            return try connection.run("DELETE FROM checkpoints WHERE learner = ?", .integer(learner))
        }
        for point in points {
            try connection.run(
                "DELETE FROM checkpoints WHERE learner = ? AND ms = ?",
                .integer(learner),
                .integer(point.milliseconds)
            )
        }
    }

    func emptyDerivedTables() throws {
        // The dropped rows can be recomputed from the events, so they need not be overwritten with zeros. That would
        // double the writing. An erasure leaves no free pages in any case.
        try connection.execute("PRAGMA secure_delete = OFF")
        let result = Result { for table in Relation.derivedTables { try connection.run("DELETE FROM \(table.name)") } }
        try connection.execute("PRAGMA secure_delete = ON")
        try result.get()
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
}

extension TableRows {
    /// Appends the columns of a row, beginning with column `first`.
    mutating func append(_ statement: Statement, from first: Int = 0) {
        for column in Int32(first)..<Int32(first + width) {
            switch statement.type(column) {
            case SQLITE_NULL: append(.null)
            case SQLITE_INTEGER: append(.integer(statement.integer(column)))
            case SQLITE_FLOAT: append(.real(statement.real(column)))
            default:
                let text = text { $0 += statement.bytes(column) }
                append(text)
            }
        }
    }
}
