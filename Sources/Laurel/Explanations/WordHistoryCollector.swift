import LaurelEvents
import LaurelProgress

/// Gathers what became of one word, in each language that has it.
final class WordHistoryCollector: FoldObserver {
    private var plan: VersionPlan
    private let reader: ProgressReader
    private let word: [UInt8]
    private var clock: LocalClock
    /// By language; empty for events without one.
    private var histories: [[UInt8]: WordExplanation] = [:]
    /// Set where the event is about the word.
    private var atHand: EventAtHand?

    init(plan: FoldPlan, word: String) {
        self.plan = plan.versions[0]
        reader = ProgressReader(plan: plan)
        self.word = Array(word.utf8)
        clock = plan.versions[0].clock
    }

    /// In byte order of the languages; empty where no event was about the word.
    /// - Parameter language: nil for all of them.
    func explanations(_ state: LearnerState, language: String?) -> [WordExplanation] {
        return histories.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .filter { language == nil || $0.key == language.map { Array($0.utf8) } }
            .map { key, history in
                var history = history
                history.state = reader.word(word, state, language: key)
                return history
            }
    }

    func didGoOver(to plan: VersionPlan) {
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        atHand = event.kind.concernsWord && isAbout(table, row) ? EventAtHand(table, row, event) : nil
    }

    func didChangeWord(_ word: WordOutcome) {
        guard let atHand else { return }
        let data = atHand.data
        update(atHand.table, atHand.row) { history in
            let before = history.steps.last { $0.event.void == nil }?.after
            let after = word.state.isKnown ? word.state : nil
            history.steps.append(
                WordStep(
                    event: atHand.reference(plan),
                    grade: atHand.kind == .reviewGraded ? data.text("grade") : nil,
                    count: atHand.kind == .wordEncountered ? data.integer("count") ?? 1 : nil,
                    before: before,
                    after: after
                )
            )
            history.text = after == nil ? nil : data.text("text") ?? history.text
            history.translation = after == nil ? nil : data.text("translation") ?? history.translation
        }
    }

    func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason) {
        guard EventKind(rawValue: table.types.string(table.type[row]))?.concernsWord == true, isAbout(table, row) else {
            return
        }
        let event = EventReference(void: table, row, reason, &clock, plan)
        update(table, row) { $0.steps.append(WordStep(event: event)) }
    }

    private func isAbout(_ table: EventTable, _ row: Int) -> Bool {
        table.values(of: row).contains { value in
            value.kind == .text && table.fields.string(value.field) == "word"
                && table.texts[UInt32(value.payload)].elementsEqual(word)
        }
    }

    private func update(_ table: EventTable, _ row: Int, _ change: (inout WordExplanation) -> Void) {
        let key = Array(table.texts[table.language[row]])
        var history =
            histories.removeValue(forKey: key)
            ?? WordExplanation(
                language: key.isEmpty ? nil : String(decoding: key, as: UTF8.self),
                word: String(decoding: word, as: UTF8.self),
                steps: []
            )
        change(&history)
        histories[key] = history
    }
}
