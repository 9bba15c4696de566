// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelWire

/// The messages that webhooks get.
extension OpenAPI {
    /// THE list of messages by their type: when each is sent, the name of the schema of its data, and an example, which
    /// `docs/service.md` shows, too.
    private static func message(_ kind: Announcement.Kind) -> (when: String, schema: String, example: JSONValue) {
        switch kind {
        case .achievementUnlocked:
            (
                "An achievement is unlocked, or its next tier.", "AchievementUnlocked",
                ["learner": "ana", "achievement": "talker", "language": .null, "tier": 1, "tiers": 3]
            )
        case .levelReached: ("The overall level rises.", "LevelReached", ["learner": "ana", "level": 4])
        case .streakExtended:
            ("A day is added to the streak.", "StreakExtended", ["learner": "ana", "days": 12, "day": "2026-04-05"])
        case .streakAtRisk:
            (
                "A streak ends tonight unless the learner practises.", "StreakAtRisk",
                ["learner": "ana", "days": 12, "endsAt": "2026-04-05T22:00:00.000Z"]
            )
        case .wordMastered:
            (
                "A word reaches the highest mastery.", "WordMastered",
                ["learner": "ana", "language": "es", "word": "w-17"]
            )
        }
    }

    /// An example of the data of a message.
    static func example(_ kind: Announcement.Kind) -> JSONValue { message(kind).example }

    /// The names of the schemas of the messages' data.
    static var messageSchemas: [String] { Announcement.Kind.allCases.map { message($0).schema } }

    static var webhooks: JSONValue {
        let pairs = Announcement.Kind.allCases.map { ($0.rawValue, webhook($0)) }
        return .object(Dictionary(uniqueKeysWithValues: pairs))
    }

    private static func webhook(_ kind: Announcement.Kind) -> JSONValue {
        let (when, schema, example) = message(kind)
        let type = JSONValue.string(kind.rawValue)
        let content: JSONValue = [
            "schema": [
                "type": "object", "required": ["type", "timestamp", "data"],
                "properties": [
                    "type": ["const": type], "timestamp": ["type": "string", "format": "date-time"],
                    "data": ["$ref": .string("#/components/schemas/\(schema)")],
                ],
            ],
            "example": ["type": type, "timestamp": "2026-04-05T18:00:00.000Z", "data": example],
        ]
        return [
            "post": [
                "summary": .string(when), "requestBody": ["required": true, "content": ["application/json": content]],
                "responses": [
                    "2XX": ["description": "The message is taken."],
                    "410": ["description": "The webhook is turned off."],
                    "default": ["description": "The message is sent again later."],
                ],
            ]
        ]
    }
}

extension Schemas {
    static let webhooks = [
        "AchievementUnlocked": Table(
            "An achievement that was unlocked, or a tier of one.",
            """
            learner string The learner's id.
            achievement string The achievement's id, as the rules spell it.
            language string? Language of the track; null for the overall one.
            tier count Tiers that are unlocked now.
            tiers count Tiers that there are.
            """
        ),
        "LevelReached": Table(
            "A level that was reached.",
            """
            learner string The learner's id.
            level count Overall level that was reached.
            """
        ),
        "StreakExtended": Table(
            "A streak that has grown.",
            """
            learner string The learner's id.
            days count Streak, in days.
            day string? Latest active day, YYYY-MM-DD, by the learner's clock; null without one.
            """
        ),
        "StreakAtRisk": Table(
            "A streak that is about to end.",
            """
            learner string The learner's id.
            days count Streak, in days.
            endsAt string End of the learner's local day, RFC 3339 in UTC.
            """
        ),
        "WordMastered": Table(
            "A word that is mastered.",
            """
            learner string The learner's id.
            language string Language of the word.
            word string The word's id, as the app gave it.
            """
        ),
    ]
}
