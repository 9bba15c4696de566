// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A report with its data. Every format is written from a document.
package struct Document: Sendable {
    /// The report's name, as in `laurel report NAME`.
    package var name: String
    package var title: String
    package var subject: DocumentSubject
    /// The name of the week, and its days.
    package var week: String
    package var weekStart: LocalDay
    package var weekEnd: LocalDay
    /// The language tag; `*` for all languages together.
    package var language: String
    package var asOf: Timestamp
    /// True if the week had not ended at the report's instant.
    package var isUnfinished: Bool
    /// True if the numbers of an unfinished week are compared with only the same days of the previous week.
    var comparesSameDays = false
    /// The words in the report's language.
    var texts: TextTable
    /// The names of the files with the learners' own reports, by learner id.
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

/// A table, and how it is shown.
struct Exhibit: Sendable {
    /// The title in English. Names of files are made from it.
    var name: String?
    var title: String?
    var note: String?
    var show: ExhibitKind
    var width: ExhibitWidth
    var table: DataTable
    /// The text of a `text` exhibit, or the text to show for an exhibit without data.
    var text: String?
    /// The column with the name of each row's series; nil if there is none.
    var series: String?
    /// The column whose first value is drawn as a line across the chart; nil for no line.
    var target: String?
    /// The colours of series or categories by name, as numbers from 1; empty if the exhibit has no colour column.
    var colors: [String: Int] = [:]
    /// The number of rows that a page shows at first; nil for all rows.
    var rows: Int?
    /// True if pages leave the exhibit out when it has no data.
    var isOptional = false
    /// True if the exhibit is emphasized.
    var isEmphatic = false
    var palette = ExhibitPalette.distinct
    var columns: [ColumnDefinition]
    /// The name of the file with the whole table; nil if the page shows the whole table.
    var tableFile: String?
}

extension Exhibit {
    /// Reads the colours from a column, and removes the column, because its numbers mean nothing to readers.
    mutating func extractColors(_ name: String) {
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

/// A table of values, with the types of its columns.
struct DataTable: Sendable {
    struct Column: Sendable {
        var name: String
        var title: String
        var type: ColumnType
        var unit: ColumnUnit?
        var decimals: Int?
        /// The column with the ids of the learners to whom this column's values refer; nil if there is none.
        var learner: String?
        /// The days on which the learners that a row counts were active; nil for columns without such days.
        var active: DaySpan?
        /// True if the column is not shown itself, because it is needed only to show another column.
        var isHidden = false
        /// The title of the values that a histogram counts; nil for other tables. It is stored here, because the title
        /// of the first column describes the lower bounds.
        var caption: String?

        /// The title of a column whose numbers are shown without a unit. The unit is added unless the title contains
        /// it.
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

    /// The id of the learner to whom a value refers; nil if the value refers to no learner.
    func learner(_ row: [Cell], _ column: Int) -> String? {
        columns[column].learner.flatMap(index(of:)).flatMap { row[$0].text }
    }

    func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
