// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelYAML

/// A report as its file defines it. The definition is checked, and ready to run.
public struct ReportDefinition: Sendable {
    /// The report's name, as in `laurel report NAME`.
    public let name: String
    /// The report's title for people.
    public let title: String
    /// The report's content, in a sentence.
    public let description: String
    /// The parameters that the report accepts.
    public let parameters: Set<ReportParameter>
    /// The views: one for a learner, and one for a cohort or everyone. At least one of the two is not nil.
    package let learner: ReportView?
    package let cohort: ReportView?
    /// The content of a learner's message. If it is nil, the message has the texts and headlines of `learner`.
    let mail: ReportView?
    /// The texts in other languages, by language tag: the report's own texts, and the texts that all reports share.
    var texts: [String: TextTable]
    /// The warnings about the report's file.
    public let warnings: [Diagnostic]
    /// The SHA-256 hash of the report's file.
    let hash: [UInt8]

    /// True if the report can be about one learner.
    public var isAboutLearners: Bool { learner != nil }
    /// True if the report can be about a cohort, or about everyone.
    public var isAboutCohorts: Bool { cohort != nil }

    /// The tags of the languages in which the report has texts, in byte order.
    package var languages: [String] { (["en"] + texts.keys).sorted() }

    /// True if the report has texts in the language of a locale. If false, readers with this locale get English.
    package func isWritten(for locale: String) -> Bool {
        ReportLocale.isEnglish(locale) || !texts.table(for: locale).isEnglish
    }

    /// The report as an entry in a list of reports.
    public var listing: ReportListing {
        ReportListing(
            name: name,
            title: title,
            description: description,
            about: (isAboutLearners ? ["learner"] : []) + (isAboutCohorts ? ["cohort"] : []),
            parameters: ReportParameter.allCases.filter(parameters.contains).map(\.rawValue)
        )
    }
}

/// An entry in a list of reports.
public struct ReportListing: Codable, Sendable, Hashable {
    /// The name, as in `laurel report NAME`.
    public var name: String
    /// The title for people.
    public var title: String
    /// A sentence on the report's content.
    public var description: String
    /// The subjects of the report: `learner`, `cohort` or both.
    public var about: [String]
    /// The parameters that the report accepts in addition to the subject: `week`, `language`.
    public var parameters: [String]
}

/// The parameters of a report, besides its subject.
public enum ReportParameter: String, Sendable, CaseIterable {
    /// A week by the rules' calendar.
    case week
    /// One language, or all languages together.
    case language
}

/// The sections of a report for one kind of subject: a learner, or a cohort or everyone.
package struct ReportView: Sendable {
    /// The number of weeks that the tables cover. The report's week is one of them.
    package let weeks: Int
    var sections: [SectionDefinition]

    /// The tables that the view's queries read, with the columns that they read.
    var tables: Set<ReportTable> {
        var reads: [ReportTable: Set<String>] = [:]
        for query in sections.flatMap(\.exhibits).compactMap(\.query) { reads.merge(query.reads) { $0.union($1) } }
        return Set(reads.map { $0.selecting($1) })
    }
}

struct SectionDefinition: Sendable {
    var title: String?
    var exhibits: [ExhibitDefinition]
}

/// The definition of an exhibit, which is one table, chart or text of a report. It has a query, and the way to show the
/// query's result.
struct ExhibitDefinition: Sendable {
    /// The title in English. Names of files are made from it.
    let name: String?
    var title: String?
    /// A line below the exhibit.
    var note: String?
    let show: ExhibitKind
    let width: ExhibitWidth
    /// The query; nil for a text that needs no query.
    let query: ReportQuery?
    var columns: [ColumnDefinition]
    /// The column with the name of each row's series; nil if each series has its own column. A table with such a column
    /// has one row per category and series.
    let series: String?
    /// The column whose first value is drawn as a line across the chart.
    let target: String?
    /// The column with the colour of a series or of a category. A colour is a whole number from 1.
    let color: String?
    /// The number of rows that a page shows at first; nil for all rows.
    let rows: Int?
    /// True if the exhibit is left out when it has no data.
    let isOptional: Bool
    /// True if the exhibit is emphasized, such as a call to action.
    let isEmphatic: Bool
    let palette: ExhibitPalette
    /// The unit of the things that a histogram counts; nil if it has no unit.
    var counted: ColumnUnit?
    /// The heading above the counts of a histogram; nil for the default.
    var countedTitle: String?
    /// The text to show if the query returns no data; nil for the default.
    var empty: String?
    /// The sentences of a text exhibit; nil for other exhibits.
    var text: TextTemplates?
    let position: SourcePosition
}

