// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// THE list of the plural forms that a word may have, as CLDR names them.
enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// The form that a number takes, by the rule of a ``ShippedLanguage``; other languages use the rule of English.
    /// - Parameters:
    ///   - number: the number as shown, that is, already rounded.
    ///   - language: a tag such as `pt-BR`.
    static func of(_ number: Double, in language: String) -> PluralCategory {
        let rule = LocaleLookup.find(language) { ShippedLanguage.all[$0] }?.plural ?? ShippedLanguage.english
        return rule(number.magnitude)
    }
}

/// A unit, in each plural form of the language.
struct ColumnUnit: Sendable, Equatable {
    let language: String
    /// The forms, by category. ``PluralCategory/other`` is always present; the others only if they differ.
    let forms: [PluralCategory: String]
    /// True if the unit is measured (“less XP”) and not counted (“fewer days”). Only English uses it.
    let isMeasure: Bool

    /// An English unit.
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

    /// The form without a number, such as `days`. In English it is the key of translations.
    var other: String {
        (forms[.other] ?? "").replacingNumber(with: "")
    }

    /// A number and its unit, which are not broken across lines.
    /// - Parameters:
    ///   - number: the number as shown, that is, already rounded.
    ///   - text: the number as text.
    func counted(_ number: Double, _ text: String) -> String {
        let form = forms[PluralCategory.of(number, in: language)] ?? forms[.other] ?? ""
        return form.contains("{n}") ? form.replacingNumber(with: text) : "\(text)\u{A0}\(form)"
    }
}

extension String {
    /// The form with a number in place of `{n}`.
    fileprivate func replacingNumber(with text: String) -> String {
        guard let place = firstRange(of: "{n}") else { return self }
        let filled = self[..<place.lowerBound] + text + self[place.upperBound...]
        return text.isEmpty ? String(filled.drop { $0 == " " || $0 == "\u{A0}" }) : String(filled)
    }
}
