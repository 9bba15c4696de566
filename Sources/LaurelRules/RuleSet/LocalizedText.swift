// SPDX-License-Identifier: Apache-2.0

/// A text in one or several languages.
package struct LocalizedText: Sendable, Equatable {
    /// The text for other languages: the English one, else the first.
    package let text: String
    /// The texts by tags such as `pt-BR`.
    package let translations: [String: String]

    package init(_ text: String, translations: [String: String] = [:]) {
        self.text = text
        self.translations = translations
    }

    /// The text for readers of a locale, such as `de_AT`; nil means no locale.
    package func text(for locale: String?) -> String { locale.flatMap(translations.value) ?? text }
}

extension [String: String] {
    fileprivate func value(for locale: String) -> String? { LocaleLookup.find(locale) { self[$0] } }
}

/// Finds values by language for a locale.
package enum LocaleLookup {
    /// The most subtags: language, script, region, and variants or private parts.
    private static let mostSubtags = 8

    /// Finds the value for a locale.
    /// - Parameters:
    ///   - locale: such as `de_AT`.
    ///   - value: returns the value of a tag. It is called with the full tag first, then with shorter ones.
    package static func find<Value>(_ locale: String, _ value: (_ tag: String) -> Value?) -> Value? {
        // Locales come from requests, so the length that is processed is limited.
        let parts = locale.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }.prefix(mostSubtags)
        for count in stride(from: parts.count, to: 0, by: -1) {
            if let found = value(parts.prefix(count).joined(separator: "-")) { return found }
        }
        return nil
    }
}
