// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// The kinds of records that say up to which time announcements about a learner or a group are written. A learner has at
/// most one record of a kind. A group has one for each of its goals. The record is written in the transaction that
/// stores the messages. So no announcement is repeated by another node, or after a restart.
package enum WatchMark: String, Sendable, CaseIterable {
    case streakAtRisk = "at-risk/"
    case missedDay = "missed-day/"
    case reminder = "reminder/"
    case recap = "recap/"
    case groupGoal = "goal/"

    /// The name of the record.
    /// - Parameter part: tells several records of a group apart; nil if there is only one.
    func record(of subject: Announcement.Subject, part: String? = nil) -> String {
        rawValue + subject.key + (part.map { "/" + $0 } ?? "")
    }
}

extension ProgressEngine {
    /// Writes messages for each webhook that subscribed to the announcements. Announcements that are not later than the
    /// mark are left out. Nothing is written if the learner was erased meanwhile.
    /// - Parameters:
    ///   - announcements: announcements about one learner or group, ascending. Each has the day, the instant or the
    ///     window that it is about. All these texts have the same form, in which a later text is greater in byte order.
    ///   - mark: the kind of record. Its value becomes the day, the instant or the window of the last announcement.
    ///   - part: tells several records of a group apart; nil if there is only one.
    package func announce(
        _ announcements: [(at: String, announcement: Announcement)],
        _ mark: WatchMark,
        part: String? = nil
    ) throws(EngineError) {
        guard let last = announcements.last else { return }
        try EngineError.translating {
            let subject = last.announcement.subject
            let name = mark.record(of: subject, part: part)
            func isNew(_ at: String, _ known: String?) -> Bool { known.map { $0 < at } ?? true }
            guard isNew(last.at, try store.read({ try $0.serviceRecord(name) })) else { return }
            try writeMessages(in: store.partition(of: subject)) { transaction in
                let known = try transaction.serviceRecord(name)
                guard isNew(last.at, known), try transaction.mayAnnounce(subject) else { return }
                try transaction.setServiceRecord(name, last.at)
                let new = announcements.filter { isNew($0.at, known) }.map(\.announcement)
                try transaction.enqueue(new, for: listeners(in: transaction))
            }
        }
    }
}
