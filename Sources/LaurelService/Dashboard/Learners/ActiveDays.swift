// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports
import LaurelWire

/// The days that a bar of a report stands for. The list of learners can show the learners who were active on these
/// days.
enum ActiveDays {
    /// The text for days in an address: the first day, a slash and the last day.
    static func text(_ span: ClosedRange<LocalDay>) -> String { "\(span.lowerBound)/\(span.upperBound)" }

    static func span(_ text: String) -> ClosedRange<LocalDay>? {
        let days = text.split(separator: "/").compactMap { LocalDay(parsing: $0.utf8) }
        guard days.count == 2, days[0] <= days[1] else { return nil }
        return days[0]...days[1]
    }

    /// The links of a report to its learners. A report on one language has no links to lists, because the list counts
    /// days in all languages.
    static func links(_ visit: Visit) -> LearnerLinks {
        let cohort = visit.fields["cohort"]
        var list: (@Sendable (ClosedRange<LocalDay>) -> String)?
        if visit.fields["language"] == nil {
            list = { span in
                let week = visit.engine.weekName(span.upperBound)
                return Link("learners", query: ["cohort": cohort, "week": week, "active": text(span)]).text
            }
        }
        return LearnerLinks(page: { Link("learners", $0).text }, list: list)
    }
}
