// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore
import LaurelWire

extension ProgressEngine {
    /// Exports the reviews as a review log of the FSRS project: CSV with the columns that the Python package
    /// `fsrs-optimizer` reads. Void reviews are left out. Laurel reads such a log with the format `fsrs-csv`.
    ///
    /// `review_state` is 0 for a word's first review, else 2. Laurel has no learning steps, so there are no other states.
    /// `review_duration` is 0 if the duration is unknown; the optimiser skips such durations.
    ///
    /// `card_id` is the word. If the log has several languages, `LANGUAGE/` precedes the word. If the log has several
    /// learners, `LEARNER/` precedes that. So no two words have the same id.
    /// - Parameters:
    ///   - learner: the only learner; nil for all.
    ///   - language: the only language; nil for all.
    ///   - pseudonyms: the pseudonyms that replace learners and words; nil to export them as they are.
    ///   - body: called with many whole lines at a time. The bytes are valid until it returns.
    /// - Returns: the number of reviews; nil for an unknown learner.
    /// - Complexity: O(events).
    public func exportReviewLog(
        learner: String? = nil,
        language: String? = nil,
        pseudonyms: Pseudonyms? = nil,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int? {
        try EngineError.passing {
            let language = language?.canonicalLanguageTag
            let hasOneLearner = learner != nil
            var log = ReviewLogWriter(hasLearners: !hasOneLearner, hasLanguages: language == nil)
            let names = pseudonyms.map(Pseudonymiser.init)
            let keepsWords = pseudonyms?.keptFields(of: "review.graded")?.contains("word") ?? true
            for learner in try learner.map({ [$0] }) ?? learnerIDs() {
                try Cancellation.check()
                let folded = try fold(learner, until: .latest) { _ in ReviewCollector(days: .always) }
                // A learner of the list may have been erased meanwhile.
                guard let folded else { if hasOneLearner { return nil } else { continue } }
                for review in folded.observer.reviews where language == nil || review.language == language {
                    var review = review
                    if let names, !keepsWords { review.word = names.pseudonym(review.word) }
                    log.append(review, of: names?.pseudonym(learner) ?? learner)
                }
                try log.flush(body)
            }
            try log.flush(body)
            return log.reviews
        }
    }
}

extension ClosedRange<LocalDay> {
    /// The local days of all possible events.
    fileprivate static let always =
        LocalDay(number: -1)...LocalDay(containing: Timestamp.latest.milliseconds + 86_400_000)
}

/// Writes the lines of a review log.
private struct ReviewLogWriter {
    let hasLearners: Bool
    let hasLanguages: Bool
    private(set) var reviews = 0
    private var buffer = Array("review_time,card_id,review_rating,review_duration,review_state\n".utf8)

    init(hasLearners: Bool, hasLanguages: Bool) {
        (self.hasLearners, self.hasLanguages) = (hasLearners, hasLanguages)
    }

    mutating func append(_ review: ReviewFact, of learner: String) {
        // The first parts are encoded, so that a slash in one of them does not look like the end of the part.
        var card = hasLearners ? PercentCoding.encode(learner) + "/" : ""
        if hasLanguages { card += PercentCoding.encode(review.language) + "/" }
        let state = review.count == 1 ? 0 : 2
        buffer += "\(review.time),\(Self.quoted(card + review.word)),\(review.grade.rawValue),".utf8
        buffer += "\(review.durationMs ?? 0),\(state)\n".utf8
        reviews += 1
    }

    /// The text of a cell, in quotes if necessary. A text that begins like a formula gets no apostrophe, because
    /// programs read the log, and compare the ids with words.
    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    mutating func flush(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try buffer.withUnsafeBytes(body)
        buffer.removeAll(keepingCapacity: true)
    }
}
