// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress

/// Collects each review of a period, with the word's state before it, and the habits that all reviews show.
final class ReviewCollector: FoldObserver {
    private let days: ClosedRange<LocalDay>?
    /// The number of times that each word was forgotten after at least a day. Words that were never forgotten are left
    /// out.
    private(set) var lapses: [WordKey: Int] = [:]
    /// The word of the current event; nil if the event is not about a word.
    private var key: WordKey?
    private var review: ReviewFact?
    private(set) var reviews: [ReviewFact] = []
    private(set) var habits = ReviewHabits()

    /// - Parameter days: the period of ``reviews``; nil to keep only ``habits``.
    init(days: ClosedRange<LocalDay>?) { self.days = days }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        (key, review) = (nil, nil)
        guard event.kind == .reviewGraded || event.kind == .wordRemoved,
            let word = text("word", table, row)
        else { return }
        key = WordKey(language: table.languageTag(row) ?? [], word: word)
        guard event.kind == .reviewGraded, let first = text("grade", table, row)?.first,
            let grade = Grade(initial: first)
        else { return }
        review = ReviewFact(time: event.time, day: event.day, hour: event.local.hour, grade: grade)
        review?.durationMs = duration(table, row)
    }

    func didChangeWord(_ word: WordOutcome) {
        guard let key else { return }
        guard var review else {
            lapses[key] = nil
            return
        }
        let before = word.before
        review.count = word.state.reviews
        review.lapses = lapses[key] ?? 0
        if before.isKnown {
            review.mastery = before.mastery
            review.intervalDays = before.intervalDays
            review.daysSince = word.daysSinceReview
            review.recall = word.recall
        }
        if review.grade == .again, review.isSpaced { lapses[key, default: 0] += 1 }
        habits.add(review)
        guard let days, days.contains(review.day) else { return }
        review.language = String(decoding: key.language, as: UTF8.self)
        review.word = String(decoding: key.word, as: UTF8.self)
        reviews.append(review)
    }

    private func text(_ name: String, _ table: EventTable, _ row: Int) -> [UInt8]? {
        for value in table.values(of: row) where value.kind == .text && table.fields.string(value.field) == name {
            return Array(table.texts[UInt32(value.payload)])
        }
        return nil
    }

    private func duration(_ table: EventTable, _ row: Int) -> Int64? {
        for value in table.values(of: row) where table.fields.string(value.field) == "durationMs" {
            switch value.kind {
            case .integer: return Int64(bitPattern: value.payload)
            // A double such as 5e3 may also be a whole number.
            case .double: return Int64(exactly: Double(bitPattern: value.payload))
            default: return nil
            }
        }
        return nil
    }
}
