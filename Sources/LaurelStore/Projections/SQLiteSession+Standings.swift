// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// What is asked of everyone at once.
extension SQLiteSession {
    private static let columns = """
        SELECT l.learner, l.subject, l.events, l.display_name, l.cohort, p.xp, p.level, p.current_streak,
            p.words_learned, p.last_event_ms, p.events, p.streak_freezes, p.last_activity_day
        FROM learners l
        """
    private static let overviews =
        columns + " LEFT JOIN progress_rows p ON p.learner = l.learner AND p.language = 0"

    func forEachOverview(language: String?, _ body: (OverviewRecord) throws -> Void) throws {
        try closeLearners()
        var table = SQLiteSession.overviews
        if let language {
            let code = try connection.number("SELECT language FROM languages WHERE tag = ?", .string(language))
            guard let code else { return }
            table =
                SQLiteSession.columns
                + " JOIN progress_rows p ON p.learner = l.learner AND p.language = \(code)"
        }
        let statement = try connection.newStatement(table + " ORDER BY l.subject")
        while try statement.step() { try body(try overview(statement)) }
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        let statement = try connection.newStatement(
            "SELECT p.learner, g.tag FROM progress_rows p JOIN languages g USING(language) WHERE p.language > 0"
        )
        while try statement.step() {
            if let tag = statement.optionalString(1) { try body(statement.integer(0), tag) }
        }
    }

    func overview(of learner: Int64) throws -> OverviewRecord? {
        try closeLearners()
        let statement = try connection.statement(SQLiteSession.overviews + " WHERE l.learner = ?")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        return try statement.step() ? try overview(statement) : nil
    }

    private func overview(_ statement: Statement) throws -> OverviewRecord {
        var row = OverviewRecord(
            learner: LearnerRecord(
                id: statement.integer(0),
                subject: statement.array(1),
                eventCount: try statement.amount(2)
            )
        )
        row.displayName = statement.optionalString(3)
        row.cohort = statement.optionalString(4)
        if !statement.isNull(5) {
            row.xp = statement.real(5)
            row.level = statement.count(6)
            row.currentStreak = statement.count(7)
            row.wordsLearned = statement.count(8)
            row.lastEventAt = try statement.instant(9)
            row.events = statement.count(10)
            row.streakFreezes = statement.count(11)
            if !statement.isNull(12) { row.lastActivityDay = LocalDay(number: Int32(clamping: statement.integer(12))) }
        }
        return row
    }

    // MARK: XP

    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        var code: Int64 = 0
        if let language {
            let known = try connection.number("SELECT language FROM languages WHERE tag = ?", .string(language))
            guard let known else { return }
            code = known
        }
        if let days {
            try forEachXP(code, days, cohort, body)
        } else {
            try forEachTotal(code, cohort, body)
        }
    }

    private func forEachTotal(_ language: Int64, _ cohort: String?, _ body: (Int64, Double) throws -> Void) throws {
        let members = cohort == nil ? "" : " AND learner IN (SELECT learner FROM learners WHERE cohort = ?2)"
        let statement = try connection.newStatement(
            "SELECT learner, xp FROM progress_rows WHERE language = ?1" + members
        )
        try statement.bind([.integer(language)] + (cohort.map { [.string($0)] } ?? []))
        while try statement.step() { try body(statement.integer(0), statement.real(1)) }
    }

    /// Looks up each learner's few days: however long the histories are, only those are read.
    private func forEachXP(
        _ language: Int64,
        _ days: ClosedRange<LocalDay>,
        _ cohort: String?,
        _ body: (Int64, Double) throws -> Void
    ) throws {
        let track = language == 0 ? "" : " AND d.language = ?3"
        let members = cohort == nil ? "" : " WHERE l.cohort = ?4"
        let statement = try connection.newStatement(
            """
            SELECT d.learner, d.day, d.language, d.xp FROM learners l CROSS JOIN daily_rows d
                ON d.learner = l.learner AND d.day BETWEEN ?1 AND ?2\(track)\(members)
            """
        )
        try statement.bind(1, .integer(Int64(days.lowerBound.number)))
        try statement.bind(2, .integer(Int64(days.upperBound.number)))
        if language != 0 { try statement.bind(3, .integer(language)) }
        if let cohort { try statement.bind(4, .string(cohort)) }
        var sum = DailySum()
        while try statement.step() {
            let learner = statement.integer(0)
            if learner != sum.learner {
                if let known = sum.learner { try body(known, sum.xp) }
                sum = DailySum(learner: learner)
            }
            sum.add(day: statement.integer(1), isOverall: statement.integer(2) == 0, statement.real(3))
        }
        if let known = sum.learner { try body(known, sum.xp) }
    }

    // MARK: Events

    func learners(withEventsAfter instant: Int64) throws -> [Int64] {
        try writeUnwritten()
        let statement = try connection.statement(
            "SELECT learner FROM runs WHERE last_ms > ?1 UNION SELECT learner FROM tail WHERE ms > ?1 ORDER BY learner"
        )
        try statement.bind([.integer(instant)])
        defer { statement.reset() }
        var learners: [Int64] = []
        while try statement.step() { learners.append(statement.integer(0)) }
        return learners
    }
}

/// The sum of a learner's days. A day's own overall row, which comes first where there is one, says what the languages'
/// rows would add up to otherwise; see ``DailyRows``.
private struct DailySum {
    var learner: Int64?
    private(set) var xp = 0.0
    private var overallDay: Int64?

    init(learner: Int64? = nil) { self.learner = learner }

    /// Rows come by day and then by language.
    mutating func add(day: Int64, isOverall: Bool, _ amount: Double) {
        if isOverall { overallDay = day } else if overallDay == day { return }
        xp += amount
    }
}
