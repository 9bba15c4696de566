import LaurelRules
import LaurelYAML

/// Whether the columns of a query fit the way they are to be shown.
extension ReportLoader {
    mutating func checkShape(_ exhibit: ExhibitDefinition, _ query: ReportQuery, _ section: Section) {
        let offset = section.keyOffset("show")
        let shown = exhibit.shownColumns
        switch exhibit.show {
        case .text, .table, .headline: break
        case .bar, .line, .stackedBar:
            let needed = exhibit.series == nil ? 2 : 3
            if exhibit.series != nil ? query.columns.count != 3 : shown.count < needed {
                report(
                    offset,
                    exhibit.series == nil
                        ? "`\(exhibit.show.rawValue)` needs a column for the category and one or more of numbers; the query gives \(query.columns.count)"
                        : "`\(exhibit.show.rawValue)` with `series` needs three columns: category, series and a number; the query gives \(query.columns.count)"
                )
                return
            }
            let values = shown.filter { $0.name != exhibit.series }.dropFirst()
            for column in values { needNumber(column, section, exhibit.show) }
        case .histogram:
            if query.columns.count != 1 {
                report(offset, "`histogram` needs one column of numbers; the query gives \(query.columns.count)")
            }
            if let column = shown.first { needNumber(column, section, exhibit.show) }
        case .calendar:
            guard (2...3).contains(query.columns.count) else {
                report(
                    offset,
                    "`calendar` needs a column of dates, one of numbers and perhaps one of states; the query gives \(query.columns.count)"
                )
                return
            }
            if let type = shown[0].type, type != .date {
                report(
                    offset,
                    "`calendar` needs dates in its first column; `\(shown[0].name)` is `type: \(type.rawValue)`"
                )
            }
            needNumber(shown[1], section, .calendar)
        case .ring:
            guard query.columns.count <= 2 else {
                report(
                    offset,
                    "`ring` needs a number, and perhaps the whole it is a part of; the query gives \(query.columns.count) columns"
                )
                return
            }
            for column in shown { needNumber(column, section, .ring) }
        }
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
    /// Columns that stand for themselves, without those that others show as their previous value or note.
    var shownColumns: [ColumnDefinition] {
        let attached = Set(columns.flatMap(\.attached))
        return columns.filter { !attached.contains($0.name) }
    }
}
