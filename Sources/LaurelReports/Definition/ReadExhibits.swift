// SPDX-License-Identifier: Apache-2.0

import LaurelRules
import LaurelYAML

extension ReportLoader {
    mutating func readExhibit(_ node: YAMLNode, isCohort: Bool) -> ExhibitDefinition? {
        guard let exhibit = section(node, .exhibit) else { return nil }
        guard let show = required(exhibit, "show").flatMap({ readChoice($0, "`show`", ExhibitKind.self) }) else {
            return nil
        }
        let query = readQuery(exhibit, show, isCohort: isCohort)
        let columns = query.map { readColumns(exhibit["columns"], $0, show) } ?? []
        let title = exhibit["title"].flatMap { text($0, "`title`") }
        let counted = readCounted(exhibit, show)
        let definition = ExhibitDefinition(
            name: title,
            title: title,
            note: exhibit["note"].flatMap { text($0, "`note`") },
            show: show,
            width: exhibit["width"].flatMap { readChoice($0, "`width`", ExhibitWidth.self) } ?? .full,
            query: query,
            columns: columns,
            // The second column of a heatmap's query names the columns of the grid.
            series: show == .heatmap
                ? query?.columns.dropFirst().first : query.flatMap { readRole("series", exhibit, $0, show) },
            target: query.flatMap { readRole("target", exhibit, $0, show) },
            color: query.flatMap { readRole("color", exhibit, $0, show) },
            rows: readRows(exhibit, show),
            isOptional: exhibit["optional"].flatMap { boolean($0, "`optional`") } ?? false,
            isEmphatic: exhibit["emphasis"].flatMap { boolean($0, "`emphasis`") } ?? false,
            palette: readPalette(exhibit, show),
            counted: counted,
            countedTitle: counted.map { IdentifierTitle.of($0.other) },
            empty: exhibit["empty"].flatMap { text($0, "`empty`") },
            text: readText(exhibit, show, query),
            position: position(exhibit["query"]?.offset ?? exhibit.offset)
        )
        if let query, !query.columns.isEmpty { checkShape(definition, query, exhibit) }
        return definition
    }

    mutating func readChoice<Choice: RawRepresentable & CaseIterable>(
        _ node: YAMLNode,
        _ what: String,
        _ type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        let cases = Array(Choice.allCases)
        return choice(node, what, of: cases.map(\.rawValue)).map { cases[$0] }
    }

    // MARK: Query

    private mutating func readQuery(_ exhibit: Section, _ show: ExhibitKind, isCohort: Bool) -> ReportQuery? {
        guard let node = exhibit["query"] else {
            if show != .text { report(exhibit.offset, "`show: \(show.rawValue)` needs `query`") }
            return nil
        }
        guard let sql = text(node, "`query`"), let scalar = node.scalar else { return nil }
        do throws(QueryError) {
            let query = try tables.prepare(sql)
            check(query, at: node.offset, isCohort: isCohort)
            return query
        } catch {
            guard let position = error.offset else {
                report(node.offset, error.message)
                return nil
            }
            let start = sourceOffset(of: position, in: scalar)
            report(start..<start + error.length, error.message, suggestion: error.suggestion)
            return nil
        }
    }

    private mutating func check(_ query: ReportQuery, at offset: Int, isCohort: Bool) {
        usedParameters.formUnion(query.parameters)
        for name in query.parameters.sorted() where !QueryParameter.names.contains(name) {
            reportUnknown(offset, "there is no parameter", ":" + name, among: QueryParameter.names.map { ":" + $0 })
        }
        if query.parameters.contains("language"), !parameters.contains(.language) {
            report(offset, "`:language` is read, but the report's `parameters` do not name `language`")
        }
        if isCohort, let table = query.reads.keys.first(where: \.isForOneLearner) {
            report(offset, "`\(table.name)` is there for one learner only, not under `cohort`")
        }
    }

    // MARK: Columns

    private mutating func readColumns(
        _ node: YAMLNode?,
        _ query: ReportQuery,
        _ show: ExhibitKind
    ) -> [ColumnDefinition] {
        var given: [String: ColumnDefinition] = [:]
        for entry in mapping(node, "`columns`") ?? [] {
            guard query.columns.contains(entry.key) else {
                reportUnknown(entry.keyOffset, "the query gives no column", entry.key, among: query.columns)
                continue
            }
            given[entry.key] = readColumn(entry, query)
        }
        return query.columns.map { name in
            given[name] ?? ColumnDefinition(named: name)
        }
    }

