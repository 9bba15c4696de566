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
        var before: WordState?
        var after: WordState?
    }

    private var plan: VersionPlan
    private let reader: ProgressReader
    private let word: [UInt8]
    private var clock: LocalClock
    /// The histories by language; the key is empty for events without a language.
    private var histories: [[UInt8]: History] = [:]
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
    ///   - instant: the time that decides if a word is due, in milliseconds since 1970.
    func explanations(
        _ state: LearnerState,
        language: String?,
        _ mastery: MasteryRule,
        at instant: Int64
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
                explanation.steps = history.steps.map { $0.explanation(mastery.scheduler) }
                if let now = reader.word(word, state, language: key) {
                    explanation.state = WordExplanation.State(now, mastery.scheduler)
                    explanation.isLearned = now.isLearned(at: mastery.learnedAt)
                    explanation.isDue = now.isDue(at: instant)
                }
                return explanation
            }
    }

    func didSwitchVersion(to plan: VersionPlan) {
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        currentEvent = event.kind.concernsWord && isAbout(table, row) ? ObservedEvent(table, row, event) : nil
    }

    func didChangeWord(_ word: WordOutcome) {
        guard let currentEvent else { return }
        let data = currentEvent.data
        update(currentEvent.table, currentEvent.row) { history in
            let before = history.steps.last { $0.event.void == nil }?.after
            let after = word.state.isKnown ? word.state : nil
            history.steps.append(
                Step(
                    event: currentEvent.reference(plan),
                    grade: currentEvent.kind == .reviewGraded ? data.text("grade") : nil,
                    count: currentEvent.kind == .wordEncountered ? data.integer("count") ?? 1 : nil,
                    before: before,
                    after: after
                )
            )
            history.text = after == nil ? nil : data.text("text") ?? history.text
            history.translation = after == nil ? nil : data.text("translation") ?? history.translation
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
    fileprivate func explanation(_ scheduler: MasteryRule.Scheduler) -> WordExplanation.Step {
        var step = WordExplanation.Step(event: event)
        (step.grade, step.count) = (grade, count)
        step.before = before.map { WordExplanation.State($0, scheduler) }
        step.after = after.map { WordExplanation.State($0, scheduler) }
        return step
    }
}

extension WordExplanation.State {
    /// The part of the schedule that the scheduler uses.
    fileprivate init(_ state: WordState, _ scheduler: MasteryRule.Scheduler) {
        self.init(nextReviewAt: Date(milliseconds: state.nextReviewAt))
        mastery = state.mastery
        bucket = MasteryBucket(WordBucket(state))
        (reviews, correctReviews) = (Int(state.reviews), Int(state.correctReviews))
        intervalDays = state.intervalDays
        if scheduler == .sm2 {
            easeFactor = Double(state.ease)
        } else {
            (stability, difficulty) = (state.stability, state.difficulty)
        }
        lastReviewedAt = state.lastReviewedAt.map(Date.init(milliseconds:))
        isDeclaredLearned = state.isDeclaredLearned
        firstSeenAt = Date(milliseconds: state.firstSeenAt)
    }
}
