import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers what words are: their text and the like, which the fold has no use for.
final class WordCollector: FoldObserver {
    /// Bytes, because Swift's strings are equal where only their Unicode normal form differs.
    private struct Key: Hashable {
        var language: [UInt8]
        var word: [UInt8]
    }

    private struct Details {
        var text: String?
        var translation: String?
        var partOfSpeech: String?
        var category: String?
        var learnedAt: Int64?
        var encounters = 0
    }

    /// What one event says of its word.
    private struct Told {
        var word: String?
        var text: String?
        var translation: String?
        var partOfSpeech: String?
        var category: String?

        init(_ table: EventTable, _ row: Int) {
            for value in table.values(of: row) where value.kind == .text {
                let text = UInt32(value.payload)
                switch table.fields.string(value.field) {
                case "word": word = table.texts.string(text)
                case "text": self.text = table.texts.string(text)
                case "translation": translation = table.texts.string(text)
                case "partOfSpeech": partOfSpeech = table.texts.string(text)
                case "category": category = table.texts.string(text)
                default: break
                }
            }
        }
    }

    private let plan: FoldPlan
    /// Known words only.
    private var details: [Key: Details] = [:]
    /// The word that the present event concerns.
    private var current: (key: Key, time: Int64)?

    init(plan: FoldPlan) { self.plan = plan }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        current = nil
        guard event.kind.concernsWord else { return }
        let told = Told(table, row)
        guard let word = told.word else { return }
        let key = Key(language: Array(table.texts[table.language[row]]), word: Array(word.utf8))
        current = (key, event.time)
        switch event.kind {
        case .wordRemoved: details[key] = nil
        case .wordUpdated, .wordUnlearned:
            if let known = details[key] { details[key] = merge(known, told) }
        case .wordEncountered:
            var known = merge(details[key] ?? Details(), told)
            known.encounters = known.encounters.saturatingAdd(DataFields(table, row).integer("count") ?? 1)
            details[key] = known
        default: details[key] = merge(details[key] ?? Details(), told)
        }
    }

    func didChangeWord(_ word: WordOutcome) {
        if word.learnedNow, let current { details[current.key]?.learnedAt = current.time }
    }

    private func merge(_ known: Details, _ told: Told) -> Details {
        Details(
            text: told.text ?? known.text,
            translation: told.translation ?? known.translation,
            partOfSpeech: told.partOfSpeech ?? known.partOfSpeech,
            category: told.category ?? known.category,
            learnedAt: known.learnedAt,
            encounters: known.encounters
        )
    }

    func records(_ state: LearnerState, language: String?, at instant: Int64) -> [WordRecord] {
        var records: [WordRecord] = []
        for vocabulary in state.vocabularies {
            guard language.map({ Array($0.utf8) == vocabulary.language }) ?? true else { continue }
            for (_, word, state) in vocabulary.known {
                records.append(record(Key(language: vocabulary.language, word: Array(word)), state, at: instant))
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

    private func record(_ key: Key, _ state: WordState, at instant: Int64) -> WordRecord {
        let details = details[key] ?? Details()
        let isLearned = state.isLearned(at: plan.rules.mastery.learnedAt)
        let isSM2 = plan.rules.mastery.scheduler == .sm2
        return WordRecord(
            language: key.language.isEmpty ? nil : String(decoding: key.language, as: UTF8.self),
            word: String(decoding: key.word, as: UTF8.self),
            text: details.text,
            translation: details.translation,
            partOfSpeech: details.partOfSpeech,
            category: details.category,
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
