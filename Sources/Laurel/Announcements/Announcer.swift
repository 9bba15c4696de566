// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// Finds the changes for learners in a transaction, and writes a message for each subscribed webhook.
///
/// Every transaction that stores events uses an announcer. So it does not matter which process stores the events.
final class Announcer {
    /// The number of events above which a transaction is not announced. Larger transactions are imports of old events.
    static let mostEvents = 20_000

    private let webhooks: [Webhook]
    /// The parts of the state that messages to the webhooks need.
    private let wants: AnnouncedProgress.Parts
    /// Each possibly changed learner's progress before the transaction.
    private var before: [Int64: AnnouncedProgress] = [:]

    /// - Parameter webhooks: the active webhooks; not empty.
    init(_ webhooks: [Webhook]) {
        self.webhooks = webhooks
        func isWanted(_ kinds: Announcement.Kind...) -> Bool {
            kinds.contains { kind in webhooks.contains { $0.wants(kind) } }
        }
        wants = AnnouncedProgress.Parts(
            words: isWanted(.wordMastered),
            milestones: isWanted(
                .streakStarted,
                .streakExtended,
                .freezeEarned,
                .goalCompleted,
                .balanceChanged,
                .leagueFinished
            )
        )
    }

    /// Records the learners' progress. Call it before their events are appended.
    func look(at groups: [LearnerRows], _ transaction: any StoreTransaction, _ updater: LearnerUpdater) throws {
        for learner in groups.map(\.learner) where before[learner] == nil {
            var standing = AnnouncedProgress(try transaction.projection(of: learner, withDays: false))
            if let parts = standing.parts(of: wants) {
                try updater.readBefore(learner, in: transaction) { standing.read(parts, $1, $0) }
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
            var standing = AnnouncedProgress(new)
            if let parts = standing.parts(of: wants) {
                try updater.readAfter(learner, in: transaction) { standing.read(parts, $1, $0) }
            }
            let found = LearnerChange(String(decoding: subject, as: UTF8.self), before: old, after: standing)
            try transaction.enqueue(found.announcements, for: webhooks)
        }
        before = [:]
    }
}

extension ProgressEngine {
    /// An announcer for a transaction; nil if there are no active webhooks.
    func announcer(in transaction: any StoreTransaction) throws -> Announcer? {
        let webhooks = try listeners(in: transaction)
        return webhooks.isEmpty ? nil : Announcer(webhooks)
    }
}
