import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers what words are: their text and the like, which the fold has no use for.
final class WordCollector: FoldObserver {
    /// The fields that are read.
    static let fields = GatheredWords.fields

    private let plan: FoldPlan
    private var words = GatheredWords()

    init(plan: FoldPlan) { self.plan = plan }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) { words.take(table, row, event) }

    func didChangeWord(_ word: WordOutcome) {
        if word.learnedNow { words.noteLearned() }
    }

    func records(_ state: LearnerState, language: String?, at instant: Int64) -> [WordRecord] {
        var records: [WordRecord] = []
        for vocabulary in state.vocabularies {
            guard language.map({ Array($0.utf8) == vocabulary.language }) ?? true else { continue }
            for (_, word, state) in vocabulary.known {
                records.append(record(vocabulary.language, Array(word), state, at: instant))
            }
        }
        return records.sorted { one, other in
            if one.due != other.due { return one.due }
            if one.nextReviewAt != other.nextReviewAt { return one.nextReviewAt < other.nextReviewAt }
            if !one.word.utf8.elementsEqual(other.word.utf8) {
                return one.word.utf8.lexicographicallyPrecedes(other.word.utf8)
            }
            return (one.language ?? "").utf8.lexicographicallyPrecedes((other.language ?? "").utf8)
        }
    }

    private func record(_ language: [UInt8], _ word: [UInt8], _ state: WordState, at instant: Int64) -> WordRecord {
        let details = words.details(language: language, word: word)
        let isLearned = state.isLearned(at: plan.rules.mastery.learnedAt)
        let isSM2 = plan.rules.mastery.scheduler == .sm2
        return WordRecord(
            language: language.isEmpty ? nil : String(decoding: language, as: UTF8.self),
            word: String(decoding: word, as: UTF8.self),
            text: details.text.map { String(decoding: $0, as: UTF8.self) },
            translation: details.translation.map { String(decoding: $0, as: UTF8.self) },
            partOfSpeech: details.partOfSpeech.map { String(decoding: $0, as: UTF8.self) },
            category: details.category.map { String(decoding: $0, as: UTF8.self) },
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
