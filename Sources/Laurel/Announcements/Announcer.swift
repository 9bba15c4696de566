// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Finds out what a transaction changes for learners, and writes a message for each webhook that asked for it.
///
/// Whatever stores events uses one within its own transaction, so that it does not matter which process stores them.
final class Announcer {
    /// A transaction of more events than this is an import of old events, which is no news.
    static let mostEvents = 20_000

    private struct Standing {
        var projection: LearnerProjection?
        var mastered: Set<MasteredWord> = []
    }

    private let webhooks: [Webhook]
    private let wantsWords: Bool
    /// The learners who may change, as they were before.
    private var before: [Int64: Standing] = [:]

    /// - Parameter webhooks: some.
    init(_ webhooks: [Webhook]) {
        self.webhooks = webhooks
        wantsWords = webhooks.contains { $0.wants(.wordMastered) }
    }

    /// Call it before the learners' events are appended.
    func look(at groups: [LearnerRows], _ transaction: any StoreTransaction, _ updater: LearnerUpdater) throws {
        for learner in groups.map(\.learner) where before[learner] == nil {
            var standing = Standing(projection: try transaction.projection(of: learner, withDays: false))
            if wantsWords, standing.projection?.hasMasteredWords ?? false {
                standing.mastered = try updater.masteredWordsBefore(learner, in: transaction)
            }
            before[learner] = standing
        }
    }

    /// Call it when the progress of all changed learners is up to date.
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
            try transaction.leave(found, for: webhooks)
        }
        before = [:]
    }
}

extension LearnerProjection {
    /// The overall track, which is the first one, counts those of every language.
    fileprivate var hasMasteredWords: Bool { tracks.first.map { $0.numbers.counts.words.mastered > 0 } ?? false }
}

extension ProgressEngine {
    /// nil if nobody wants to be told.
    func announcer(in transaction: any StoreTransaction) throws -> Announcer? {
        let webhooks = try listeners(in: transaction)
        return webhooks.isEmpty ? nil : Announcer(webhooks)
    }
}
