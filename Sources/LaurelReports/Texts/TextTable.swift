// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelRules

/// The texts of a language. A translation is found by the English text. A text without a translation stays English.
struct TextTable: Sendable {
    /// A text, or the plural forms of a unit.
    enum Entry: Sendable, Equatable {
        case text(String)
        case forms([PluralCategory: String])
    }

    /// The language tag, such as `pt-BR`.
    let language: String
    private let entries: [String: Entry]
    /// The translations of ``Phrase``, already parsed.
    private let phrases: [Phrase: TextTemplate]
    private let lacking: @Sendable (_ english: String) -> String

    /// - Parameter lacking: returns the text that is shown in place of a missing translation. By default, it is the
    ///   English text.
    init(
        language: String,
        entries: [String: Entry],
        lacking: @escaping @Sendable (_ english: String) -> String = { $0 }
    ) {
        self.language = language
        self.entries = entries
        self.lacking = lacking
        let pairs = Phrase.allCases.map { phrase in
            (phrase, TextTemplate(TextTable.text(phrase.rawValue, entries) ?? lacking(phrase.rawValue)))
        }
        phrases = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The texts of `Reports/texts/` at build time, by language.
    static let shipped = Dictionary(
        uniqueKeysWithValues: ShippedLanguage.all.compactMap { tag, language in
            (try? TextsLoader.load(language.texts, file: "Reports/texts/\(tag).yaml")).map { (tag, $0) }
        }
    )

    /// The table without translations.
    static let english = TextTable(language: "en", entries: [:])

    /// True if the table has no translations.
    var isEnglish: Bool { entries.isEmpty }

    /// Both tables together. If both contain a text, this table takes precedence.
    func over(_ other: TextTable) -> TextTable {
        TextTable(language: language, entries: other.entries.merging(entries) { $1 }, lacking: lacking)
    }

    var keys: [String] { Array(entries.keys) }

    /// The translation of a text.
    /// - Parameter english: the English text. It may contain `{column}`.
    func text(_ english: String) -> String { TextTable.text(english, entries) ?? lacking(english) }

    private static func text(_ english: String, _ entries: [String: Entry]) -> String? {
        if case .text(let text) = entries[english] { text } else { nil }
    }

    /// The translation of a phrase. A phrase that contains only places for values and punctuation is the same in all
    /// languages.
    func template(_ key: PhraseKey) -> TextTemplate { TextTemplate(key.hasWords ? text(key.text) : key.text) }

    func unit(_ unit: ColumnUnit) -> ColumnUnit {
        switch entries[unit.other] {
        case .text(let text): ColumnUnit(language: language, forms: [.other: text], isMeasure: unit.isMeasure)
        case .forms(let forms): ColumnUnit(language: language, forms: forms, isMeasure: unit.isMeasure)
        case nil: unit
        }
    }

    /// A phrase in which the names are replaced by values.
    func callAsFunction(_ phrase: Phrase, _ values: KeyValuePairs<String, String> = [:]) -> String {
        guard let template = phrases[phrase] else { return phrase.rawValue }
        return template.filled { name, _ in values.first { $0.key == name }?.value } ?? ""
    }

    /// A title and its text: `Streak: 3 days`.
    func named(_ title: String, _ text: String) -> String { self(.named, ["title": title, "text": text]) }

    /// A title before its value: `Streak:`.
    func heading(_ title: String) -> String {
        let text = named(title, "")
        return text.last == " " ? String(text.dropLast()) : text
    }

    /// True if the language is written from right to left.
    var isRightToLeft: Bool {
        Locale.Language(identifier: language).characterDirection == .rightToLeft
    }
}

extension [String: TextTable] {
    /// The texts for a locale, such as `de_AT`. If there are none for exactly this locale, the texts of its language
    /// are used.
    func table(for locale: String) -> TextTable { LocaleLookup.find(locale) { self[$0] } ?? .english }

    /// Both sets of tables together. If both contain a text, these tables take precedence.
    func over(_ others: [String: TextTable]) -> [String: TextTable] {
        merging(others) { own, other in own.over(other) }
    }
}
