// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

extension Progress {
    /// The fields by name, in the order of docs/numbers.md, "Progress as of an instant".
    package var fields: [(name: String, value: JSONValue)] {
        identity + streakAndXP + words + activity + version
    }

    /// The fields as one JSON object.
    package var json: JSONValue { .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })) }

    private var identity: [(name: String, value: JSONValue)] {
        [
            ("userId", .string(userId)),
            ("language", .optional(language)),
            ("displayName", .optional(displayName)),
        ]
    }

    /// Where the rules have several versions.
    private var version: [(name: String, value: JSONValue)] {
        rules.map { [("rules", .object(["name": .string($0.name), "from": .optional($0.from)]))] } ?? []
    }

    private var streakAndXP: [(name: String, value: JSONValue)] {
        [
            ("currentStreak", .count(currentStreak)),
            ("longestStreak", .count(longestStreak)),
            ("streakFreezes", .count(streakFreezes)),
            ("lastActivityDate", .optional(lastActivityDate)),
            ("todayMinutes", .count(todayMinutes)),
            ("dailyGoalMinutes", .count(dailyGoalMinutes)),
            ("totalXP", .number(totalXP)),
            ("todayXP", .number(todayXP)),
            ("weeklyXP", .number(weeklyXP)),
            ("xpBreakdown", .object(xpBreakdown)),
            ("currentLevel", .count(currentLevel)),
            ("levelProgressPercent", .number(levelProgressPercent)),
            ("xpToNextLevel", xpToNextLevel.map(JSONValue.number) ?? .null),
        ]
    }

    private var words: [(name: String, value: JSONValue)] {
        [
            ("totalWordsKnown", .count(totalWordsKnown)),
            ("totalWordsLearned", .count(totalWordsLearned)),
            ("wordsDueForReview", .count(wordsDueForReview)),
            (
                "vocabulary",
                .object([
                    "new": .count(vocabulary.new), "learning": .count(vocabulary.learning),
                    "reviewing": .count(vocabulary.reviewing), "mastered": .count(vocabulary.mastered),
                ])
            ),
            ("vocabularyMasteryPercent", .number(vocabularyMasteryPercent)),
        ]
    }

    private var activity: [(name: String, value: JSONValue)] {
        [
            ("totalSessions", .count(totalSessions)),
            ("totalMinutesPlayed", .count(totalMinutesPlayed)),
            ("soloSessions", .count(soloSessions)),
            ("multiplayerSessions", .count(multiplayerSessions)),
            ("successfulRepairs", .count(successfulRepairs)),
            ("helpGiven", .count(helpGiven)),
            ("teamWins", .count(teamWins)),
            ("estimatedCEFR", .optional(estimatedCEFR)),
            ("cefrProgressPercent", cefrProgressPercent.map(JSONValue.number) ?? .null),
            ("metrics", .object(metrics)),
            ("day", .object(day)),
            ("week", .object(week)),
            ("achievements", .array(achievements.map(\.json))),
            ("events", .count(events)),
        ]
    }
}

extension AchievementProgress {
    package var json: JSONValue {
        .object([
            "id": .string(id), "tier": .count(tier), "tiers": .count(tiers),
            "unlockedAt": unlockedAt.map { .string(Timestamp.utc($0)) } ?? .null, "progress": .number(progress),
        ])
    }
}

extension JSONValue {
    package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// Whole numbers without a fraction.
    package static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map(JSONValue.integer) ?? .double(value)
    }

    package static func object(_ numbers: [NamedNumber]) -> JSONValue {
        .object(Dictionary(numbers.map { ($0.name, number($0.value)) }) { _, last in last })
    }
}
