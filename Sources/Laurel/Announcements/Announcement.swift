// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
package import LaurelWire

/// A change for a learner that webhooks can subscribe to.
package struct Announcement: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case achievementUnlocked = "achievement.unlocked"
        case levelReached = "level.reached"
        case streakExtended = "streak.extended"
        case streakAtRisk = "streak.at_risk"
        case wordMastered = "word.mastered"
    }

    package var kind: Kind
    package var learner: String
    package var data: [String: JSONValue]

    package init(_ kind: Kind, learner: String, _ data: [String: JSONValue]) {
        (self.kind, self.learner, self.data) = (kind, learner, data)
    }
}

extension Announcement {
    /// The announcements for the differences between two states of a learner's progress.
    /// - Parameters:
    ///   - before: the earlier progress; nil if there was none.
    ///   - mastered: the words that are mastered now and were not before.
    static func all(
        _ learner: String,
        before: LearnerProjection?,
        after: LearnerProjection,
        mastered: [MasteredWord]
    ) -> [Announcement] {
        var found: [Announcement] = []
        let indexes = before.map(after.indexes)
        for (index, track) in after.tracks.enumerated() {
            let old = indexes?[index].flatMap { before?.tracks[$0] }
            let language: JSONValue = track.language.map { .string($0) } ?? .null
            let (numbers, before) = (track.numbers, old?.numbers ?? TrackNumbers())
            if numbers.level > before.level, track.language == nil {
                found.append(Announcement(.levelReached, learner: learner, ["level": .integer(Int64(numbers.level))]))
            }
            if numbers.currentStreak > before.currentStreak, track.language == nil {
                var data: [String: JSONValue] = ["days": .integer(Int64(numbers.currentStreak))]
                data["day"] = numbers.lastActivityDay.map { .string($0.description) } ?? .null
                found.append(Announcement(.streakExtended, learner: learner, data))
            }
            for achievement in track.achievements {
                let known = old?.achievements.first { $0.id == achievement.id }?.tier ?? 0
                guard achievement.tier > known else { continue }
                found.append(
                    Announcement(
                        .achievementUnlocked,
                        learner: learner,
                        [
                            "achievement": .string(achievement.id), "language": language,
                            "tier": .integer(Int64(achievement.tier)), "tiers": .integer(Int64(achievement.tiers)),
                        ]
                    )
                )
            }
        }
        for word in mastered {
            let data: [String: JSONValue] = ["language": .string(word.language), "word": .string(word.word)]
            found.append(Announcement(.wordMastered, learner: learner, data))
        }
        return found
    }
}
