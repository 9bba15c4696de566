import LaurelEvents
import LaurelProgress
import LaurelRules

/// A learner's known words: due ones first, longest overdue first; then by next review, then by word.
///
/// A record is made when it is asked for: a million of them would take a gigabyte.
package struct WordList: RandomAccessCollection {
    /// What words are in order by, but for their spelling.
    private struct Place {
        let isDue: Bool
        let nextReviewAt: Int64
        let vocabulary: Int32
        let word: Int32
    }

    private let words: GatheredWords
    private let vocabularies: [Vocabulary]
    private let mastery: MasteryRule
    private let instant: Int64
    private var places: [Place] = []

    package let startIndex = 0
    package var endIndex: Int { places.count }

    init(_ words: GatheredWords, _ vocabularies: [Vocabulary], _ mastery: MasteryRule, at instant: Int64) {
        (self.words, self.vocabularies, self.mastery, self.instant) = (words, vocabularies, mastery, instant)
        for (number, vocabulary) in vocabularies.enumerated() {
            vocabulary.forEachKnown { index, state in
                places.append(
                    Place(
                        isDue: state.isDue(at: instant),
                        nextReviewAt: state.nextReviewAt,
                        vocabulary: Int32(number),
                        word: Int32(index)
                    )
                )
            }
        }
        places.sort { one, other in
            if one.isDue != other.isDue { return one.isDue }
            if one.nextReviewAt != other.nextReviewAt { return one.nextReviewAt < other.nextReviewAt }
            let (language, otherLanguage) = (vocabularies[Int(one.vocabulary)], vocabularies[Int(other.vocabulary)])
            let (word, otherWord) = (language[Int(one.word)].word, otherLanguage[Int(other.word)].word)
            if !word.elementsEqual(otherWord) { return word.lexicographicallyPrecedes(otherWord) }
            return language.language.lexicographicallyPrecedes(otherLanguage.language)
        }
    }

    /// That of a learner who is not known.
    package static var empty: WordList { WordList(GatheredWords(), [], MasteryRule(), at: 0) }

    package subscript(position: Int) -> WordRecord {
        let place = places[position]
        let vocabulary = vocabularies[Int(place.vocabulary)]
        let (word, state) = vocabulary[Int(place.word)]
        return record(vocabulary.language, word, state)
    }

    private func record(_ language: [UInt8], _ word: ArraySlice<UInt8>, _ state: WordState) -> WordRecord {
        let details = words.details(language: language, word: word)
        let isLearned = state.isLearned(at: mastery.learnedAt)
        let isSM2 = mastery.scheduler == .sm2
        return WordRecord(
            language: language.isEmpty ? nil : String(decoding: language, as: UTF8.self),
            word: String(decoding: word, as: UTF8.self),
            text: details.text.map { String(decoding: $0, as: UTF8.self) },
            translation: details.translation.map { String(decoding: $0, as: UTF8.self) },
            partOfSpeech: details.partOfSpeech.map { String(decoding: $0, as: UTF8.self) },
            category: details.category.map { String(decoding: $0, as: UTF8.self) },
            tags: details.tags,
            favourite: details.isFavourite,
            mastery: state.mastery,
            reviews: state.reviews,
            correct: state.correctReviews,
            intervalDays: state.intervalDays,
            easeFactor: isSM2 ? Double(state.ease) : nil,
            stability: isSM2 ? nil : state.stability,
            difficulty: isSM2 ? nil : state.difficulty,
            nextReviewAt: state.nextReviewAt,
            learned: isLearned,
            due: state.isDue(at: instant),
            bucket: MasteryBucket(state),
            firstSeenAt: state.firstSeenAt,
            lastReviewedAt: state.lastReviewedAt,
            learnedAt: isLearned ? details.learnedAt : nil,
            encounters: details.encounters
        )
    }
}
