// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// THE list of the forms that a counted word may have, as CLDR names them.
enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// The form that a number takes, by the rule of a ``ShippedLanguage``; any other language goes by the rule of English.
    /// - Parameters:
    ///   - number: as it is written, with no more digits after the point than are shown.
    ///   - language: a tag such as `pt-BR`.
    static func of(_ number: Double, in language: String) -> PluralCategory {
        let rule = LocaleLookup.find(language) { ShippedLanguage.all[$0] }?.plural ?? ShippedLanguage.english
        return rule(number.magnitude)
    }
}

/// What is counted, in each form that the language has.
struct ColumnUnit: Sendable, Equatable {
    let language: String
    /// Has ``PluralCategory/other``; the others are there where they differ.
    let forms: [PluralCategory: String]
    /// True if there is less of it and not fewer, as of XP. English says it.
    let isMeasure: Bool

    /// In English.
    init(one: String, other: String) {
        language = "en"
        forms = one == other ? [.other: other] : [.one: one, .other: other]
        isMeasure = one == other
    }

    init(language: String, forms: [PluralCategory: String], isMeasure: Bool = false) {
        self.language = language
        self.forms = forms
        self.isMeasure = isMeasure
    }

    /// As it stands without a number, such as `days`. In English it is what translations go by.
    var other: String {
        (forms[.other] ?? "").replacingNumber(with: "")
    }

    /// A number and its unit, which no line's end tears apart.
    /// - Parameters:
    ///   - number: rounded as it is written.
    ///   - text: how it is written.
    func counted(_ number: Double, _ text: String) -> String {
        let form = forms[PluralCategory.of(number, in: language)] ?? forms[.other] ?? ""
        return form.contains("{n}") ? form.replacingNumber(with: text) : "\(text)\u{A0}\(form)"
    }
}

extension String {
    /// A form with a number in the place of `{n}`.
    fileprivate func replacingNumber(with text: String) -> String {
        guard let place = firstRange(of: "{n}") else { return self }
        let filled = self[..<place.lowerBound] + text + self[place.upperBound...]
        return text.isEmpty ? String(filled.drop { $0 == " " || $0 == "\u{A0}" }) : String(filled)
    }
}
