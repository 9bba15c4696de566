import Foundation

/// A beginning of words, looked for without regard to case, diacritics and width.
package struct FoldedPrefix {
    private let folded: String

    package init(_ prefix: String) { folded = FoldedPrefix.fold(prefix) }

    package func begins(_ text: String) -> Bool { FoldedPrefix.fold(text).hasPrefix(folded) }

    /// Whether the entry's id or text begins so.
    package func begins(_ word: WordRecord) -> Bool { begins(word.word) || word.text.map(begins) == true }

    /// No locale takes part, so that the answer is the same on every machine.
    private static func fold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
