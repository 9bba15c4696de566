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

    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        guard let days else { return try tables.forEachXP(language: language, cohort: cohort, body) }
        var sum = DailySum()
        try tables.forEachXP(days: days, language: language, cohort: cohort) { learner, day, code, xp in
            if learner != sum.learner {
                if let known = sum.learner { try body(known, sum.xp) }
                sum = DailySum(learner: learner)
            }
            sum.add(day: day, isOverall: code == 0, xp)
        }
        if let known = sum.learner { try body(known, sum.xp) }
    }
}

/// The sum of a learner's days. If a day has an overall row, only that row counts, not the languages' rows; see
/// ``DailyRows``. The overall row comes first.
private struct DailySum {
    var learner: Int64?
    private(set) var xp = 0.0
    private var overallDay: Int64?

    init(learner: Int64? = nil) { self.learner = learner }

    /// Adds a row. Rows must be in the order of days, and then of languages.
    mutating func add(day: Int64, isOverall: Bool, _ amount: Double) {
        if isOverall { overallDay = day } else if overallDay == day { return }
        xp += amount
    }
}
