import LaurelWire

/// The schemas of answers, for `/openapi.json`.
enum Schemas {
    static let all: [String: JSONValue] = [
        "Problem": object(
            ["type": string, "title": string, "status": integer, "code": string, "detail": string],
            summary: "Problem Details (RFC 9457), with a code that stays."
        ),
        "RequestReport": object(
            [
                "read": count, "stored": count, "duplicates": count, "conflicts": count, "refused": count,
                "problems": ["type": "array", "items": ["$ref": "#/components/schemas/EventProblem"]],
            ],
            optional: [
                "notKept": count, "unknown": ["type": "array", "items": ["type": "object"]],
                "progress": ["type": "array", "items": ["$ref": "#/components/schemas/LearnerProgress"]],
            ],
            summary: "What became of a request's events."
        ),
        "EventProblem": object(
            [
                "index": count, "id": optionalString, "source": optionalString, "subject": optionalString,
                "code": string, "message": string,
            ],
            summary: "An event that was not stored and is no duplicate; quarantine has it."
        ),
        "LearnerProgress": object(
            [
                "userId": string, "language": optionalString, "currentStreak": count, "longestStreak": count,
                "streakFreezes": count, "lastActivityDate": optionalString, "totalXP": integer, "weeklyXP": integer,
                "currentLevel": count, "totalWordsKnown": count, "totalWordsLearned": count,
                "wordsDueForReview": count, "achievements": ["type": "array"], "events": count,
            ],
            summary: "Streak, XP, level, words and achievements."
        ),
        "LearnerOverview": object(["userId": string, "totalXP": integer, "currentLevel": count, "events": count]),
        "Job": object(
            [
                "id": string, "kind": string, "share": ["type": "number", "minimum": 0, "maximum": 1],
                "state": ["type": "string", "enum": ["waiting", "running", "done", "failed"]],
                "startedAt": optionalString, "endedAt": optionalString,
            ],
            optional: ["result": [:], "problem": ["$ref": "#/components/schemas/Problem"]],
            summary: "What takes longer than a request."
        ),
        "Token": object([
            "token": string, "learner": string, "scopes": ["type": "array", "items": string], "expiresIn": count,
        ]),
        "Webhook": object(
            [
                "id": string, "url": string, "events": ["type": "array", "items": string], "createdAt": string,
                "disabledAt": optionalString,
            ],
            optional: ["secret": string],
            summary: "Who is told, by Standard Webhooks."
        ),
        "Dropped": object(["dropped": count]),
        "Health": object(["status": ["type": "string", "enum": ["ok"]]]),
    ]

    private static let string: JSONValue = ["type": "string"]
    private static let optionalString: JSONValue = ["type": ["string", "null"]]
    private static let integer: JSONValue = ["type": "integer"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]

    private static func object(
        _ required: [String: JSONValue],
        optional: [String: JSONValue] = [:],
        summary: String? = nil
    ) -> JSONValue {
        var schema: [String: JSONValue] = [
            "type": "object", "properties": .object(required.merging(optional) { first, _ in first }),
            "required": .array(required.keys.sorted().map { .string($0) }),
        ]
        if let summary { schema["description"] = .string(summary) }
        return .object(schema)
    }
}
