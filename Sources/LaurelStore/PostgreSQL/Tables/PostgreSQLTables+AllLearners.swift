// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL

extension PostgreSQLTables {
    private var allLearners: [Parameter] { [.integer(edition)] + bounds }

    func forEachOverview(
        language: String?,
        of selection: OverviewSelection,
        _ body: (OverviewRecord) throws -> Void
    ) throws {
        guard let code = try language.map(code) ?? 0 else { return }
        var cells = OverviewRecord.cells
        // Learners who do not have the language are left out.
        func take(_ row: Row) throws {
            if language == nil || !row.isNull(OverviewRecord.firstField) { try body(overview(row, &cells)) }
        }
        switch selection {
        case .allLearners where language == nil: try forEachRow(OverviewSQL.allLearners, allLearners, take)
        case .allLearners: try forEachRow(OverviewSQL.inLanguage, allLearners + [.integer(code)], take)
        case .learner(let learner):
            try rows(
                OverviewSQL.ofLearner,
                [.integer(edition), .count(Partition.of(learner: learner)), .integer(learner), .integer(code)]
            ).forEach(take)
        case .page(let id, let limit):
            let page: [Parameter] = [.integer(code), .text(StoredText.stored(id)), .integer(Int64(limit))]
            try forEachRow(OverviewSQL.page, allLearners + page, take)
        }
    }

    /// The code of a language; nil if no row has the language.
    private func code(of language: String) throws -> Int64? {
        try number(AllLearnersSQL.codeOfLanguage, [.stored(language)])
    }

    /// - Parameter cells: a buffer for a row.
    private func overview(_ row: Row, _ cells: inout TableRows) throws -> OverviewRecord {
        var record = OverviewRecord(
            learner: LearnerRecord(id: row.integer(0), subject: row.text(1), eventCount: try amount(row, 2))
        )
        record.displayName = row.optionalString(3)
        record.cohort = row.optionalString(4)
        guard !row.isNull(OverviewRecord.firstField) else { return record }
        cells.removeAll()
        cells.append(row, from: OverviewRecord.firstField)
        do throws(Corruption) {
            try record.read(cells)
        } catch {
            throw damage("\(error)")
        }
        return record
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        try forEachRow(AllLearnersSQL.languages, allLearners) { row in try body(row.integer(0), row.string(stored: 1)) }
    }

    func forEachAchievement(_ body: (AchievementRecord) throws -> Void) throws {
        try forEachRow(AllLearnersSQL.achievements, allLearners) { row in
            try body(
                AchievementRecord(
                    learner: row.integer(0),
                    achievement: row.string(stored: 1),
                    tier: Int(row.integer(2)),
                    unlockedAt: row.isNull(3) ? nil : row.integer(3),
                    progress: row.real(4),
                    firstEventAt: row.integer(5)
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
        let parameters = allLearners + [.integer(code)]
        if let cohort {
            try forEachRow(AllLearnersSQL.xpOfCohort, parameters + [.stored(cohort)]) { row in
                try body(row.integer(0), row.real(1))
            }
        } else {
            try forEachRow(AllLearnersSQL.xp, parameters) { row in try body(row.integer(0), row.real(1)) }
        }
    }

    func forEachDay(
        _ days: ClosedRange<LocalDay>,
        language: String?,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: Int64, _ language: Int64, _ totals: DayTotals) throws -> Void
    ) throws {
        guard let code = try language.map(code) ?? 0 else { return }
        let parameters: [Parameter] = [
            .integer(Int64(days.lowerBound.number)), .integer(Int64(days.upperBound.number)),
            .integer(language == nil ? nil : code), .stored(cohort),
        ]
        try forEachRow(AllLearnersSQL.days, allLearners + parameters) { row in
            let totals = DayTotals(
                xp: row.real(3),
                flaggedXP: row.real(8),
                practiceMilliseconds: row.integer(4),
                exercises: Int(row.integer(5)),
                learnedWords: Int(row.integer(6)),
                isActive: row.integer(7) != 0
            )
            try body(row.integer(0), row.integer(1), row.integer(2), totals)
        }
    }
}
