import Foundation

/// A beginning of words, looked for without regard to case, diacritics and width.
package struct FoldedPrefix {
    private let folded: String

    package init(_ prefix: String) { folded = prefix.folded }

    package func begins(_ text: String) -> Bool { text.folded.hasPrefix(folded) }

    /// Whether the entry's id or text begins so.
    package func begins(_ word: WordRecord) -> Bool { begins(word.word) || word.text.map(begins) == true }
}

extension WordList {
    /// Some of the words by their spelling, without regard to case, diacritics and width; what that leaves equal by its bytes,
    /// then by id and language.
    /// - Complexity: O(n log n), and memory for the spellings of n words.
    package func inWordOrder(_ indices: [Int]) -> [Int] {
        let keyed = indices.map { (index: $0, key: Array(self[$0].spelling.folded.utf8)) }
        return keyed.sorted { one, other in
            if one.key != other.key { return one.key.lexicographicallyPrecedes(other.key) }
            return self[one.index].precedes(self[other.index])
        }.map(\.index)
    }
}

extension WordRecord {
    fileprivate var spelling: String { text ?? word }

    fileprivate func precedes(_ other: WordRecord) -> Bool {
        let pairs = [(spelling, other.spelling), (word, other.word), (language ?? "", other.language ?? "")]
        let (mine, its) = pairs.first { !$0.utf8.elementsEqual($1.utf8) } ?? ("", "")
        return mine.utf8.lexicographicallyPrecedes(its.utf8)
    }
}

extension String {
    /// No locale takes part, so that the answer is the same on every machine.
    fileprivate var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
