// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// The data from which rows are made, in addition to ``LearnerFacts``.
struct TableSource: Sendable {
    let period: ReportPeriod
    let plan: FoldPlan
    let texts: TextTable
    /// The locale for the texts of rules, such as `de_AT`.
    let locale: String
    let experiments: [ReportedExperiment]

    init(period: ReportPeriod, plan: FoldPlan, texts: TextTable, locale: String) {
        (self.period, self.plan, self.texts, self.locale) = (period, plan, texts, locale)
        experiments = plan.reportedExperiments
    }

    var rules: RuleSet { plan.latest.rules }
}

/// The tables that are the same for every learner.
extension ReportTable {
    /// The buckets of all versions of the rules. The buckets of the latest version come first. A learner may have XP in
    /// a bucket of an earlier version.
    static let buckets = ReportTable(
        shared: "buckets",
        key: [ReportColumn("bucket", \.element)],
        [ReportColumn("position") { $0.offset + 1 }]
    ) { source in Array(source.plan.allBuckets.enumerated()) }

    static let ruleVersions = ReportTable(
        shared: "rule_versions",
        key: [ReportColumn("version") { $0.offset + 1 }],
        [ReportColumn("name", \.element.rules.name), ReportColumn("from_day", \.element.from)]
    ) { Array($0.plan.versions.enumerated()) }

    static let weeks = ReportTable(
        shared: "weeks",
        key: [ReportColumn("week", \.day)],
        [
            ReportColumn("name") { $0.day.weekName(firstWeekday: $0.firstWeekday) },
            ReportColumn("last_day") { LocalDay(number: $0.day.number + 6) },
        ]
    ) { source in source.period.weekStarts.map { source.row($0) } }

    static let days = ReportTable(
        shared: "days",
        key: [ReportColumn("day", \.day)],
        [
            ReportColumn("week") { $0.day.weekStart(firstWeekday: $0.firstWeekday) },
            ReportColumn("weekday", \.day.weekday),
        ]
    ) { source in
        let period = source.period
        return (period.firstDay.number...period.lastDay.number).map { source.row(LocalDay(number: $0)) }
    }
}

extension FoldPlan {
    /// The buckets of all versions of the rules, without duplicates. The buckets of the latest version come first. The
    /// order decides the colours of the sources of XP.
    var allBuckets: [String] {
        var met: Set<[UInt8]> = []
        return versions.reversed().flatMap(\.buckets).filter { met.insert(Array($0.utf8)).inserted }
    }
}

/// A day in the rules' calendar.
private struct CalendarRow {
    let day: LocalDay
    let firstWeekday: Int
}

extension TableSource {
    fileprivate func row(_ day: LocalDay) -> CalendarRow {
        CalendarRow(day: day, firstWeekday: rules.calendar.weekStartsOn)
    }
}
