// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelWire

/// A change for a learner or a group that webhooks can subscribe to.
package struct Announcement: Sendable, Hashable {
    /// The learner or the group that an announcement is about.
    package enum Subject: Sendable, Hashable {
        case learner(String)
        case group(String)
    }

    package enum Kind: String, Sendable, CaseIterable {
        case achievementUnlocked = "achievement.unlocked"
        case goalCompleted = "goal.completed"
        case levelReached = "level.reached"
        case balanceChanged = "balance.changed"
        case leagueFinished = "league.finished"
        case streakStarted = "streak.started"
        case streakExtended = "streak.extended"
        case freezeEarned = "streak.freeze_earned"
        case freezeUsed = "streak.freeze_used"
        case streakAtRisk = "streak.at_risk"
        case streakLost = "streak.lost"
        case reminderDue = "reminder.due"
        case recapDue = "recap.due"
        case wordMastered = "word.mastered"
        case groupGoalCompleted = "group.goal_completed"
        case groupStreakAtRisk = "group.streak_at_risk"
    }

    package var kind: Kind
    package var subject: Subject
    package var data: [String: JSONValue]

    package init(_ kind: Kind, learner: String, _ data: [String: JSONValue]) {
        (self.kind, subject, self.data) = (kind, .learner(learner), data)
    }

    package init(_ kind: Kind, group: String, _ data: [String: JSONValue]) {
        (self.kind, subject, self.data) = (kind, .group(group), data)
    }
}

extension Announcement.Subject {
    private static let groupMark = "group-"

    /// The id of the learner or the group.
    var id: String {
        switch self {
        case .learner(let id), .group(let id): id
        }
    }

    /// The subject's part of the names of records.
    var key: String {
        let digits = Array(id.utf8).hexadecimal
        if case .group = self { return Self.groupMark + digits }
        return digits
    }

    /// Reads a subject's part of a record's name.
    init(key: some StringProtocol) {
        let isGroup = key.hasPrefix(Self.groupMark)
        let digits = Array(key.utf8.dropFirst(isGroup ? Self.groupMark.utf8.count : 0))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        let id = String(decoding: bytes, as: UTF8.self)
        self = isGroup ? .group(id) : .learner(id)
    }
}
