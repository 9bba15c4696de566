// SPDX-License-Identifier: Apache-2.0

package import LaurelWire

/// A change for a learner that webhooks can subscribe to.
package struct Announcement: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case achievementUnlocked = "achievement.unlocked"
        case goalCompleted = "goal.completed"
        case levelReached = "level.reached"
        case balanceChanged = "balance.changed"
        case streakStarted = "streak.started"
        case streakExtended = "streak.extended"
        case freezeEarned = "streak.freeze_earned"
        case freezeUsed = "streak.freeze_used"
        case streakAtRisk = "streak.at_risk"
        case streakLost = "streak.lost"
        case reminderDue = "reminder.due"
        case recapDue = "recap.due"
        case wordMastered = "word.mastered"
    }

    package var kind: Kind
    package var learner: String
    package var data: [String: JSONValue]

    package init(_ kind: Kind, learner: String, _ data: [String: JSONValue]) {
        (self.kind, self.learner, self.data) = (kind, learner, data)
    }
}
