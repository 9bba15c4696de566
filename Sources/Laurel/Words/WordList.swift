// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
import LaurelRules

/// A learner's known words, or some of them. Due words come first, the longest overdue first. The other words are
/// sorted by next review, then by word.
///
/// Each word is created on access, because a million words would take a gigabyte.
///
/// The list may be passed to other tasks, because its data never change.
public struct WordList: RandomAccessCollection, @unchecked Sendable {
    /// The values by which a word is sorted, except its spelling.
    private struct SortKey {
        let isDue: Bool
        let nextReviewAt: Int64
        let vocabulary: Int32
        let word: Int32
    }

    private let words: DeclaredWords
    private let vocabularies: [Vocabulary]
    private let mastery: MasteryRule
    private let instant: Int64
    private var keys: [SortKey] = []

    public var startIndex: Int { 0 }
    public var endIndex: Int { keys.count }

    init(_ words: DeclaredWords, _ vocabularies: [Vocabulary], _ mastery: MasteryRule, at instant: Int64) {
        (self.words, self.vocabularies, self.mastery, self.instant) = (words, vocabularies, mastery, instant)
        for (number, vocabulary) in vocabularies.enumerated() {
            vocabulary.forEachKnown { index, state in
                keys.append(
                    SortKey(
                        isDue: state.isDue(at: instant),
                        nextReviewAt: state.nextReviewAt,
                        vocabulary: Int32(number),
                        word: Int32(index)
                    )
                )
            }
        }
        keys.sort { one, other in
            if one.isDue != other.isDue { return one.isDue }
            if one.nextReviewAt != other.nextReviewAt { return one.nextReviewAt < other.nextReviewAt }
            let (language, otherLanguage) = (vocabularies[Int(one.vocabulary)], vocabularies[Int(other.vocabulary)])
            let (word, otherWord) = (language[Int(one.word)].word, otherLanguage[Int(other.word)].word)
            if !word.elementsEqual(otherWord) { return word.lexicographicallyPrecedes(otherWord) }
            return language.language.lexicographicallyPrecedes(otherLanguage.language)
        }
    }

    /// The list of an unknown learner.
    package static var empty: WordList { WordList(DeclaredWords(), [], MasteryRule(), at: 0) }

    public subscript(position: Int) -> Word {
        let key = keys[position]
        let vocabulary = vocabularies[Int(key.vocabulary)]
        let (word, state) = vocabulary[Int(key.word)]
        return entry(vocabulary.language, word, state)
    }

    private func entry(_ language: [UInt8], _ word: ArraySlice<UInt8>, _ state: WordState) -> Word {
        let details = words.details(language: language, word: word)
        let isLearned = state.isLearned(at: mastery.learnedAt)
        let isSM2 = mastery.scheduler == .sm2
        var entry = Word(
            id: String(decoding: word, as: UTF8.self),
            language: language.isEmpty ? nil : String(decoding: language, as: UTF8.self),
            nextReviewAt: Date(milliseconds: state.nextReviewAt),
            firstSeenAt: Date(milliseconds: state.firstSeenAt)
        )
        entry.text = details.text.map { String(decoding: $0, as: UTF8.self) }
        entry.translation = details.translation.map { String(decoding: $0, as: UTF8.self) }
        entry.partOfSpeech = details.partOfSpeech.map { String(decoding: $0, as: UTF8.self) }
        entry.category = details.category.map { String(decoding: $0, as: UTF8.self) }
        (entry.tags, entry.isFavourite, entry.encounters) = (details.tags, details.isFavourite, details.encounters)
        entry.bucket = MasteryBucket(WordBucket(state))
        entry.mastery = state.mastery
        entry.reviews = Int(state.reviews)
        entry.correctReviews = Int(state.correctReviews)
        entry.intervalDays = state.intervalDays
        entry.easeFactor = isSM2 ? Double(state.ease) : nil
        entry.stability = isSM2 ? nil : state.stability
        entry.difficulty = isSM2 ? nil : state.difficulty
        entry.isLearned = isLearned
        entry.isDue = state.isDue(at: instant)
        entry.lastReviewedAt = state.lastReviewedAt.map(Date.init(milliseconds:))
        entry.learnedAt = isLearned ? details.learnedAt.map(Date.init(milliseconds:)) : nil
        return entry
    }

    /// The words at some positions, in the given order.
    func keeping(_ indices: [Int]) -> WordList {
        var list = self
        list.keys = indices.map { keys[$0] }
        return list
    }
}

extension MasteryBucket {
    init(_ bucket: WordBucket) {
        switch bucket {
        case .new: self = .new
        case .learning: self = .learning
        case .reviewing: self = .reviewing
        case .mastered: self = .mastered
        }
    }
}
