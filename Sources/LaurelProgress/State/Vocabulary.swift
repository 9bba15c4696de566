package import LaurelEvents

/// How many words stand where.
package struct WordCounts: Sendable, Equatable {
    package var known = 0
    package var learned = 0
    package var buckets: [MasteryBucket: Int] { [.new: new, .learning: learning, .reviewing: reviewing, .mastered: mastered] }
    package var new = 0
    package var learning = 0
    package var reviewing = 0
    package var mastered = 0

    package init() {}

    /// Counts a word in (`by` 1) or out (−1).
    mutating func count(_ word: WordState, learnedAt: Int, by step: Int) {
        guard word.isKnown else { return }
        known += step
        if word.isLearned(at: learnedAt) { learned += step }
        switch MasteryBucket(word) {
        case .new: new += step
        case .learning: learning += step
        case .reviewing: reviewing += step
        case .mastered: mastered += step
        }
    }
}

/// The words of one language, the empty one included.
package final class Vocabulary {
    /// Empty for words of events without a language.
    package let language: [UInt8]
    package private(set) var names = TextTable()
    /// `states[i]` is the word of text i + 1; words that were removed stay as unknown ones.
    package private(set) var states: [WordState] = []

    package init(language: [UInt8]) { self.language = language }

    /// The word's index, made unknown if it never was.
    package func index(of word: UnsafeBufferPointer<UInt8>) -> Int {
        let index = Int(names.intern(word)) - 1
        if index == states.count { states.append(WordState()) }
        return index
    }

    package subscript(index: Int) -> WordState {
        get { states[index] }
        set { states[index] = newValue }
    }

    /// Known words with their entry ids.
    package var known: [(word: ArraySlice<UInt8>, state: WordState)] {
        states.indices.filter { states[$0].isKnown }.map { (names[UInt32($0 + 1)], states[$0]) }
    }

    package func dueCount(at instant: Int64) -> Int { states.count { $0.isDue(at: instant) } }
}
