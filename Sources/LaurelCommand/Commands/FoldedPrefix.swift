import Foundation

/// A beginning of words, looked for without regard to case, diacritics and width.
struct FoldedPrefix {
    private let folded: String

    init(_ prefix: String) { folded = FoldedPrefix.fold(prefix) }

    func begins(_ text: String) -> Bool { FoldedPrefix.fold(text).hasPrefix(folded) }

    /// No locale takes part, so that the answer is the same on every machine.
    private static func fold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
