// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelRules
import LaurelYAML

/// Runs a report's queries, and assembles their results.
struct DocumentBuilder {
    let name: String
    let title: String
    let view: ReportView
    let database: ReportDatabase
    let values: QueryValues
    let locale: LocaleText

    func build(_ subject: DocumentSubject, isUnfinished: Bool) throws -> Document {
        Document(
            name: name,
            title: title,
            subject: subject,
            week: values.weekName,
            weekStart: values.period.week,
            weekEnd: values.period.lastDay,
            language: values.language,
            asOf: values.asOf,
            isUnfinished: isUnfinished,
            comparesSameDays: isUnfinished && comparesWeeks,
            texts: locale.texts,
            sections: try view.sections.map { section in
                DocumentSection(title: section.title, exhibits: try section.exhibits.map(exhibit))
            }
        )
    }

    /// True if a query compares the week with the previous week.
    private var comparesWeeks: Bool {
        view.sections.contains { section in
            section.exhibits.contains { $0.query?.parameters.contains(QueryParameter.previousEnd.rawValue) ?? false }
        }
    }

    private func exhibit(_ definition: ExhibitDefinition) throws -> Exhibit {
        var rows: [[Cell]] = []
        if let query = definition.query {
            do throws(QueryError) {
                if definition.show == .histogram {
                    rows = try histogram(query)
                } else {
                    // A page may show only some rows, but the other formats contain all rows.
                    let limit = definition.rows == nil ? ReportDatabase.rowLimit : ReportDatabase.manyRows
                    try database.run(query, values, limit: limit) { rows.append($0) }
                }
            } catch {
                throw ReportError(definition.position, error.message)
            }
        }
        let table = DataTable(
            columns: try definition.columns.enumerated().map { index, column in
                try self.column(column, index, definition, rows)
            },
            rows: rows
        )
        var exhibit = Exhibit(
            name: definition.name,
            title: definition.title,
            note: definition.note,
            show: definition.show,
            width: definition.width,
            table: definition.show == .histogram ? table.asHistogram(definition, locale.texts) : table,
            series: definition.series,
            target: definition.target,
            rows: definition.rows,
            isOptional: definition.isOptional,
            isEmphatic: definition.isEmphatic,
            palette: definition.palette,
            columns: definition.columns
        )
        if let color = definition.color { exhibit.extractColors(color) }
        if definition.show == .funnel { try check(funnel: table, definition) }
        if let templates = definition.text {
            exhibit.text = try text(templates, table, definition)
        } else if exhibit.isEmpty {
            exhibit.text = definition.empty ?? locale.texts(.nothing)
        }
        return exhibit
    }

    /// The column with its type. If the report's file does not declare the type, the column's position and values
    /// decide it.
    /// - Throws: an error if a value is not of the type.
    private func column(
        _ column: ColumnDefinition,
        _ index: Int,
        _ exhibit: ExhibitDefinition,
        _ rows: [[Cell]]
    ) throws -> DataTable.Column {
        let isNumeric = exhibit.needsNumber(column.name)
        let isDate = exhibit.show == .calendar && index == 0
        let allNumbers =
            !rows.isEmpty && rows.allSatisfy { $0[index].text == nil } && rows.contains { $0[index] != .null }
        let type = column.type ?? (isDate ? .date : isNumeric || allNumbers ? .number : .text)
        for row in rows {
            switch (type, row[index]) {
            case (_, .null), (.text, _): continue
            case (.language, .text), (.phrase, .text): continue
            case (.date, .text(let text)) where LocalDay(parsing: text.utf8) != nil: continue
            case (.month, .text(let text)) where LocalDay(startOfMonth: text) != nil: continue
            case (.number, .number), (.percent, .number), (.duration, .number): continue
            case (_, let cell):
                throw ReportError(
                    exhibit.position,
                    "column `\(column.name)` has \(cell.phrase), but needs \(type.phrase)"
                )
            }
        }
        return DataTable.Column(
            name: column.name,
            title: column.title,
            type: type,
            unit: column.unit,
            decimals: column.decimals,
            learner: column.learner,
            active: column.active,
            isHidden: exhibit.show == .table && exhibit.columns.contains { $0.learner == column.name }
        )
    }

    /// Checks that no step of a funnel is larger than the previous step.
    private func check(funnel table: DataTable, _ exhibit: ExhibitDefinition) throws {
        for (before, step) in zip(table.rows, table.rows.dropFirst()) {
            guard let most = before[1].number, let number = step[1].number, number > most else { continue }
            throw ReportError(
                exhibit.position,
                "the step \(step[0].phrase) has \(number.brief), more than the \(most.brief) of the step before; "
                    + "count only what is part of that step"
            )
        }
    }

