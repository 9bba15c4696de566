// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules
import LaurelYAML

/// Reads a report's file into a definition.
struct ReportLoader: FileLoader {
    typealias Keys = ReportKeys

    /// The maximum number of weeks. With more weeks, tables with a row per day would become too large.
    static let mostWeeks = 520
    static let defaultWeeks = 12

    let source: SourceText
    var found: [FoundDiagnostic] = []
    var scalarEnds: [Int: Int] = [:]
    var parameters: Set<ReportParameter> = []
    /// The names of the parameters that at least one query reads.
    var usedParameters: Set<String> = []
    /// Empty tables for preparing the queries, which finds their mistakes.
    let tables: ReportDatabase

    static func load(_ bytes: [UInt8], file: String) throws -> ReportDefinition {
        var loader = ReportLoader(source: text(of: bytes, file: file), tables: try ReportDatabase())
        let report = loader.readDocument().flatMap { loader.readReport($0) }
        let diagnostics = loader.diagnostics
        guard let report, diagnostics.allSatisfy({ $0.severity == .warning }) else {
            throw RulesError(diagnostics: diagnostics)
        }
        return report
    }

    private mutating func readReport(_ root: YAMLNode) -> ReportDefinition? {
        guard let top = section(root, .report) else { return nil }
        readVersion(top, of: "reports")
        let name = top["name"].flatMap { nonEmptyText($0, "`name`") } ?? defaultName
        let title = required(top, "title").flatMap { nonEmptyText($0, "`title`") }
        parameters = readParameters(top["parameters"])
        let learner = readView(top["learner"], isCohort: false)
        let cohort = readView(top["cohort"], isCohort: true)
        if !top.has("learner"), !top.has("cohort") {
            report(top.offset, "a report needs `learner` or `cohort`: what it shows for one learner, or for many")
        }
        let mail = readMail(top, learner)
        let views = [learner, cohort, mail].compactMap(\.self)
        let texts = readOwnTexts(top["texts"], TextCollector(title ?? name, views).all)
        if parameters.contains(.language), !usedParameters.contains("language") {
            let position = top["parameters"]?.offset ?? top.offset
            report(position, "no query reads `:language`, so `--language` would change nothing", .warning)
        }
        return ReportDefinition(
            name: name,
            title: title ?? name,
            description: top["description"].flatMap { text($0, "`description`") } ?? "",
            parameters: parameters,
            learner: learner,
            cohort: cohort,
            mail: mail,
            texts: texts.over(TextTable.shipped),
            warnings: diagnostics,
            hash: Array(SHA256.hash(source.bytes))
        )
    }

    /// Reads the report's texts in other languages. Missing and unused texts are reported.
    /// - Parameter wanted: the English texts that need a translation.
    private mutating func readOwnTexts(_ node: YAMLNode?, _ wanted: Set<String>) -> [String: TextTable] {
        var tables: [String: TextTable] = [:]
        for entry in mapping(node, "`texts`") ?? [] {
            let own = readTexts(entry.value, language: entry.key)
            tables[entry.key] = own
            let all = [entry.key: own].over(TextTable.shipped)[entry.key] ?? own
            for text in wanted.subtracting(all.keys).sorted() {
                report(entry.keyOffset, "“\(text)” is not translated", .warning)
            }
            for item in mapping(entry.value, "`texts`") ?? [] where !wanted.contains(item.key) {
                report(item.keyOffset, "the report has no text “\(item.key)”", .warning)
            }
        }
        return tables
    }

    private mutating func readParameters(_ node: YAMLNode?) -> Set<ReportParameter> {
        var result: Set<ReportParameter> = []
        for item in list(node, "`parameters`") {
            let index = choice(item, "a parameter", of: ReportParameter.allCases.map(\.rawValue))
            if let index { result.insert(ReportParameter.allCases[index]) }
        }
        return result
    }

    private mutating func readView(_ node: YAMLNode?, isCohort: Bool) -> ReportView? {
        guard let view = section(node, .view) else { return nil }
        let weeks = view["weeks"].flatMap { integer($0, "`weeks`", in: 1...ReportLoader.mostWeeks) }
        let sections = required(view, "sections").map { list($0, "`sections`") } ?? []
        if view.has("sections"), sections.isEmpty { report(view.keyOffset("sections"), "`sections` must not be empty") }
        return ReportView(
            weeks: weeks ?? ReportLoader.defaultWeeks,
            sections: sections.compactMap { readSection($0, isCohort: isCohort) }
        )
    }

    /// Reads the content of messages, which can contain only sentences and numbers.
    private mutating func readMail(_ top: Section, _ learner: ReportView?) -> ReportView? {
        guard let node = top["mail"] else { return nil }
        if learner == nil { report(top.keyOffset("mail"), "`mail` needs `learner`: messages are about one learner") }
        let view = readView(node, isCohort: false)
        let kinds: Set<ExhibitKind> = [.text, .headline]
        if let other = view?.sections.flatMap(\.exhibits).first(where: { !kinds.contains($0.show) }) {
            report(top.keyOffset("mail"), "`mail` shows `text` and `headline`, not `\(other.show.rawValue)`")
        }
        return view
    }

    private mutating func readSection(_ node: YAMLNode, isCohort: Bool) -> SectionDefinition? {
        guard let section = section(node, .section) else { return nil }
        let exhibits = required(section, "exhibits").map { list($0, "`exhibits`") } ?? []
        return SectionDefinition(
            title: section["title"].flatMap { text($0, "`title`") },
            exhibits: exhibits.compactMap { readExhibit($0, isCohort: isCohort) }
        )
    }

    func position(_ offset: Int) -> SourcePosition { source.position(of: offset..<offset) }
}

extension FileLoader {
    mutating func report(_ offset: Int, _ message: String, _ severity: Diagnostic.Severity) {
        report(offset, message, suggestion: nil, severity)
    }

    /// Reports an unknown name, and lists the known names.
    mutating func reportUnknown(_ offset: Int, _ what: String, _ name: String, among names: [String]) {
        let nearest = isFull ? nil : nearestName(to: name, among: names)
        let advice = nearest == nil ? "; there is \(names.joined(separator: ", "))" : didYouMean(code: nearest)
        report(offset, "\(what) `\(name)`\(advice)", suggestion: nearest)
    }
}
