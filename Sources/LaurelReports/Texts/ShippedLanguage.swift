// SPDX-License-Identifier: Apache-2.0

/// A language for which Laurel contains translations.
struct ShippedLanguage: Sendable {
    /// The content of the language's file in `Reports/texts/`.
    let texts: [UInt8]
    /// The plural form that a number requires, by CLDR's cardinal rules. The number is 0 or more, and already rounded
    /// as it is shown.
    /// - SeeAlso: <https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html>
    let plural: @Sendable (_ number: Double) -> PluralCategory

    init(_ texts: [UInt8], plural: @escaping @Sendable (_ number: Double) -> PluralCategory = english) {
        (self.texts, self.plural) = (texts, plural)
    }

    /// THE list of these languages, by tags such as `pt-BR`. English is not in the list, because its texts need no
    /// translation.
    static let all: [String: ShippedLanguage] = [
        "de": ShippedLanguage(PackageResources.de_yaml),
        "es": ShippedLanguage(PackageResources.es_yaml) { $0 == 1 ? .one : isMillions($0) ? .many : .other },
        "fr": ShippedLanguage(PackageResources.fr_yaml) { $0 < 2 ? .one : isMillions($0) ? .many : .other },
        "ja": ShippedLanguage(PackageResources.ja_yaml) { _ in .other },
    ]

    /// The rule of English, and of languages that are not listed.
    @Sendable static func english(_ number: Double) -> PluralCategory { number == 1 ? .one : .other }

    private static func isMillions(_ number: Double) -> Bool {
        number >= 1e6 && number.truncatingRemainder(dividingBy: 1e6) == 0
    }
}
