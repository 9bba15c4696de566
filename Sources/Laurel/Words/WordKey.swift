// SPDX-License-Identifier: Apache-2.0

package import LaurelResults

/// The identity of a word.
package struct WordKey: Hashable, Sendable {
    /// The language; empty if the word has none.
    package var language: [UInt8]
    package var word: [UInt8]

    init(language: [UInt8], word: [UInt8]) { (self.language, self.word) = (language, word) }

    package init(_ word: Word) { self.init(language: Array((word.language ?? "").utf8), word: Array(word.id.utf8)) }
}
