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
        /// Whether the word is known.
        var isThere = false
        var text: [UInt8]?
        var translation: [UInt8]?
        var partOfSpeech: [UInt8]?
        var category: [UInt8]?
        var learnedAt: Int64?
        var encounters = 0
    }

    /// What a field of an event tells.
    private enum Member: String, CaseIterable {
        case word, text, translation, partOfSpeech, category, count
    }

    /// The fields that are read.
    static let fields = Set(Member.allCases.map(\.rawValue))

    private let plan: FoldPlan
    private var places: [Key: Int] = [:]
    private var details: [Details] = []
    /// The word that the present event concerns.
    private var current: (place: Int, time: Int64)?

    // What was looked up for the present table.
    private var table: (address: UnsafeRawPointer?, count: Int)?
    private var members: [Member?] = []
    /// By the indexes of the language and the word.
    private var placesInTable: [UInt64: Int] = [:]

    init(plan: FoldPlan) { self.plan = plan }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        current = nil
        guard event.kind.concernsWord else { return }
        if self.table?.address != table.address || self.table?.count != table.count { begin(table) }
        let values = table.values(of: row)
        guard let word = values.last(where: { $0.kind == .text && members[Int($0.field)] == .word }) else { return }
        let place = place(table, table.language[row], UInt32(word.payload))
        current = (place, event.time)
        switch event.kind {
        case .wordRemoved: details[place] = Details()
        case .wordUpdated, .wordUnlearned:
            if details[place].isThere { take(values, of: table, place) }
        case .wordEncountered:
            take(values, of: table, place)
            let count = values.last { members[Int($0.field)] == .count }.flatMap { table.json($0).wholeNumber }
            details[place].encounters = details[place].encounters.saturatingAdd(count ?? 1)
        default: take(values, of: table, place)
        }
    }

    func didChangeWord(_ word: WordOutcome) {
        if word.learnedNow, let current { details[current.place].learnedAt = current.time }
    }

    private func begin(_ table: EventTable) {
        self.table = (table.address, table.count)
        members = (0..<table.fields.count).map { Member(rawValue: table.fields.string(UInt32($0))) }
        placesInTable.removeAll(keepingCapacity: true)
    }

    private func place(_ table: EventTable, _ language: UInt32, _ word: UInt32) -> Int {
        let indexes = UInt64(language) << 32 | UInt64(word)
        if let known = placesInTable[indexes] { return known }
        let key = Key(language: Array(table.texts[language]), word: Array(table.texts[word]))
        let place = places[key] ?? details.count
        if place == details.count {
            places[key] = place
            details.append(Details())
        }
        placesInTable[indexes] = place
        return place
    }

    /// Takes what an event tells of its word; what it does not tell stays as it was.
    private func take(_ values: ArraySlice<EventValue>, of table: EventTable, _ place: Int) {
        details[place].isThere = true
        for value in values where value.kind == .text {
            let text = table.texts[UInt32(value.payload)]
            switch members[Int(value.field)] {
            case .text: WordCollector.set(&details[place].text, text)
            case .translation: WordCollector.set(&details[place].translation, text)
            case .partOfSpeech: WordCollector.set(&details[place].partOfSpeech, text)
            case .category: WordCollector.set(&details[place].category, text)
            default: break
            }
        }
    }

    /// Mostly it is what was told before.
    private static func set(_ known: inout [UInt8]?, _ told: ArraySlice<UInt8>) {
        if known?.elementsEqual(told) != true { known = Array(told) }
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
        let details = places[key].map { self.details[$0] } ?? Details()
        let isLearned = state.isLearned(at: plan.rules.mastery.learnedAt)
        let isSM2 = plan.rules.mastery.scheduler == .sm2
        return WordRecord(
            language: key.language.isEmpty ? nil : String(decoding: key.language, as: UTF8.self),
            word: String(decoding: key.word, as: UTF8.self),
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
