// SPDX-License-Identifier: Apache-2.0

package import LaurelWire

/// The grade of an answer, numbered as in FSRS and SM-2.
package enum Grade: Int, Sendable {
    case again = 1, hard, good, easy

    /// Reads a grade from its first letter, which is enough because the catalogue allows only these four words.
    @inline(__always)
    package init?(initial: UInt8) {
        switch initial {
        case UInt8(ascii: "a"): self = .again
        case UInt8(ascii: "h"): self = .hard
        case UInt8(ascii: "g"): self = .good
        case UInt8(ascii: "e"): self = .easy
        default: return nil
        }
    }
}

/// A word's schedule, and the counts of the learner's reviews.
package struct WordState: Sendable, Equatable {
    /// True from the word's first event until its removal.
    package var isKnown = false
    /// True if a `word.learned` event declared the word learned.
    package var isDeclaredLearned = false
    /// The mastery, 0 … 5.
    package var mastery = 0
    package var reviews: Int64 = 0
    package var correctReviews: Int64 = 0
    /// The time of the word's first event, in milliseconds since 1970.
    package var firstSeenAt: Int64 = 0
    package var nextReviewAt: Int64 = 0
    package var lastReviewedAt: Int64?
    /// The local day of the last review; before any review, the local day of the first event.
    var lastReviewDay = LocalDay(number: 0)
    /// The days from the last review to the next, as the scheduler last set them.
    package var intervalDays = 0
    /// True if the interval comes from a review or an import.
    var hasInterval = false
    /// SM-2's ease factor, at least 1.3.
    package var ease: Float = 2.5
    /// FSRS's stability in days, and its difficulty from 1 to 10; nil until FSRS schedules the word.
    package var stability: Double?
    package var difficulty: Double?

    /// FSRS's memory of the word; nil until FSRS schedules the word.
    package var memory: Memory? {
        guard let stability, let difficulty else { return nil }
        return Memory(stability: stability, difficulty: difficulty)
    }

    package func isLearned(at threshold: Int) -> Bool { isKnown && (isDeclaredLearned || mastery >= threshold) }

    /// The days since the last review; nil before the first review.
    /// - Parameter byCalendar: true counts local calendar days, false counts periods of 24 hours.
    func daysSinceReview(at time: ReviewTime, byCalendar: Bool) -> Int64? {
        lastReviewedAt.map {
            byCalendar
                ? Int64(time.day.number) - Int64(lastReviewDay.number) : (time.milliseconds - $0) / millisecondsPerDay
        }
    }

    package func isDue(at instant: Int64) -> Bool { isKnown && nextReviewAt <= instant }

    /// Applies a review to the word.
    /// - Parameter schedule: sets the interval, and the other values of the scheduler.
    @inline(__always)
    mutating func review(_ grade: Grade, at time: ReviewTime, _ schedule: (inout WordState) -> Void) {
        schedule(&self)
        hasInterval = true
        reviews += 1
        if grade != .again { correctReviews += 1 }
        lastReviewedAt = time.milliseconds
        lastReviewDay = time.day
        nextReviewAt = time.milliseconds + Int64(intervalDays) * millisecondsPerDay
    }
}

/// The time of a review.
package struct ReviewTime {
    /// Milliseconds since 1970.
    let milliseconds: Int64
    /// The local day by the learner's clock.
    let day: LocalDay

    @inline(__always)
    package init(_ milliseconds: Int64, _ day: LocalDay) { (self.milliseconds, self.day) = (milliseconds, day) }
}

/// The stage of a known word.
package enum WordBucket: Int, Sendable, CaseIterable {
    case new, learning, reviewing, mastered

    package init(_ word: WordState) { self.init(mastery: word.mastery, reviews: word.reviews) }

    package init(mastery: Int, reviews: Int64) {
        switch mastery {
        case 5...: self = .mastered
        case 3...: self = .reviewing
        case 1...: self = .learning
        default: self = reviews == 0 ? .new : .learning
        }
    }
}

/// A schedule from `word.imported`. A value is nil if the event does not contain it.
package struct ImportedSchedule: Sendable {
    package var masteryLevel: Int?
    package var easeFactor: Double?
    package var intervalDays: Int?
    package var stability: Double?
    package var difficulty: Double?
    package var nextReviewAt: Int64?
    package var lastReviewedAt: Int64?
    /// The local day of ``lastReviewedAt``, by the clock of the `word.imported` event.
    var lastReviewDay = LocalDay(number: 0)
    package var totalReviews: Int64?
    package var correctReviews: Int64?

    package init() {}
}

/// A spaced-repetition scheduler, which decides the next review of a word.
package enum Scheduler: Sendable {
    case sm2
    case fsrs(FSRS)

    package func begin(_ word: inout WordState, at time: ReviewTime) {
        word = WordState()
        word.isKnown = true
        word.firstSeenAt = time.milliseconds
        word.lastReviewDay = time.day
        word.nextReviewAt = time.milliseconds
        if case .sm2 = self { word.intervalDays = 1 }
    }

    package func review(_ word: inout WordState, grade: Grade, at time: ReviewTime) {
        word.review(grade, at: time) { word in
            switch self {
            case .sm2: SM2.review(&word, grade: grade)
            case .fsrs(let fsrs): fsrs.review(&word, grade: grade, at: time)
            }
        }
    }

    /// The days since the last review, as the scheduler counts them; nil before the first review.
    package func daysSinceReview(_ word: WordState, at time: ReviewTime) -> Int64? {
        switch self {
        case .sm2: word.daysSinceReview(at: time, byCalendar: false)
        case .fsrs(let fsrs): word.daysSinceReview(at: time, byCalendar: fsrs.countsCalendarDays)
        }
    }

    /// The probability that the learner recalls a word; nil before a full day has passed since the last review, and if
    /// the scheduler does not predict recall.
    package func recall(_ word: WordState, at time: ReviewTime) -> Double? {
        switch self {
        case .sm2: nil
        case .fsrs(let fsrs): fsrs.recall(word, at: time)
        }
    }

    /// The share of reviews that the learner should recall, between 0 and 1; nil if the scheduler has no such target.
    package var desiredRetention: Double? {
        switch self {
        case .sm2: nil
        case .fsrs(let fsrs): fsrs.desiredRetention
        }
    }

    package func take(_ schedule: ImportedSchedule, into word: inout WordState, at time: ReviewTime) {
        if let total = schedule.totalReviews { word.reviews = total }
        if let correct = schedule.correctReviews { word.correctReviews = correct }
        if let last = schedule.lastReviewedAt {
            (word.lastReviewedAt, word.lastReviewDay) = (last, schedule.lastReviewDay)
        }
        if word.lastReviewedAt == nil, schedule.intervalDays != nil || schedule.stability != nil {
            (word.lastReviewedAt, word.lastReviewDay) = (time.milliseconds, time.day)
        }
        switch self {
        case .sm2: SM2.take(schedule, into: &word)
        case .fsrs(let fsrs): fsrs.take(schedule, into: &word)
        }
        if schedule.intervalDays != nil { word.hasInterval = true }
        if let next = schedule.nextReviewAt {
            word.nextReviewAt = next
        } else if let days = schedule.intervalDays {
            word.nextReviewAt = (word.lastReviewedAt ?? time.milliseconds) + Int64(days) * millisecondsPerDay
        }
    }
}

let millisecondsPerDay: Int64 = 86_400_000
let longestIntervalDays = 36_500
