// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults

/// A prefix of words, compared regardless of case, diacritics and width.
struct FoldedPrefix {
    private let folded: String

    init(_ prefix: String) { folded = prefix.folded }

    func begins(_ text: String) -> Bool { text.folded.hasPrefix(folded) }

    /// True if the word's id or text begins with the prefix.
    func begins(_ word: Word) -> Bool { begins(word.id) || word.text.map(begins) == true }
}

extension WordList {
    /// Sorts words by their spelling, regardless of case, diacritics and width. Words with equal spellings are sorted
    /// by bytes, then by id and language.
    /// - Complexity: O(n log n), and memory for the spellings of n words.
    func inWordOrder(_ indices: [Int]) -> [Int] {
        let keyed = indices.map { (index: $0, key: Array(self[$0].displayText.folded.utf8)) }
        return keyed.sorted { one, other in
            if one.key != other.key { return one.key.lexicographicallyPrecedes(other.key) }
            return self[one.index].precedes(self[other.index])
        }.map(\.index)
    }
}

extension Word {
    fileprivate func precedes(_ other: Word) -> Bool {
        let pairs = [(displayText, other.displayText), (id, other.id), (language ?? "", other.language ?? "")]
        let (mine, its) = pairs.first { !$0.utf8.elementsEqual($1.utf8) } ?? ("", "")
        return mine.utf8.lexicographicallyPrecedes(its.utf8)
    }
}

extension String {
    /// The text without differences in case, diacritics and width. No locale is used, so the result is the same on
    /// every machine.
    fileprivate var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
