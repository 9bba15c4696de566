// SPDX-License-Identifier: Apache-2.0

/// A text in one or more languages.
package struct LocalizedText: Sendable, Equatable {
    /// The English text, or the first text if there is no English text. It is used for languages without a translation.
    package let text: String
    /// The texts by language tag, such as `pt-BR`.
    package let translations: [String: String]

    package init(_ text: String, translations: [String: String] = [:]) {
        self.text = text
        self.translations = translations
    }

    /// The text for a locale such as `de_AT`. If the locale is nil or has no translation, the result is ``text``.
    package func text(for locale: String?) -> String { locale.flatMap(translations.value) ?? text }
}

extension [String: String] {
    fileprivate func value(for locale: String) -> String? { LocaleLookup.find(locale) { self[$0] } }
}

/// Finds the value for a locale among values with language tags.
package enum LocaleLookup {
    /// The maximum number of subtags: language, script, region, variants, private parts.
    private static let mostSubtags = 8

    /// Finds the value for a locale; nil if there is none.
    /// - Parameters:
    ///   - locale: a locale such as `de_AT`.
    ///   - value: returns the value for a tag, or nil. It is called with the full tag first, then with shorter tags.
    package static func find<Value>(_ locale: String, _ value: (_ tag: String) -> Value?) -> Value? {
        // Locales come from requests, so only a limited length is processed.
        let parts = locale.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }.prefix(mostSubtags)
        for count in stride(from: parts.count, to: 0, by: -1) {
            if let found = value(parts.prefix(count).joined(separator: "-")) { return found }
        }
        return nil
    }
}
