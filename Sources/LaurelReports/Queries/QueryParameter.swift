// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// THE list of parameters that a query can read as `:name`.
enum QueryParameter: String, CaseIterable, Sendable {
    /// The name of the report's week, such as 2026-W06.
    ///
    /// The next four cases are days: the first and last day of the week, and the first and last day of the period with
    /// which the week is compared. This period is the previous week. If the report's week has not ended, the period
    /// contains only the same days of the previous week.
    case week
    case weekStart = "week_start"
    case weekEnd = "week_end"
    case previousStart = "previous_start"
    case previousEnd = "previous_end"
    /// The first day that the tables cover.
    case firstDay = "first_day"
    /// The local day at the report's instant.
    case today
    /// The language tag; `*` for all languages together.
    case language
    /// The learner's id, and the cohort. Each is nil if the report has another subject.
    case learner, cohort
    /// The report's instant (RFC 3339).
    case asOf = "as_of"

    static let names = allCases.map(\.rawValue)
}

/// The values of the parameters for one report.
struct QueryValues: Sendable {
    var period: ReportPeriod
    var weekName: String
    var today: LocalDay
    var asOf: Timestamp
    var language: String
    var learner: String?
    var cohort: String?

    subscript(_ parameter: QueryParameter) -> String? {
        switch parameter {
        case .week: weekName
        case .weekStart: period.week.description
        case .weekEnd: period.lastDay.description
        case .previousStart: LocalDay(number: period.week.number - 7).description
        case .previousEnd: LocalDay(number: min(period.week.number - 1, today.number - 7)).description
        case .firstDay: period.firstDay.description
        case .today: today.description
        case .language: language
        case .learner: learner
        case .cohort: cohort
        case .asOf: "\(asOf)"
        }
    }
}
