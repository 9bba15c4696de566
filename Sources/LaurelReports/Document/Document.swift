// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A report that was made: what every format is written from.
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
    /// What its words are in.
    var texts: TextTable
    /// The files of learners' own pages beside it, by their ids.
    var pages: [String: String] = [:]
    var sections: [DocumentSection]
}

/// Who a report is about.
package enum DocumentSubject: Sendable, Equatable {
    case learner(id: String, name: String?)
    case cohort(String)
    case everyone
}

struct DocumentSection: Sendable {
    var title: String?
    var exhibits: [Exhibit]
}

/// A table and how to show it.
struct Exhibit: Sendable {
    /// Its title in English, which names its files.
    var name: String?
    var title: String?
    var note: String?
    var show: ExhibitKind
    var width: ExhibitWidth
    var table: DataTable
    /// The text to be shown: of a `text`, or of what has nothing to show.
    var text: String?
    /// What each column means to the exhibit.
    var series: String?
    /// The column whose first value is drawn as a line across.
    var target: String?
    /// The colours of series, or of categories, from 1, by name; empty where they have none of their own.
    var colors: [String: Int] = [:]
    /// How many rows a page shows at first; nil all.
    var rows: Int?
    /// True if pages leave it out where there is nothing to show.
    var isOptional = false
    /// True if it stands out.
    var isEmphatic = false
    var palette = ExhibitPalette.distinct
    var columns: [ColumnDefinition]
    /// The file with the whole of a table that is too long for a page.
    var wholeFile: String?
}

extension Exhibit {
    /// Makes colours of a column, which then is none of the table any more: it says nothing to readers.
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
        /// The column with the ids of the learners whom the values name.
        var learner: String?
        /// True if it is there for another, and nobody reads it.
        var isHidden = false
        /// What the values of a histogram are, where the title says from where to where.
        var caption: String?

        /// For heads over numbers without their unit; it is not said twice.
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

    /// The places of those that readers see.
    var shown: [Int] { columns.indices.filter { !columns[$0].isHidden } }

    /// The id of the learner whom a value names.
    func learner(_ row: [Cell], _ column: Int) -> String? {
        columns[column].learner.flatMap(index(of:)).flatMap { row[$0].text }
    }

    func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
