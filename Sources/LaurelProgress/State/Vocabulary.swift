// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The numbers of known words, of learned words, and of words by bucket.
package struct WordCounts: Sendable, Equatable {
    package var known = 0
    package var learned = 0
    package var new = 0
    package var learning = 0
    package var reviewing = 0
    package var mastered = 0

    /// Adds a vocabulary's words to the counts.
    mutating func count(_ vocabulary: Vocabulary, learnedAt threshold: Int) {
        for word in vocabulary.words.pointee.states { count(WordCategory(word, learnedAt: threshold), by: 1) }
    }

    /// Adds a word to the counts (`step` 1), or removes it (`step` −1).
    mutating func count(_ category: WordCategory, by step: Int) {
        guard category.isKnown else { return }
        known += step
        if category.isLearned { learned += step }
        switch category.bucket {
        case .new: new += step
        case .learning: learning += step
        case .reviewing: reviewing += step
        case .mastered: mastered += step
        }
    }
}

/// The properties of a word that are counted, in one byte.
struct WordCategory: Equatable {
    /// 0 for an unknown word. Otherwise 1, plus 2 if the word is learned, plus 4 times its bucket.
    private let code: UInt8

    @inline(__always)
    init(_ word: WordState, learnedAt threshold: Int) {
        let learned: UInt8 = word.isDeclaredLearned || word.mastery >= threshold ? 2 : 0
        let bucket = WordBucket(mastery: word.mastery, reviews: word.reviews).rawValue
        code = word.isKnown ? 1 | learned | UInt8(truncatingIfNeeded: bucket &<< 2) : 0
    }

    var isKnown: Bool { code != 0 }
    var isLearned: Bool { code & 2 != 0 }
    var bucket: WordBucket { WordBucket(rawValue: Int(code >> 2)) ?? .new }
}

/// The words of one language, or those without a language.
package final class Vocabulary {
    /// The language; empty for words of events without a language.
    package private(set) var language: [UInt8]
    /// The words, in plain memory for the same reasons as ``TrackState``.
    let words: UnsafeMutablePointer<VocabularyWords>

    package init(language: [UInt8]) {
        self.language = language
        words = .allocate(capacity: 1)
        words.initialize(to: VocabularyWords())
    }

    /// Resets the vocabulary for another learner or language, and reuses the memory.
    func beginAgain(language: [UInt8]) {
        self.language = language
        words.pointee.removeAll()
    }

    deinit {
        words.deinitialize(count: 1)
        words.deallocate()
    }

    /// The known words. Each has its index among all words, its id and its state.
    package var known: [(index: Int, word: ArraySlice<UInt8>, state: WordState)] {
        let words = words.pointee
        return words.states.indices.filter { words.states[$0].isKnown }.map {
            ($0, words.names[UInt32($0 + 1)], words.states[$0])
        }
    }

    /// Calls `body` for each word of ``known``. The words' ids are left out, because there may be millions of words.
    package func forEachKnown(_ body: (_ index: Int, WordState) -> Void) {
        for index in 0..<words.pointee.states.count where words.pointee.states[index].isKnown {
            body(index, words.pointee.states[index])
        }
    }

    /// The word with an index, and its state.
    package subscript(index: Int) -> (word: ArraySlice<UInt8>, state: WordState) {
        (words.pointee.names[UInt32(index + 1)], words.pointee.states[index])
    }

    package func dueCount(at instant: Int64) -> Int { words.pointee.states.count { $0.isDue(at: instant) } }
}

/// Words, their states and their details.
struct VocabularyWords {
    private(set) var names = TextTable()
    /// The states; `states[i]` belongs to the word with text i + 1. Removed words stay in the list as unknown words.
    var states: [WordState] = []
    /// The details that rules read. Each word has as many elements as the plan has details. Empty if rules read no
    /// details.
    var details: [[UInt8]?] = []

    /// Removes all words, but does not free the memory.
    mutating func removeAll() {
        names.removeAll()
        states.removeAll(keepingCapacity: true)
        details.removeAll(keepingCapacity: true)
    }

    /// The word's index. A new word is appended as unknown.
    mutating func index(of word: UnsafeBufferPointer<UInt8>) -> Int {
        let index = Int(names.intern(word)) - 1
        if index == states.count { states.append(WordState()) }
        return index
    }
}
