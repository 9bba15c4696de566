// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// Queries about all learners.
extension SQLiteTables {
    func forEachOverview(
        language: String?,
        of selection: OverviewSelection,
        _ body: (OverviewRecord) throws -> Void
    ) throws {
        guard let code = try language.map(code) ?? 0 else { return }
        let (condition, order, values): (String, String, [Value]) =
            switch selection {
            case .allLearners: ("", "ORDER BY l.subject", [])
            case .learner(let learner): ("WHERE l.learner = ?2", "", [.integer(learner)])
            case .page(let id, let limit):
                ("WHERE l.subject > ?2", "ORDER BY l.subject LIMIT ?3", [.text(id), .integer(Int64(limit))])
            }
        let rows = TrackNumbers.relation.rowsInSQLite(of: try addition())
        let sql = """
            SELECT \(OverviewRecord.columns) FROM learners l \(language == nil ? "LEFT " : "")JOIN \(rows) p
                ON p.learner = l.learner AND p.language = ?1
            \(condition) \(order)
            """
        // The query for one learner runs often, so it is kept prepared. The query for many learners needs a separate
        // statement, because its reader may run other queries meanwhile.
        var isOfOne = false
        if case .learner = selection { isOfOne = true }
        let statement = try isOfOne ? connection.statement(sql) : connection.newStatement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(code)] + values)
        var cells = OverviewRecord.cells
        while try statement.step() { try body(try overview(statement, &cells)) }
    }

    /// The number of column additions that the file has. A file of an older format can be read, but its progress is not
    /// used.
    func addition() throws -> Int { Int(try format() - Schema.oldestVersion) }

    /// The code of a language; nil if no row has it.
    private func code(of language: String) throws -> Int64? {
        try connection.number("SELECT language FROM languages WHERE tag = ?", .string(language))
    }

    /// - Parameter cells: memory for a row.
    private func overview(_ statement: Statement, _ cells: inout TableRows) throws -> OverviewRecord {
        var record = OverviewRecord(
            learner: LearnerRecord(
                id: statement.integer(0),
                subject: statement.array(1),
                eventCount: try statement.amount(2)
            )
        )
        record.displayName = statement.optionalString(3)
        record.cohort = statement.optionalString(4)
        guard !statement.isNull(Int32(OverviewRecord.firstField)) else { return record }
        cells.removeAll()
        cells.append(statement, from: OverviewRecord.firstField)
        do throws(Corruption) {
            try record.read(cells)
        } catch {
            throw statement.damage("\(error)")
        }
        return record
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        let statement = try connection.newStatement(
            "SELECT p.learner, g.tag FROM progress_rows p JOIN languages g USING(language) WHERE p.language > 0"
        )
        while try statement.step() {
            if let tag = statement.optionalString(1) { try body(statement.integer(0), tag) }
        }
    }

    func forEachAchievement(_ body: (AchievementRecord) throws -> Void) throws {
        // There are few names, and reading one for each row would take most of the time.
        let names = Dictionary(
            try rows("SELECT achievement, id FROM achievement_names") { ($0.integer(0), $0.string(1)) }
        ) { first, _ in first }
        // In this order, SQLite looks up each learner once, and not each row.
        let statement = try connection.newStatement(
            """
            SELECT p.learner, a.achievement, a.tier, a.unlocked_ms, a.progress, p.first_event_ms
            FROM progress_rows p CROSS JOIN achievement_rows a ON a.learner = p.learner
            WHERE p.language = 0 ORDER BY p.learner
            """
        )
        while try statement.step() {
            guard let name = names[statement.integer(1)] else { continue }
            try body(
                AchievementRecord(
                    learner: statement.integer(0),
                    achievement: name,
                    tier: statement.count(2),
                    unlockedAt: statement.optionalInteger(3),
                    progress: statement.real(4),
                    firstEventAt: statement.integer(5)
                )
            )
        }
    }

    func forEachXP(
        language: String?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        guard let code = try language.map(code) ?? 0 else { return }
        let members = cohort == nil ? "" : " AND learner IN (SELECT learner FROM learners WHERE cohort = ?2)"
        let statement = try connection.newStatement(
            "SELECT learner, xp - flagged_xp FROM progress_rows WHERE language = ?1" + members
        )
        try statement.bind([.integer(code)] + (cohort.map { [.string($0)] } ?? []))
        while try statement.step() { try body(statement.integer(0), statement.real(1)) }
    }

    /// Visits the days of learners. For each learner, the query looks up only the requested days. So a long history
    /// does not slow it down.
    func forEachDay(
        _ days: ClosedRange<LocalDay>,
        language: String?,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: Int64, _ language: Int64, _ totals: DayTotals) throws -> Void
    ) throws {
        guard let code = try language.map(code) ?? 0 else { return }
        let track = language == nil ? "" : " AND d.language = ?3"
        let members = cohort == nil ? "" : " WHERE l.cohort = ?4"
        let statement = try connection.newStatement(
            """
            SELECT d.learner, d.day, d.language, d.xp, d.practice_ms, d.lines + d.reviews, d.learned_words, d.active,
                d.flagged_xp
            FROM learners l CROSS JOIN daily_rows d
                ON d.learner = l.learner AND d.day BETWEEN ?1 AND ?2\(track)\(members)
            ORDER BY l.learner, d.day, d.language
            """
        )
        try statement.bind(1, .integer(Int64(days.lowerBound.number)))
        try statement.bind(2, .integer(Int64(days.upperBound.number)))
        if language != nil { try statement.bind(3, .integer(code)) }
        if let cohort { try statement.bind(4, .string(cohort)) }
        while try statement.step() {
            let totals = DayTotals(
                xp: statement.real(3),
                flaggedXP: statement.real(8),
                practiceMilliseconds: statement.integer(4),
                exercises: Int(statement.integer(5)),
                learnedWords: Int(statement.integer(6)),
                isActive: statement.integer(7) != 0
            )
            try body(statement.integer(0), statement.integer(1), statement.integer(2), totals)
        }
    }
}
