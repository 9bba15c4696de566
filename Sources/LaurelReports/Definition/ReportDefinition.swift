// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelYAML

/// A report as its file defines it: checked, ready to be made.
public struct ReportDefinition: Sendable {
    /// As in `laurel report NAME`.
    public let name: String
    /// What people call it.
    public let title: String
    /// What it tells, in a sentence.
    public let description: String
    /// What it can be asked for.
    public let parameters: Set<ReportParameter>
    /// What is shown for one learner, and for a cohort or everyone; at least one of them is there.
    package let learner: ReportView?
    package let cohort: ReportView?
    /// Its texts in other languages, by their tags: its own, and those that all reports share.
    var texts: [String: TextTable]
    /// What is doubtful in its file, but no mistake.
    public let warnings: [Diagnostic]

    /// True if it can be made of one learner, and of a cohort or everyone.
    public var isAboutLearners: Bool { learner != nil }
    /// True if it can be made of a cohort, or of everyone.
    public var isAboutCohorts: Bool { cohort != nil }

    /// The languages that it has texts in, by their tags, in byte order.
    package var languages: [String] { (["en"] + texts.keys).sorted() }

    /// True if it has texts in the language of a locale; else readers there get it in English.
    package func isWritten(for locale: String) -> Bool {
        ReportLocale.isEnglish(locale) || !texts.table(for: locale).isEnglish
    }

    /// What a listing tells of it.
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

/// What a report may be asked for beside whom it is about.
public enum ReportParameter: String, Sendable, CaseIterable {
    /// A week of the calendar of the rules.
    case week
    /// One language, or all together.
    case language
}

/// What a report shows.
package struct ReportView: Sendable {
    /// How many weeks the tables reach back, the report's week included.
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

/// A query and how to show what it gives.
struct ExhibitDefinition: Sendable {
    /// Its title in English, which names its files.
    let name: String?
    var title: String?
    /// A line below.
    var note: String?
    let show: ExhibitKind
    let width: ExhibitWidth
    /// nil for a text that needs none.
    let query: ReportQuery?
    var columns: [ColumnDefinition]
    /// The column whose values name the series, in long tables: one row per category and series.
    let series: String?
    /// The column whose first value is drawn as a line across.
    let target: String?
    /// The column whose whole number, from 1, is the colour of a series, or of a category.
    let color: String?
    /// How many rows a page shows at first; nil all.
    let rows: Int?
    /// True if it is left out where there is nothing to show.
    let isOptional: Bool
    /// True if it stands out: a call to act.
    let isEmphatic: Bool
    let palette: ExhibitPalette
    /// What a histogram counts.
    var counted: ColumnUnit?
    /// The head over how many there are of it.
    var countedTitle: String?
    /// What stands there where the query gives nothing.
    var empty: String?
    /// For texts.
    var text: TextTemplates?
    let place: SourcePlace
}

/// THE list of ways to show a table.
enum ExhibitKind: String, Sendable, CaseIterable {
    /// Each column of the first row as a large number.
    case headline
    /// Bars over a category; several number columns stand beside each other.
    case bar
    /// Bars of parts on top of each other.
    case stackedBar
    /// A line per number column.
    case line
    /// How many values lie where: bars over ranges of the one column's values.
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

/// How series are told apart.
enum ExhibitPalette: String, Sendable, CaseIterable {
    /// By colours that have nothing to do with each other.
    case distinct
    /// By how full the marks are, from hollow over hatched to solid: they are steps, from the least to the most.
    case shades
}

/// What a column means.
struct ColumnDefinition: Sendable {
    let name: String
    var title: String
    /// nil: number where all values are numbers, else text.
    let type: ColumnType?
    /// `XP`, or for one and for others: `day`, `days`.
    var unit: ColumnUnit?
    /// The texts that the column may hold, as far as the report knows them.
    let values: [String]
    /// Digits after the point, at most; nil as many as it takes, up to two.
    let decimals: Int?
    /// The column that holds the same of the period before: the change from it is shown.
    let previous: String?
    /// A line to go with it.
    var note: TextTemplate?
    /// True if more of it is better; nil where it is neither.
    let moreIsBetter: Bool?
    /// The column with the id of the learner whose page the column's text leads to.
    let learner: String?

    /// Columns that are there for this one alone.
    var attached: [String] { [previous, learner].compactMap(\.self) + (note?.columns ?? []) }
}

/// THE list of column types.
enum ColumnType: String, Sendable, CaseIterable {
    case text
    /// English text of the report itself, which is shown in the reader's language.
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
    /// True if bars over such categories stand beside each other: they have an order, and short names.
    var standsUpright: Bool { self == .date || self == .number }
}

/// One text, or several of which the query's first column picks one.
enum TextTemplates: Sendable {
    case one(TextTemplate)
    case choice([String: TextTemplate])
}

/// Text with `{column}` in it, or `{column|one day|other days}`: the column's number with a word in the form that it takes.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case text(String)
        /// - Parameter forms: of the word that stands after the number; empty where it is the column's own unit.
        case column(String, forms: [PluralCategory: String])
    }

    /// As it was written.
    let source: String
    let parts: [Part]

    /// What is between braces is a column's name; `{{` is a brace.
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
    /// - Parameter value: of a column, with a word in the forms given where there are any; nil leaves no text at all.
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
