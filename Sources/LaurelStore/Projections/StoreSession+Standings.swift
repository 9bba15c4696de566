// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Queries about all learners.
extension StoreSession {
    func forEachOverview(
        language: String?,
        of selection: OverviewSelection,
        _ body: (OverviewRecord) throws -> Void
    ) throws {
        try closeLearners()
        try tables.forEachOverview(language: language, of: selection, body)
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        try tables.forEachLanguage(body)
    }

    func forEachAchievement(_ body: (AchievementRecord) throws -> Void) throws {
        try tables.forEachAchievement(body)
    }

    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        guard let days else { return try tables.forEachXP(language: language, cohort: cohort, body) }
        var sum: (learner: Int64, xp: Double)?
        try forEachDay(language: language, days: days, cohort: cohort) { learner, _, totals in
            if let known = sum, known.learner == learner {
                sum?.xp += totals.xp - totals.flaggedXP
            } else {
                if let (learner, xp) = sum { try body(learner, xp) }
                sum = (learner, totals.xp - totals.flaggedXP)
            }
        }
        if let (learner, xp) = sum { try body(learner, xp) }
    }

    func forEachDay(
        language: String?,
        days: ClosedRange<LocalDay>,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: LocalDay, _ totals: DayTotals) throws -> Void
    ) throws {
        var sum: DaySum?
        try tables.forEachDay(days, language: language, cohort: cohort) { learner, day, code, totals in
            if sum?.learner == learner, sum?.day == day {
                sum?.add(totals)
            } else {
                if let sum { try body(sum.learner, LocalDay(number: Int32(sum.day)), sum.totals) }
                sum = DaySum(learner: learner, day: day, totals: totals, isOverall: code == 0)
            }
        }
        if let sum { try body(sum.learner, LocalDay(number: Int32(sum.day)), sum.totals) }
    }
}

/// The sum of a day's rows. If a day has an overall row, which comes first, that row counts instead of the languages'
/// rows; see ``DailyRows``.
private struct DaySum {
    let learner: Int64
    let day: Int64
    private(set) var totals: DayTotals
    let isOverall: Bool

    init(learner: Int64, day: Int64, totals: DayTotals, isOverall: Bool) {
        (self.learner, self.day, self.totals, self.isOverall) = (learner, day, totals, isOverall)
    }

    mutating func add(_ other: DayTotals) {
        if !isOverall { totals += other }
    }
}
