// SPDX-License-Identifier: Apache-2.0

import LaurelRules
import LaurelYAML

/// Reads a file `texts/LANGUAGE.yaml`, which contains the translation of each English text.
struct TextsLoader: FileLoader {
    enum Keys: String, CaseIterable, SectionKeys {
        case texts

        var names: [String] { ["version", "language", "texts"] }
        var phrase: String { "a file of texts" }
    }

    let source: SourceText
    var found: [FoundDiagnostic] = []
    var scalarEnds: [Int: Int] = [:]

    static func load(_ bytes: [UInt8], file: String) throws(RulesError) -> TextTable {
        var loader = TextsLoader(source: text(of: bytes, file: file))
        let table = loader.readDocument().flatMap { loader.readTable($0) }
        let diagnostics = loader.diagnostics
        guard let table, diagnostics.allSatisfy({ $0.severity == .warning }) else {
            throw RulesError(diagnostics: diagnostics)
        }
        return table
    }

    private mutating func readTable(_ root: YAMLNode) -> TextTable? {
        guard let top = section(root, .texts) else { return nil }
        readVersion(top, of: "texts")
        let language = required(top, "language").flatMap { nonEmptyText($0, "`language`") }
        return readTexts(required(top, "texts"), language: language ?? "")
    }
}

extension FileLoader {
    /// Reads translations by their English texts. For a unit, the value is a mapping with the plural forms.
    mutating func readTexts(_ node: YAMLNode?, language: String) -> TextTable {
        var entries: [String: TextTable.Entry] = [:]
        for entry in mapping(node, "`texts`") ?? [] {
            guard let value = readText(entry) else { continue }
            if entries.updateValue(value, forKey: entry.key) != nil {
                report(entry.keyOffset, "`\(entry.key)` is translated twice")
            }
        }
        return TextTable(language: language, entries: entries)
    }

    private mutating func readText(_ entry: YAMLEntry) -> TextTable.Entry? {
        guard case .mapping(let items) = entry.value.content else {
            guard let text = text(entry.value, "a translation") else { return nil }
            let known = Set(TextTemplate(entry.key).columns + ["n"])
            for name in TextTemplate(text).columns where !known.contains(name) {
                report(entry.value.offset, "the English text has no `{\(name)}`", .error)
            }
            return .text(text)
        }
        var forms: [PluralCategory: String] = [:]
        let names = PluralCategory.allCases.map(\.rawValue)
        for item in items {
            guard let category = PluralCategory(rawValue: item.key) else {
                reportUnknown(item.keyOffset, "there is no form", item.key, among: names)
                continue
            }
            forms[category] = text(item.value, "a form")
        }
        if forms[.other] == nil { report(entry.value.offset, "the form `other` is missing", .error) }
        return .forms(forms)
    }
}
