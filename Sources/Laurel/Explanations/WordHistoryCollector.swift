// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// Collects the history of a word, separately for each language that has the word.
final class WordHistoryCollector: FoldObserver {
    private struct History {
        var text: String?
        var translation: String?
        var steps: [Step] = []
    }

    fileprivate struct Step {
        var event: EventReference
        var grade: String?
        var count: Int?
        /// The effect of the event; nil for a void event.
        var outcome: WordOutcome?
        /// True if SM-2 scheduled the word; false for FSRS.
        var isSM2 = false
        var fittedAt: Date?
    }

    private var plan: VersionPlan
    private let reader: ProgressReader
    private let word: [UInt8]
    private var clock: LocalClock
    /// The histories by language; the key is empty for events without a language.
    private var histories: [[UInt8]: History] = [:]
    /// The `scheduler.fitted` events in force by language; the key is empty for all languages.
    private var fits: [[UInt8]: EventReference] = [:]
    /// The current event if it is about the word; otherwise nil.
    private var currentEvent: ObservedEvent?

    init(plan: FoldPlan, word: String) {
        self.plan = plan.versions[0]
        reader = ProgressReader(plan: plan)
        self.word = Array(word.utf8)
        clock = plan.versions[0].clock
    }

    /// The explanations in byte order of the languages; empty if no event was about the word.
    /// - Parameters:
    ///   - language: nil for all languages.
    ///   - instant: the time that decides if a word is due.
    func explanations(
        _ state: LearnerState,
        language: String?,
        _ mastery: MasteryRule,
        at instant: Timestamp
    ) -> [WordExplanation] {
        let wanted = language.map { Array($0.utf8) }
        return histories.filter { wanted == nil || $0.key == wanted }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { key, history in
                var explanation = WordExplanation(
                    id: String(decoding: word, as: UTF8.self),
                    language: key.isEmpty ? nil : String(decoding: key, as: UTF8.self)
                )
                (explanation.text, explanation.translation) = (history.text, history.translation)
                explanation.steps = history.steps.map(\.explanation)
                if let now = reader.word(word, state, language: key) {
                    explanation.isLearned = now.isLearned(at: mastery.learnedAt)
                    explanation.isDue = now.isDue(at: instant.milliseconds)
                    explanation.state = WordExplanation.State(now, isSM2: mastery.scheduler == .sm2)
                    let outlook = reader.outlook(of: now, state, language: key, at: instant)
                    (explanation.desiredRetention, explanation.parameters) =
                        (outlook.desiredRetention, outlook.parameters)
                    (explanation.recall, explanation.recallWhenDue) = (outlook.recall, outlook.recallWhenDue)
                    explanation.fit = outlook.parameters == nil ? nil : fit(language: key)
                }
                return explanation
            }
    }

    /// The event whose parameters are in force for a language's words; nil if the rules give the parameters.
    private func fit(language: [UInt8]) -> EventReference? { fits[language] ?? fits[[]] }

    func didSwitchVersion(to plan: VersionPlan) {
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        let observed = ObservedEvent(table, row, event)
        if event.kind == .schedulerFitted { keepFit(observed.reference(plan), table.languageTag(row) ?? []) }
        currentEvent = event.kind.concernsWord && isAbout(table, row) ? observed : nil
    }

    /// Keeps a `scheduler.fitted` event. An event for all languages replaces all others.
    private func keepFit(_ event: EventReference, _ language: [UInt8]) {
        if language.isEmpty { fits = [:] }
        fits[language] = event
    }

    func didChangeWord(_ word: WordOutcome) {
        guard let currentEvent else { return }
        let data = currentEvent.data
        let isSM2 = plan.rules.mastery.scheduler == .sm2
        let fittedAt = isSM2 ? nil : fit(language: currentEvent.table.languageTag(currentEvent.row) ?? [])?.time
        update(currentEvent.table, currentEvent.row) { history in
            let isKnown = word.state.isKnown
            history.steps.append(
                Step(
                    event: currentEvent.reference(plan),
                    grade: currentEvent.kind == .reviewGraded ? data.text("grade") : nil,
                    count: currentEvent.kind == .wordEncountered ? data.integer("count") ?? 1 : nil,
                    outcome: word,
                    isSM2: isSM2,
                    fittedAt: fittedAt
                )
            )
            history.text = isKnown ? data.text("text") ?? history.text : nil
            history.translation = isKnown ? data.text("translation") ?? history.translation : nil
        }
    }

    func didSkip(_ table: EventTable, _ row: Int, _ reason: LaurelProgress.VoidReason) {
        guard EventKind(rawValue: table.types.string(table.type[row]))?.concernsWord == true, isAbout(table, row) else {
            return
        }
        let event = EventReference(void: table, row, reason, &clock, plan)
        update(table, row) { $0.steps.append(Step(event: event)) }
    }

    private func isAbout(_ table: EventTable, _ row: Int) -> Bool {
        table.values(of: row).contains { value in
            value.kind == .text && table.fields.string(value.field) == "word"
                && table.texts[UInt32(value.payload)].elementsEqual(word)
        }
    }

    private func update(_ table: EventTable, _ row: Int, _ change: (inout History) -> Void) {
        change(&histories[table.languageTag(row) ?? [], default: History()])
    }
}

extension WordHistoryCollector.Step {
    fileprivate var explanation: WordExplanation.Step {
        var step = WordExplanation.Step(event: event)
        (step.grade, step.count, step.fittedAt) = (grade, count, fittedAt)
        guard let outcome else { return step }
        if outcome.before.isKnown {
            step.before = WordExplanation.State(outcome.before, isSM2: isSM2)
            step.daysSinceReview = outcome.daysSinceReview.map { Int($0) }
            step.recall = outcome.recall
        }
        if outcome.state.isKnown { step.after = WordExplanation.State(outcome.state, isSM2: isSM2) }
        return step
    }
}

extension WordExplanation.State {
    /// The part of the schedule that the scheduler uses.
    fileprivate init(_ state: WordState, isSM2: Bool) {
        self.init(nextReviewAt: Date(milliseconds: state.nextReviewAt))
        mastery = state.mastery
        bucket = MasteryBucket(WordBucket(state))
        (reviews, correctReviews) = (Int(state.reviews), Int(state.correctReviews))
        intervalDays = state.intervalDays
        if isSM2 {
            easeFactor = Double(state.ease)
        } else {
            (stability, difficulty) = (state.stability, state.difficulty)
        }
        lastReviewedAt = state.lastReviewedAt.map(Date.init(milliseconds:))
        isDeclaredLearned = state.isDeclaredLearned
        firstSeenAt = Date(milliseconds: state.firstSeenAt)
    }
}