/// THE list of ways to show a table.
enum ExhibitKind: String, Sendable, CaseIterable {
    /// The values of the first row, each as a large number.
    case headline
    /// One bar per category. If there are several columns of numbers, their bars are side by side.
    case bar
    /// One bar per category, made of stacked parts.
    case stackedBar
    /// One line per column of numbers.
    case line
    /// The distribution of a column's values: one bar for each range of values.
    case histogram
    /// One dot per row. Two numbers decide the dot's position, and a third number decides its size.
    case dots
    /// A grid of numbers, shaded by their size: one row and one column per category.
    case heatmap
    /// Steps, each of which counts a part of the previous step.
    case funnel
    /// A calendar with a square per day and a column per week.
    case calendar
    /// A ring that shows a share of a whole.
    case ring
    case table
    /// Sentences that contain values of the first row.
    case text
}

enum ExhibitWidth: String, Sendable, CaseIterable {
    case full, half
}

/// The ways to distinguish the series of a chart.
enum ExhibitPalette: String, Sendable, CaseIterable {
    /// Unrelated colours.
    case distinct
    /// Shades from hollow over hatched to solid. They are suitable for series that have an order, from the least to the
    /// most.
    case shades
}

/// The properties of a column.
struct ColumnDefinition: Sendable {
    let name: String
    var title: String
    /// The type. If it is nil, the type is number if all values are numbers, otherwise text.
    let type: ColumnType?
    /// The unit, such as `XP`, or `day` with the plural `days`; nil for none.
    var unit: ColumnUnit?
    /// The texts that the column may contain, if the report's file lists them; otherwise empty.
    let values: [String]
    /// The maximum number of digits after the point; nil for as many as needed, up to two.
    let decimals: Int?
    /// The column with the value of the previous period; nil for none. The difference between the two values is shown.
    let previous: String?
    /// A line of text that is shown with the value; nil for none.
    var note: TextTemplate?
    /// True if a larger value is better, false if a smaller value is better; nil if neither is better.
    let moreIsBetter: Bool?
    /// The column with the id of a learner; nil for none. The text of this column links to that learner's page.
    let learner: String?
    /// The days on which the learners that the row counts were active. It is nil for columns without such days.
    let active: DaySpan?

    /// The columns that are needed only to show this column.
    var attached: [String] { [previous, learner].compactMap(\.self) + (note?.columns ?? []) }
}

/// THE list of column types.
enum ColumnType: String, Sendable, CaseIterable {
    case text
    /// English text that the report's file contains. It is shown in the reader's language.
    case phrase
    case number
    /// A percentage, 0 … 100.
    case percent
    /// A day: `YYYY-MM-DD`.
    case date
    /// A month: `YYYY-MM`.
    case month
    /// The tag of a language (BCP 47), such as `pt-BR`.
    case language
    /// A duration in milliseconds.
    case duration

    var isNumeric: Bool { self == .number || self == .percent || self == .duration }
    /// True if a chart over categories of this type has vertical bars. Such categories have an order and short names.
    var isUpright: Bool { self == .date || self == .number }
}

/// A text, or several texts. If there are several, the first column of the query's result selects one of them.
enum TextTemplates: Sendable {
    case one(TextTemplate)
    case choice([String: TextTemplate])
}

/// A text with places for the values of columns. `{column}` stands for the column's value. `{column|one day|other
/// days}` stands for the column's number with a word in the right plural form.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case text(String)
        /// - Parameter forms: the plural forms of the word after the number. If there are none, the column's own unit
        ///   is used.
        case column(String, forms: [PluralCategory: String])
    }

    /// The text as the report's file contains it.
    let source: String
    let parts: [Part]

    /// Parses a text. A column's name is written between braces, and `{{` means a brace.
    init(_ text: String) {
        source = text
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "{" else {
                literal.append(character)
                continue
            }
            guard rest.first != "{", let end = rest.firstIndex(of: "}") else {
                literal.append("{")
                if rest.first == "{" { rest.removeFirst() }
                continue
            }
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
            parts.append(TextTemplate.column(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.parts = parts
    }

    private static func column(_ text: Substring) -> Part {
        let pieces = text.split(separator: "|")
        var forms: [PluralCategory: String] = [:]
        for piece in pieces.dropFirst() {
            let words = piece.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let category = PluralCategory(rawValue: String(words[0])) else { continue }
            forms[category] = String(words[1])
        }
        return .column(pieces.first.map(String.init) ?? "", forms: forms)
    }

    var columns: [String] {
        parts.compactMap { if case .column(let name, _) = $0 { name } else { nil } }
    }

    /// Replaces the columns' places in the text by values.
    /// - Parameter value: returns the value of a column. If there are plural forms, the result contains a word in the
    ///   right form.
    /// - Returns: nil if `value` returns nil for a column.
    func filled(_ value: (_ column: String, _ forms: [PluralCategory: String]) -> String?) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .column(let name, let forms):
                guard let value = value(name, forms) else { return nil }
                result += value
            }
        }
        return result
    }
}
