// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelRules

/// The texts of a language. The English text is the key; what has none stays English.
struct TextTable: Sendable {
    /// A text, or the forms of what is counted.
    enum Entry: Sendable, Equatable {
        case text(String)
        case forms([PluralCategory: String])
    }

    /// A tag such as `pt-BR`.
    let language: String
    private let entries: [String: Entry]
    /// Those of ``Phrase``, ready to be filled.
    private let phrases: [Phrase: TextTemplate]

    init(language: String, entries: [String: Entry]) {
        self.language = language
        self.entries = entries
        let pairs = Phrase.allCases.map { phrase in
            (phrase, TextTemplate(TextTable.text(phrase.rawValue, entries)))
        }
        phrases = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// `Reports/texts/` as it was when this was built, by language.
    static let shipped = Dictionary(
        uniqueKeysWithValues: ShippedLanguage.all.compactMap { tag, language in
            (try? TextsLoader.load(language.texts, file: "Reports/texts/\(tag).yaml")).map { (tag, $0) }
        }
    )

    /// Texts as they are.
    static let english = TextTable(language: "en", entries: [:])

    /// True if there is anything in it to translate with.
    var isEnglish: Bool { entries.isEmpty }

    /// These and others, of which these come first.
    func over(_ other: TextTable) -> TextTable {
        TextTable(language: language, entries: other.entries.merging(entries) { $1 })
    }

    var keys: [String] { Array(entries.keys) }

    /// - Parameter english: the text, which may have `{column}` in it.
    func text(_ english: String) -> String { TextTable.text(english, entries) }

    private static func text(_ english: String, _ entries: [String: Entry]) -> String {
        if case .text(let text) = entries[english] { text } else { english }
    }

    func unit(_ unit: ColumnUnit) -> ColumnUnit {
        switch entries[unit.other] {
        case .text(let text): ColumnUnit(language: language, forms: [.other: text], isMeasure: unit.isMeasure)
        case .forms(let forms): ColumnUnit(language: language, forms: forms, isMeasure: unit.isMeasure)
        case nil: unit
        }
    }

    /// A phrase with values in it.
    func callAsFunction(_ phrase: Phrase, _ values: KeyValuePairs<String, String> = [:]) -> String {
        guard let template = phrases[phrase] else { return phrase.rawValue }
        return template.filled { name, _ in values.first { $0.key == name }?.value } ?? ""
    }

    /// `Streak: 3 days`.
    func named(_ title: String, _ text: String) -> String { self(.named, ["title": title, "text": text]) }

    /// `Streak:`, before what it names.
    func heading(_ title: String) -> String {
        let text = named(title, "")
        return text.last == " " ? String(text.dropLast()) : text
    }

    /// True if its lines run from right to left.
    var isRightToLeft: Bool {
        Locale.Language(identifier: language).characterDirection == .rightToLeft
    }
}

extension [String: TextTable] {
    /// The texts for a place, such as `de_AT`: of its language in its very form, else of the language.
    func table(for locale: String) -> TextTable { LocaleLookup.find(locale) { self[$0] } ?? .english }

    /// These and others, of which these come first.
    func over(_ others: [String: TextTable]) -> [String: TextTable] {
        merging(others) { own, other in own.over(other) }
    }
}
