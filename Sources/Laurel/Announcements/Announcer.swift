// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Finds the changes for learners in a transaction, and writes a message for each subscribed webhook.
///
/// Every transaction that stores events uses an announcer. So it does not matter which process stores the events.
final class Announcer {
    /// The number of events above which a transaction is not announced. Larger transactions are imports of old events.
    static let mostEvents = 20_000

    private struct Standing {
        var projection: LearnerProjection?
        var mastered: Set<MasteredWord> = []
    }

    private let webhooks: [Webhook]
    private let wantsWords: Bool
    /// Each possibly changed learner's progress before the transaction.
    private var before: [Int64: Standing] = [:]

    /// - Parameter webhooks: the active webhooks; not empty.
    init(_ webhooks: [Webhook]) {
        self.webhooks = webhooks
        wantsWords = webhooks.contains { $0.wants(.wordMastered) }
    }

    /// Records the learners' progress. Call it before their events are appended.
    func look(at groups: [LearnerRows], _ transaction: any StoreTransaction, _ updater: LearnerUpdater) throws {
        for learner in groups.map(\.learner) where before[learner] == nil {
            var standing = Standing(projection: try transaction.projection(of: learner, withDays: false))
            if wantsWords, standing.projection?.hasMasteredWords ?? false {
                standing.mastered = try updater.masteredWordsBefore(learner, in: transaction)
            }
            before[learner] = standing
        }
    }

    /// Writes the messages. Call it when the progress of all changed learners is up to date.
    func finish(
        _ touched: some Sequence<Int64>,
        _ transaction: any StoreTransaction,
        _ updater: LearnerUpdater
    ) throws {
        for learner in touched.sorted() {
            guard let old = before[learner], let new = try transaction.projection(of: learner, withDays: false),
                let subject = try transaction.learner(learner)?.subject
            else { continue }
            var mastered: [MasteredWord] = []
            if wantsWords, new.hasMasteredWords {
                mastered = try updater.masteredWords(learner, in: transaction).subtracting(old.mastered).sorted {
                    ($0.language, $0.word) < ($1.language, $1.word)
                }
            }
            let found = Announcement.all(
                String(decoding: subject, as: UTF8.self),
                before: old.projection,
                after: new,
                mastered: mastered
            )
            try transaction.enqueue(found, for: webhooks)
        }
        before = [:]
    }
}

extension LearnerProjection {
    /// True if the learner has mastered words. The overall track, which is the first, counts words of all languages.
    fileprivate var hasMasteredWords: Bool { tracks.first.map { $0.numbers.counts.words.mastered > 0 } ?? false }
}

extension ProgressEngine {
    /// An announcer for a transaction; nil if there are no active webhooks.
    func announcer(in transaction: any StoreTransaction) throws -> Announcer? {
        let webhooks = try listeners(in: transaction)
        return webhooks.isEmpty ? nil : Announcer(webhooks)
    }
}
