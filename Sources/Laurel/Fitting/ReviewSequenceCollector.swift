// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelWire

/// Collects the reviews that FSRS scheduled, word by word, for fitting parameters.
final class ReviewSequenceCollector: FoldObserver {
    /// The sequence that a word's next review continues, and the memory after its last review.
    private struct OpenSequence {
        var index: Int
        var memory: Memory?
    }

    /// The language whose words are collected; nil for all.
    private let language: [UInt8]?
    private var scheduler: Scheduler
    private var open: [WordKey: OpenSequence] = [:]
    private var current: (event: ObservedEvent, time: ReviewTime)?
    private(set) var sequences: [ReviewSequence] = []
    /// The clock of the last collected review.
    private(set) var last: (time: Timestamp, timezone: String?)?
    /// The time of the latest fit for these words, in milliseconds since 1970.
    private(set) var lastFit: Int64?

    init(plan: FoldPlan, language: String?) {
        scheduler = plan.versions[0].scheduler
        self.language = language.map { Array($0.utf8) }
    }

    func didSwitchVersion(to plan: VersionPlan) { scheduler = plan.scheduler }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        current = nil
        switch event.kind {
        case .reviewGraded:
            guard table.isOf(language, row) else { return }
            current = (ObservedEvent(table, row, event), ReviewTime(event.time, event.day))
        case .schedulerFitted:
            let isApplicable = table.isOf(language, row) || table.languageTag(row) == nil
            if isApplicable { lastFit = event.time }
        default: break
        }
    }

    func didChangeWord(_ word: WordOutcome) {
        guard let (event, time) = current, let grade = word.grade, case .fsrs = scheduler,
            let name = event.data.text("word")
        else { return }
        let before = word.before.isKnown ? word.before.memory : nil
        guard before?.isFinite ?? true else { return }
        let key = WordKey(language: event.table.languageTag(event.row) ?? [], word: Array(name.utf8))
        // An import, a removal and a change of the scheduler change the memory between two reviews.
        if open[key] == nil || open[key]?.memory != before {
            open[key] = OpenSequence(index: sequences.count)
            sequences.append(ReviewSequence(language: key.language))
        }
        let days = before == nil ? 0 : scheduler.daysSinceReview(word.before, at: time) ?? 0
        let review = PastReview(time: event.table.milliseconds[event.row], days: days, grade: grade, before: before)
        sequences[open[key]!.index].reviews.append(review)
        open[key]!.memory = word.state.memory
        let zone = event.table.timezone[event.row]
        last = (event.table.timestamp(event.row), zone == 0 ? nil : event.table.texts.string(zone))
    }
}
