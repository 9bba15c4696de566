// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelWire

/// The messages that webhooks receive.
extension OpenAPI {
    /// THE list of messages by type. For each type, the list gives the occasion, the type of the data, and an example.
    /// The site's page on HTTP has a table of this list.
    static func message(_ kind: Announcement.Kind) -> (
        when: String, type: DescribedType, example: JSONValue
    ) {
        switch kind {
        case .achievementUnlocked:
            (
                "An achievement is unlocked, or its next tier.", AchievementUnlocked.self,
                ["learner": "ana", "achievement": "talker", "language": .null, "tier": 1, "tiers": 3]
            )
        case .goalCompleted:
            (
                "A goal is completed in its window.", GoalCompleted.self,
                [
                    "learner": "ana", "goal": "thirty", "every": "day", "times": 5,
                    "completedAt": "2026-04-05T18:00:00.000Z",
                ]
            )
        case .levelReached: ("The overall level rises.", LevelReached.self, ["learner": "ana", "level": 4])
        case .balanceChanged:
            (
                "Events change a balance. Earlier refills are included.", BalanceChanged.self,
                [
                    "learner": "ana", "currency": "hearts", "balance": 4, "change": -1,
                    "nextRefillAt": "2026-04-05T22:00:00.000Z",
                ]
            )
        case .leagueFinished:
            (
                "A week of a league is settled, or late events improve the result.", LeagueFinished.self,
                [
                    "learner": "ana", "league": "weekly", "week": "2026-W14", "tier": "bronze", "next": "silver",
                    "outcome": "promoted", "rank": 3, "of": 28, "xp": 820,
                ]
            )
        case .streakStarted: ("A streak begins.", StreakStarted.self, ["learner": "ana", "day": "2026-04-05"])
        case .freezeEarned:
            (
                "A freeze is earned, bought or granted.", FreezeEarned.self,
                ["learner": "ana", "count": 1, "freezes": 2]
            )
        case .streakExtended:
            ("A day is added to the streak.", StreakExtended.self, ["learner": "ana", "days": 12, "day": "2026-04-05"])
        case .streakAtRisk:
            (
                "Once, in the last four hours of the learner's day: a streak of at least `streak-at-risk-days` ends tonight.",
                StreakAtRisk.self,
                ["learner": "ana", "days": 12, "endsAt": "2026-04-05T22:00:00.000Z"]
            )
        case .freezeUsed:
            (
                "A missed day has ended, and a freeze saved the streak.", FreezeUsed.self,
                ["learner": "ana", "day": "2026-04-05", "days": 12, "freezes": 1]
            )
        case .streakLost:
            (
                "A missed day has ended the streak.", StreakLost.self,
                ["learner": "ana", "day": "2026-04-05", "days": 12]
            )
        case .reminderDue:
            (
                "Once a day, at the learner's usual hour.", ReminderDue.self,
                ["learner": "ana", "days": 12, "hour": 18]
            )
        case .recapDue: ("From 8 on the first day after a week with practice.", RecapDue.self, recap)
        case .wordMastered:
            (
                "A word reaches the highest mastery.", WordMastered.self,
                ["learner": "ana", "language": "es", "word": "w-17"]
            )
        case .groupGoalCompleted:
            (
                "A group has completed a goal. The message is sent once in each window.", GroupGoalCompleted.self,
                ["group": "blue", "goal": "together", "every": "week", "window": "2026-W14", "target": 1000]
            )
        case .groupStreakAtRisk:
            (
                "Once, in the last four hours of the group's day: more members must practise, or the group's streak ends.",
                GroupStreakAtRisk.self,
                ["group": "blue", "days": 12, "needed": 3, "practised": 2, "endsAt": "2026-04-05T22:00:00.000Z"]
            )
        }
    }

    private static let recap: JSONValue = [
        "learner": "ana", "from": "2026-03-30", "through": "2026-04-05", "activeDays": 4, "minutes": 75, "xp": 820,
        "lines": 90, "reviews": 60, "newWords": 12, "learnedWords": 5,
    ]

    /// An example of a message's data.
    static func example(_ kind: Announcement.Kind) -> JSONValue { message(kind).example }

    /// The types of the messages' data.
    static var messageTypes: [DescribedType] { Announcement.Kind.allCases.map { message($0).type } }

    static var webhooks: JSONValue {
        let pairs = Announcement.Kind.allCases.map { ($0.rawValue, webhook($0)) }
        return .object(Dictionary(uniqueKeysWithValues: pairs))
    }

    private static func webhook(_ kind: Announcement.Kind) -> JSONValue {
        let (when, data, example) = message(kind)
        let type = JSONValue.string(kind.rawValue)
        let content: JSONValue = [
            "schema": [
                "type": "object", "required": ["type", "timestamp", "data"],
                "properties": [
                    "type": ["const": type], "timestamp": ["type": "string", "format": "date-time"],
                    "data": Schemas.schema(of: data),
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
