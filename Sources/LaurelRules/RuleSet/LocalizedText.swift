// SPDX-License-Identifier: Apache-2.0

/// A text that may be there in several languages.
package struct LocalizedText: Sendable, Equatable {
    /// What those read whose language it is not there in: the English text, else the first.
    package let text: String
    /// By tags such as `pt-BR`.
    package let translations: [String: String]

    package init(_ text: String, translations: [String: String] = [:]) {
        self.text = text
        self.translations = translations
    }

    /// The text for readers of a locale, such as `de_AT`; nil for those of none.
    package func text(for locale: String?) -> String { locale.flatMap(translations.value) ?? text }
}

extension [String: String] {
    fileprivate func value(for locale: String) -> String? { LocaleLookup.find(locale) { self[$0] } }
}

/// What is there by language, for a place.
package enum LocaleLookup {
    /// Language, script, region, and variants or private parts.
    private static let mostSubtags = 8

    /// - Parameters:
    ///   - locale: such as `de_AT`.
    ///   - value: of a tag: asked for that of the place first, then for shorter ones.
    package static func find<Value>(_ locale: String, _ value: (_ tag: String) -> Value?) -> Value? {
        // Strangers send locales: however long one is, little work follows.
        let parts = locale.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }.prefix(mostSubtags)
        for count in stride(from: parts.count, to: 0, by: -1) {
            if let found = value(parts.prefix(count).joined(separator: "-")) { return found }
        }
        return nil
    }
}