    private func text(_ templates: TextTemplates, _ table: DataTable, _ exhibit: ExhibitDefinition) throws -> String {
        let row = table.rows.first
        if exhibit.query != nil, row == nil { return exhibit.empty ?? locale.texts(.nothing) }
        switch templates {
        case .one(let template): return template.filled(table, row ?? [], locale, isWhole: false) ?? ""
        case .choice(let choice):
            let key = row.map { $0[0].key } ?? ""
            guard let template = choice[key] else {
                throw ReportError(exhibit.position, "the query picks the text `\(key)`, which does not exist")
            }
            return template.filled(table, row ?? [], locale, isWhole: false) ?? ""
        }
    }

    /// Counts a query's values by range while they are read. Each row of the result has a lower bound, an upper bound
    /// and a count.
    private func histogram(_ query: ReportQuery) throws(QueryError) -> [[Cell]] {
        var bins = HistogramBins()
        try database.run(query, values, limit: ReportDatabase.manyRows) { row in
            if let number = row[0].number { bins.add(number) }
        }
        return bins.values
    }
}

extension TextTemplate {
    /// Replaces the columns in the text by the values of a row.
    /// - Parameter isWhole: true to return nil if a value is missing.
    func filled(_ table: DataTable, _ row: [Cell], _ locale: LocaleText, isWhole: Bool = true) -> String? {
        filled { name, forms in
            guard let index = table.index(of: name) else { return "" }
            if isWhole, row[index] == .null { return nil }
            var column = table.columns[index]
            if !forms.isEmpty { column.unit = ColumnUnit(language: locale.texts.language, forms: forms) }
            return locale.text(row[index], column)
        }
    }
}

extension ExhibitDefinition {
    /// True if a column must contain numbers because of the way the exhibit is shown.
    func needsNumber(_ name: String) -> Bool {
        let shown = shownColumns
        return switch show {
        case .bar, .stackedBar, .line:
            name == color || shown.filter { $0.name != series }.dropFirst().contains { $0.name == name }
        case .heatmap: columns.count > 2 && columns[2].name == name
        case .calendar, .funnel: columns.count > 1 && columns[1].name == name
        case .ring, .histogram, .dots: true
        case .headline, .table, .text: false
        }
    }
}

extension Exhibit {
    /// True if the exhibit has no data, and a text is shown in its place.
    var isNothing: Bool { show != .text && text != nil }

    /// True if the exhibit is omitted from pages and mails.
    var isLeftOut: Bool { isOptional && (isNothing || table.rows.isEmpty) }

    /// The target with its title, such as `Daily goal: 15 min`; nil without a target.
    func targetText(_ locale: LocaleText) -> String? {
        guard let index = target.flatMap(table.index), let cell = table.rows.first?[index], cell != .null else {
            return nil
        }
        return locale.texts.named(table.columns[index].title, locale.text(cell, table.columns[index]))
    }

    /// A sentence which says that only some rows are shown; nil if all rows are shown.
    func hidden(_ locale: LocaleText) -> String? {
        guard let rows, table.rows.count > rows, !isNothing else { return nil }
        return locale.shown(rows, of: table.rows.count)
    }

    /// True if the exhibit has no data.
    var isEmpty: Bool {
        if show == .text { return false }
        if table.rows.isEmpty { return true }
        switch show {
        case .ring: return table.rows[0].contains(.null)
        case .bar, .stackedBar, .line, .funnel:
            // A row with only a numeric category or a target has no data.
            let numeric = table.columns.indices.dropFirst().filter { index in
                table.columns[index].type.isNumeric && table.columns[index].name != target
            }
            return !table.rows.contains { row in numeric.contains { row[$0] != .null } }
        default: return false
        }
    }
}

extension Cell {
    /// The value in the form of error messages.
    fileprivate var phrase: String {
        switch self {
        case .null: "nothing"
        case .text(let text): "“\(text.prefix(40))”"
        case .number(let number): "\(number)"
        }
    }
}

extension ColumnType {
    /// The type in the form of error messages.
    fileprivate var phrase: String {
        switch self {
        case .text, .phrase: "text"
        case .number: "a number"
        case .percent: "a percentage, 0 to 100"
        case .date: "a date, YYYY-MM-DD"
        case .month: "a month, YYYY-MM"
        case .language: "a language's tag, such as pt-BR"
        case .duration: "a duration in milliseconds"
        }
    }
}

/// The reason why a report could not be made, with the position in the report's file.
public struct ReportError: Error, Sendable, CustomStringConvertible {
    private let position: SourcePosition
    /// The reason without the position.
    package let message: String

    init(_ position: SourcePosition, _ message: String) { (self.position, self.message) = (position, message) }

    public var description: String { "\(position.file):\(position.line):\(position.column): error: \(message)" }
}