    private mutating func readColumn(_ entry: YAMLEntry, _ query: ReportQuery) -> ColumnDefinition? {
        // In the short form of a column, the value is the title.
        if let title = entry.value.scalar?.text { return ColumnDefinition(named: entry.key, title: title) }
        guard let column = section(entry.value, .column) else { return nil }
        let better = column["better"].flatMap { choice($0, "`better`", of: ["more", "less"]) }
        return ColumnDefinition(
            name: entry.key,
            title: column["title"].flatMap { text($0, "`title`") } ?? ColumnDefinition.title(of: entry.key),
            type: column["type"].flatMap { readChoice($0, "`type`", ColumnType.self) },
            unit: column["unit"].flatMap { readUnit($0) },
            values: list(column["values"], "`values`").compactMap { text($0, "a value") },
            decimals: column["decimals"].flatMap { integer($0, "`decimals`", in: 0...6) },
            previous: readColumnName(column, "previous", query),
            note: readNote(column, query),
            moreIsBetter: better.map { $0 == 0 },
            learner: readColumnName(column, "learner", query),
            active: column["active"].flatMap { readChoice($0, "`active`", DaySpan.self) }
        )
    }

    private mutating func readColumnName(_ section: Section, _ key: String, _ query: ReportQuery) -> String? {
        guard let node = section[key], let name = text(node, "`\(key)`") else { return nil }
        if query.columns.contains(name) { return name }
        reportUnknown(node.offset, "the query gives no column", name, among: query.columns)
        return nil
    }

    /// Reads a note. It is the name of a column, or a text that contains columns.
    private mutating func readNote(_ section: Section, _ query: ReportQuery) -> TextTemplate? {
        guard let node = section["note"], let note = text(node, "`note`") else { return nil }
        guard note.contains("{") else { return readColumnName(section, "note", query).map { TextTemplate("{\($0)}") } }
        let template = TextTemplate(note)
        check(template, at: node.offset, query)
        return template
    }

    private mutating func readUnit(_ node: YAMLNode) -> ColumnUnit? {
        let words = oneOrMore(node, "`unit`").compactMap { text($0, "a unit") }
        if let first = words.first, words.count <= 2 { return ColumnUnit(one: first, other: words.last ?? first) }
        report(node.offset, "`unit` must be one word, or two: [day, days]")
        return nil
    }

    /// Reads the name of the column with a given role in a chart.
    private mutating func readRole(
        _ key: String,
        _ exhibit: Section,
        _ query: ReportQuery,
        _ show: ExhibitKind
    ) -> String? {
        guard exhibit.has(key) else { return nil }
        guard [.bar, .stackedBar, .line].contains(show) else {
            report(exhibit.keyOffset(key), "`\(key)` is only for bar, stackedBar and line")
            return nil
        }
        return readColumnName(exhibit, key, query)
    }

    private mutating func readRows(_ exhibit: Section, _ show: ExhibitKind) -> Int? {
        guard let node = exhibit["rows"] else { return nil }
        if ![.table, .bar].contains(show) {
            report(exhibit.keyOffset("rows"), "`rows` is only for table and bar")
        }
        return integer(node, "`rows`", in: 1...1000)
    }

    private mutating func readPalette(_ exhibit: Section, _ show: ExhibitKind) -> ExhibitPalette {
        guard let node = exhibit["palette"] else { return .distinct }
        if ![.bar, .stackedBar].contains(show) {
            report(exhibit.keyOffset("palette"), "`palette` is only for bar and stackedBar")
        }
        return readChoice(node, "`palette`", ExhibitPalette.self) ?? .distinct
    }

    private mutating func readCounted(_ exhibit: Section, _ show: ExhibitKind) -> ColumnUnit? {
        guard let node = exhibit["counted"] else { return nil }
        if show != .histogram {
            report(exhibit.keyOffset("counted"), "`counted` is only for a histogram")
        }
        return readUnit(node)
    }

    // MARK: Text

    private mutating func readText(_ exhibit: Section, _ show: ExhibitKind, _ query: ReportQuery?) -> TextTemplates? {
        guard show == .text else {
            if exhibit.has("text") { report(exhibit.keyOffset("text"), "`text` needs `show: text`") }
            return nil
        }
        guard let node = required(exhibit, "text") else { return nil }
        if let single = node.scalar?.text {
            let template = TextTemplate(single)
            check(template, at: node.offset, query)
            return .one(template)
        }
        var templates: [String: TextTemplate] = [:]
        for entry in mapping(node, "`text`") ?? [] {
            guard let value = text(entry.value, "a text") else { continue }
            templates[entry.key] = TextTemplate(value)
            check(TextTemplate(value), at: entry.value.offset, query)
        }
        if query == nil { report(node.offset, "a choice of texts needs `query`, whose first column picks one") }
        return .choice(templates)
    }

    private mutating func check(_ template: TextTemplate, at offset: Int, _ query: ReportQuery?) {
        for name in template.columns where !(query?.columns.contains(name) ?? false) {
            reportUnknown(offset, "the query gives no column", name, among: query?.columns ?? [])
        }
    }
}

extension ColumnDefinition {
    /// Creates a column for which the report's file defines no properties, or only a title.
    init(named name: String, title: String? = nil) {
        self.init(
            name: name,
            title: title ?? ColumnDefinition.title(of: name),
            type: nil,
            unit: nil,
            values: [],
            decimals: nil,
            previous: nil,
            note: nil,
            moreIsBetter: nil,
            learner: nil,
            active: nil
        )
    }

    static func title(of name: String) -> String { IdentifierTitle.of(name) }
}
