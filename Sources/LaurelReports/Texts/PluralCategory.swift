// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// THE list of plural forms that a word may have, with the names of CLDR.
enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// The plural form that a number requires. A ``ShippedLanguage`` has its own rule; other languages use the English
    /// rule.
    /// - Parameters:
    ///   - number: the number as it is shown, after rounding.
    ///   - language: a language tag, such as `pt-BR`.
    static func of(_ number: Double, in language: String) -> PluralCategory {
        let rule = LocaleLookup.find(language) { ShippedLanguage.all[$0] }?.plural ?? ShippedLanguage.english
        return rule(number.magnitude)
    }
}

/// A unit with all plural forms of its language.
struct ColumnUnit: Sendable, Equatable {
    let language: String
    /// The forms by category. ``PluralCategory/other`` is always present. Another category is present only if its form
    /// is different.
    let forms: [PluralCategory: String]
    /// True if the unit is measured (“less XP”), false if it is counted (“fewer days”). Only English texts need this.
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

    /// The form of the unit without a number, such as `days`. Translations are found by the English form.
    var other: String {
        (forms[.other] ?? "").replacingNumber(with: "")
    }

    /// A number with its unit. By default, lines are not broken between the two.
    /// - Parameters:
    ///   - number: the number as it is shown, after rounding.
    ///   - text: the number as text.
    ///   - space: the character between the two.
    func counted(_ number: Double, _ text: String, space: String = "\u{A0}") -> String {
        let form = forms[PluralCategory.of(number, in: language)] ?? forms[.other] ?? ""
        return form.contains("{n}") ? form.replacingNumber(with: text) : "\(text)\(space)\(form)"
    }
}

extension String {
    /// The form, with `{n}` replaced by a number.
    fileprivate func replacingNumber(with text: String) -> String {
        guard let place = firstRange(of: "{n}") else { return self }
        let filled = self[..<place.lowerBound] + text + self[place.upperBound...]
        return text.isEmpty ? String(filled.drop { $0 == " " || $0 == "\u{A0}" }) : String(filled)
    }
}
