// SPDX-License-Identifier: Apache-2.0

import LaurelRules
import LaurelYAML

/// Checks that the columns of a query's result fit the kind of exhibit.
extension ReportLoader {
    mutating func checkShape(_ exhibit: ExhibitDefinition, _ query: ReportQuery, _ section: Section) {
        let shown = exhibit.shownColumns
        if exhibit.show != .table, exhibit.columns.contains(where: { $0.learner != nil }) {
            refuse("`learner` is only for a table", section)
        }
        switch exhibit.show {
        case .text, .table, .headline: break
        case .bar, .line, .stackedBar: checkSeries(exhibit, shown, query, section)
        case .histogram:
            if query.columns.count != 1 {
                refuse("`histogram` needs one column of numbers; the query gives \(query.columns.count)", section)
            }
            if let column = shown.first { needNumber(column, section, exhibit.show) }
        case .dots:
            guard shown.count == 3 else {
                let count = query.columns.count
                refuse("`dots` needs three columns of numbers: across, up and size; the query gives \(count)", section)
                return
            }
            for column in shown { needNumber(column, section, .dots) }
        case .heatmap:
            guard shown.count == 3 else {
                let count = query.columns.count
                refuse("`heatmap` needs three columns: row, column and a number; the query gives \(count)", section)
                return
            }
            needNumber(shown[2], section, .heatmap)
        case .funnel:
            guard shown.count == 2 else {
                let count = query.columns.count
                refuse("`funnel` needs a column for the step and one of numbers; the query gives \(count)", section)
                return
            }
            needNumber(shown[1], section, .funnel)
        case .calendar: checkCalendar(shown, query, section)
        case .ring:
            guard query.columns.count <= 2 else {
                refuse(
                    "`ring` needs a number, and perhaps the whole it is a part of; the query gives \(query.columns.count) columns",
                    section
                )
                return
            }
            for column in shown { needNumber(column, section, .ring) }
        }
    }

    private mutating func checkSeries(
        _ exhibit: ExhibitDefinition,
        _ shown: [ColumnDefinition],
        _ query: ReportQuery,
        _ section: Section
    ) {
        let kind = exhibit.show.rawValue
        if exhibit.series == nil, shown.count < 2 {
            refuse(
                "`\(kind)` needs a column for the category and one or more of numbers; the query gives \(query.columns.count)",
                section
            )
        } else if exhibit.series != nil, shown.count != 3 {
            refuse(
                "`\(kind)` with `series` needs three columns: category, series and a number; the query gives \(query.columns.count)",
                section
            )
        } else {
            let values = shown.filter { $0.name != exhibit.series }.dropFirst()
            for column in values { needNumber(column, section, exhibit.show) }
        }
    }

    private mutating func checkCalendar(_ shown: [ColumnDefinition], _ query: ReportQuery, _ section: Section) {
        guard (2...3).contains(query.columns.count) else {
            refuse(
                "`calendar` needs a column of dates, one of numbers and perhaps one of states; the query gives \(query.columns.count)",
                section
            )
            return
        }
        if let type = shown[0].type, type != .date {
            refuse(
                "`calendar` needs dates in its first column; `\(shown[0].name)` is `type: \(type.rawValue)`",
                section
            )
        }
        needNumber(shown[1], section, .calendar)
    }

    private mutating func refuse(_ message: String, _ section: Section) {
        report(section.keyOffset("show"), message)
    }

    private mutating func needNumber(_ column: ColumnDefinition, _ exhibit: Section, _ show: ExhibitKind) {
        guard let type = column.type, !type.isNumeric else { return }
        report(
            exhibit.keyOffset("columns"),
            "`\(show.rawValue)` needs numbers in `\(column.name)`, which is `type: \(type.rawValue)`"
        )
    }
}

extension ExhibitDefinition {
    /// The columns that are shown separately. A column that contains only another column's previous value or note is
    /// left out.
    var shownColumns: [ColumnDefinition] {
        let attached = Set(columns.flatMap(\.attached))
        return columns.filter { !attached.contains($0.name) && $0.name != color }
    }
}
