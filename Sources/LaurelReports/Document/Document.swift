// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A report with its data, from which every format is written.
package struct Document: Sendable {
    /// The report's name, as in `laurel report NAME`.
    package var name: String
    package var title: String
    package var subject: DocumentSubject
    /// The name of the week, and its days.
    package var week: String
    package var weekStart: LocalDay
    package var weekEnd: LocalDay
    /// `*` for all languages together.
    package var language: String
    package var asOf: Timestamp
    /// True if the week was not over at the report's instant.
    package var isUnfinished: Bool
    /// True if numbers of the unfinished week are compared with the same days of the week before.
    var comparesSameDays = false
    /// The words in the report's language.
    var texts: TextTable
    /// The names of the files of learners' own pages, by the learners' ids.
    var pages: [String: String] = [:]
    var sections: [DocumentSection]
}

/// The subject of a report.
package enum DocumentSubject: Sendable, Equatable {
    case learner(id: String, name: String?)
    case cohort(String)
    case everyone
}

struct DocumentSection: Sendable {
    var title: String?
    var exhibits: [Exhibit]
}

/// A table, and the way to show it.
struct Exhibit: Sendable {
    /// The title in English, from which the names of files are made.
    var name: String?
    var title: String?
    var note: String?
    var show: ExhibitKind
    var width: ExhibitWidth
    var table: DataTable
    /// The text of a `text` exhibit, or the text to show for an exhibit without data.
    var text: String?
    /// The column whose values name the series.
    var series: String?
    /// The column whose first value is drawn as a line across the chart.
    var target: String?
    /// The colours of series or of categories, from 1, by name; empty if they have none of their own.
    var colors: [String: Int] = [:]
    /// The number of rows that a page shows at first; nil for all.
    var rows: Int?
    /// True if pages leave the exhibit out when it has no data.
    var isOptional = false
    /// True if the exhibit is emphasized.
    var isEmphatic = false
    var palette = ExhibitPalette.distinct
    var columns: [ColumnDefinition]
    /// The file with the whole table, if the table is too long for a page.
    var wholeFile: String?
}

extension Exhibit {
    /// Reads the colours from a column, and removes the column, which tells readers nothing.
    mutating func takeColors(_ name: String) {
        guard let color = table.index(of: name) else { return }
        let named = series.flatMap(table.index) ?? (color == 0 ? 1 : 0)
        for row in table.rows {
            guard let number = row[color].number, number >= 1, number < 1e6, row[named] != .null else { continue }
            colors[row[named].key] = Int(number)
        }
        table.columns.remove(at: color)
        columns.removeAll { $0.name == name }
        for index in table.rows.indices { table.rows[index].remove(at: color) }
    }
}

/// Rows under typed columns.
struct DataTable: Sendable {
    struct Column: Sendable {
        var name: String
        var title: String
        var type: ColumnType
        var unit: ColumnUnit?
        var decimals: Int?
        /// The column with the ids of the learners that the values name.
        var learner: String?
        /// True if the column only serves another column, and is not shown.
        var isHidden = false
        /// The name of a histogram's values, because the column's title is the heading of the lower bounds.
        var caption: String?

        /// The title for columns of numbers without units. The unit is added unless the title has it.
        var titleWithUnit: String {
            guard let unit = unit?.other, !unit.isEmpty, type == .number,
                !title.lowercased().hasSuffix(unit.lowercased())
            else {
                return title
            }
            return "\(title) (\(unit))"
        }
    }

    var columns: [Column]
    var rows: [[Cell]]

    /// The indexes of the columns that are shown.
    var shown: [Int] { columns.indices.filter { !columns[$0].isHidden } }

    /// The id of the learner that a value names.
    func learner(_ row: [Cell], _ column: Int) -> String? {
        columns[column].learner.flatMap(index(of:)).flatMap { row[$0].text }
    }

    func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
