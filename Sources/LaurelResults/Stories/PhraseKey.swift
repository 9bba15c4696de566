// SPDX-License-Identifier: Apache-2.0

/// The English text of a phrase, with a numbered place for each value: `{1} gave {2} XP`. A place of a number may bring
/// the forms of a noun along: `A streak of {1|one day|other days}`. Translations are found by this text.
package struct PhraseKey: Sendable {
    private enum Part: Sendable {
        case words(String)
        case place(forms: String)
    }

    private var parts: [Part] = []

    package init() {}

    package mutating func append(words: String) {
        if !words.isEmpty { parts.append(.words(words)) }
    }

    package mutating func appendPlace() { parts.append(.place(forms: "")) }

    /// Appends a place for a number with its noun.
    /// - Parameter many: the plural; nil if it is the singular with `s`.
    package mutating func appendPlace(_ one: String, _ many: String?) {
        parts.append(.place(forms: "|one \(one)|other \(many ?? one + "s")"))
    }

    /// The text, with places numbered from 1. A brace that is not a place is doubled.
    package var text: String {
        var (text, places) = ("", 0)
        for part in parts {
            switch part {
            case .words(let words): text += words.replacing("{", with: "{{")
            case .place(let forms):
                places += 1
                text += "{\(places)\(forms)}"
            }
        }
        return text
    }

    /// True if there is anything to translate, not only places and signs.
    package var hasWords: Bool {
        parts.contains { part in
            switch part {
            case .words(let words): words.contains(where: \.isLetter)
            case .place(let forms): !forms.isEmpty
            }
        }
    }

    /// The text of both, one after the other.
    package static func + (one: PhraseKey, other: PhraseKey) -> PhraseKey {
        var joined = one
        joined.parts += other.parts
        return joined
    }
}
