// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// The kinds of records that say up to which time a learner's announcements are written. Each learner has at most one
/// record of a kind. The record is written in the transaction that stores the messages. So no announcement is repeated
/// by another node, or after a restart.
package enum WatchMark: String, Sendable, CaseIterable {
    case streakAtRisk = "at-risk/"
    case missedDay = "missed-day/"
    case reminder = "reminder/"
    case recap = "recap/"

    /// The name of a learner's record.
    package func record(of learner: String) -> String { rawValue + Array(learner.utf8).hexadecimal }
}

extension ProgressEngine {
    /// Writes messages for each webhook that subscribed to the announcements. Announcements that are not later than the
    /// mark are left out. Nothing is written if the learner was erased meanwhile.
    /// - Parameters:
    ///   - announcements: announcements about one learner, ascending. Each has the day or the instant that it is about.
    ///     All these texts have the same form, in which a later text is greater in byte order.
    ///   - mark: the kind of record. Its value becomes the day or the instant of the last announcement.
    package func announce(
        _ announcements: [(at: String, announcement: Announcement)],
        _ mark: WatchMark
    ) throws(EngineError) {
        guard let last = announcements.last else { return }
        try EngineError.translating {
            let learner = Array(last.announcement.learner.utf8)
            let name = mark.record(of: last.announcement.learner)
            func isNew(_ at: String, _ known: String?) -> Bool { known.map { $0 < at } ?? true }
            guard isNew(last.at, try store.read({ try $0.serviceRecord(name) })) else { return }
            try writeMessages(in: store.partition(of: learner)) { transaction in
                let known = try transaction.serviceRecord(name)
                guard isNew(last.at, known), try transaction.learner(named: learner) != nil else { return }
                try transaction.setServiceRecord(name, last.at)
                let new = announcements.filter { isNew($0.at, known) }.map(\.announcement)
                try transaction.enqueue(new, for: listeners(in: transaction))
            }
        }
    }
}
