// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelYAML

/// A report as its file defines it, checked and ready to run.
public struct ReportDefinition: Sendable {
    /// The report's name, as in `laurel report NAME`.
    public let name: String
    /// The report's title for people.
    public let title: String
    /// The report's content, in a sentence.
    public let description: String
    /// The parameters that the report takes.
    public let parameters: Set<ReportParameter>
    /// The views for one learner, and for a cohort or everyone; at least one of them is not nil.
    package let learner: ReportView?
    package let cohort: ReportView?
    /// The report's texts in other languages, by their tags: its own, and the texts that all reports share.
    var texts: [String: TextTable]
    /// The warnings about its file.
    public let warnings: [Diagnostic]

    /// True if the report can be about one learner.
    public var isAboutLearners: Bool { learner != nil }
    /// True if the report can be about a cohort, or about everyone.
    public var isAboutCohorts: Bool { cohort != nil }

    /// The tags of the languages that the report has texts in, in byte order.
    package var languages: [String] { (["en"] + texts.keys).sorted() }

    /// True if the report has texts in the language of a locale; otherwise readers there get English.
    package func isWritten(for locale: String) -> Bool {
        ReportLocale.isEnglish(locale) || !texts.table(for: locale).isEnglish
    }

    /// The report's entry in a listing.
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

/// A report in a listing.
public struct ReportListing: Codable, Sendable, Hashable {
    /// The name, as in `laurel report NAME`.
    public var name: String
    /// The title for people.
    public var title: String
    /// A sentence on the report's content.
    public var description: String
    /// The subjects: `learner`, `cohort` or both.
    public var about: [String]
    /// Further parameters that it takes: `week`, `language`.
    public var parameters: [String]
}

/// The parameters of a report, besides its subject.
public enum ReportParameter: String, Sendable, CaseIterable {
    /// A week of the calendar of the rules.
    case week
    /// One language, or all languages together.
    case language
}

/// The sections of a report, for one kind of subject.
package struct ReportView: Sendable {
    /// The number of weeks that the tables cover, the report's week included.
    package let weeks: Int
    var sections: [SectionDefinition]

    /// The tables that its queries read.
    var tables: Set<ReportTable> {
        sections.flatMap(\.exhibits).reduce(into: []) { $0.formUnion($1.query?.tables ?? []) }
    }
}

struct SectionDefinition: Sendable {
    var title: String?
    var exhibits: [ExhibitDefinition]
}

/// A query, and the way to show its result.
struct ExhibitDefinition: Sendable {
    /// The title in English, from which the names of files are made.
    let name: String?
    var title: String?
    /// A line below the exhibit.
    var note: String?
    let show: ExhibitKind
    let width: ExhibitWidth
    /// The query; nil for a text that needs none.
    let query: ReportQuery?
    var columns: [ColumnDefinition]
    /// The column whose values name the series, in long tables: one row per category and series.
    let series: String?
    /// The column whose first value is drawn as a line across the chart.
    let target: String?
    /// The column that holds the colour of a series or of a category, a whole number from 1.
    let color: String?
    /// The number of rows that a page shows at first; nil for all.
    let rows: Int?
    /// True if the exhibit is left out when it has no data.
    let isOptional: Bool
    /// True if the exhibit is emphasized, such as a call to act.
    let isEmphatic: Bool
    let palette: ExhibitPalette
    /// The unit that a histogram counts.
    var counted: ColumnUnit?
    /// The heading of a histogram's counts.
    var countedTitle: String?
    /// The text that is shown if the query returns nothing.
    var empty: String?
    /// The sentences of a text exhibit.
    var text: TextTemplates?
    let place: SourcePlace
}

/// THE list of ways to show a table.
enum ExhibitKind: String, Sendable, CaseIterable {
    /// Each column of the first row as a large number.
    case headline
    /// Bars over a category. Several number columns stand side by side.
    case bar
    /// Stacked bars of parts.
    case stackedBar
    /// A line per number column.
    case line
    /// The distribution of values: bars over ranges of the column's values.
    case histogram
    /// A square per day, a column per week.
    case calendar
    /// A share of a whole.
    case ring
    case table
    /// Sentences with the first row's values filled in.
    case text
}

enum ExhibitWidth: String, Sendable, CaseIterable {
    case full, half
}

/// The ways to distinguish series.
enum ExhibitPalette: String, Sendable, CaseIterable {
    /// Unrelated colours.
    case distinct
    /// Shades from hollow over hatched to solid, for steps from the least to the most.
    case shades
}

/// The meaning of a column.
struct ColumnDefinition: Sendable {
    let name: String
    var title: String
    /// The type; nil means number if all values are numbers, else text.
    let type: ColumnType?
    /// `XP`, or a singular and a plural: `day`, `days`.
    var unit: ColumnUnit?
    /// The texts that the column may hold, as far as the report knows them.
    let values: [String]
    /// The most digits after the point; nil for as many as needed, up to two.
    let decimals: Int?
    /// The column with the value of the period before. The change from it is shown.
    let previous: String?
    /// A line that is shown with the value.
    var note: TextTemplate?
    /// True if a larger value is better; nil if it is neither better nor worse.
    let moreIsBetter: Bool?
    /// The column with the id of the learner to whose page the column's text links.
    let learner: String?

    /// The columns that serve only this one.
    var attached: [String] { [previous, learner].compactMap(\.self) + (note?.columns ?? []) }
}

/// THE list of column types.
enum ColumnType: String, Sendable, CaseIterable {
    case text
    /// English text of the report itself. It is shown in the reader's language.
    case phrase
    case number
    /// 0 … 100.
    case percent
    /// `YYYY-MM-DD`.
    case date
    /// `YYYY-MM`.
    case month
    /// A BCP 47 tag, such as `pt-BR`.
    case language
    /// Milliseconds.
    case duration

    var isNumeric: Bool { self == .number || self == .percent || self == .duration }
    /// True if bars over such categories are upright, because the categories have an order and short names.
    var standsUpright: Bool { self == .date || self == .number }
}

/// One text, or several from which the query's first column picks one.
enum TextTemplates: Sendable {
    case one(TextTemplate)
    case choice([String: TextTemplate])
}

/// Text with `{column}` in it, or `{column|one day|other days}`: the column's number with a word in the plural form
/// that it needs.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case text(String)
        /// - Parameter forms: the forms of the word after the number; empty if the column's own unit is used.
        case column(String, forms: [PluralCategory: String])
    }

    /// The text as written.
    let source: String
    let parts: [Part]

    /// Parses a text. A column's name stands between braces; `{{` is a brace.
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

    /// The text with values in it.
    /// - Parameter value: the value of a column, with a word in the given forms if there are any. If it returns nil,
    ///   the result is nil.
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
