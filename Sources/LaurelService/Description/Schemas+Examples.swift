// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// Examples of answers, made of their schemas: each member has a value of its type, by its name.
extension Schemas {
    /// - Complexity: O(members).
    static func example(of type: Substring, named name: String, depth: Int = 0) -> JSONValue {
        if type.last == "?" { return example(of: type.dropLast(), named: name, depth: depth) }
        let inner = type.dropFirst().dropLast()
        switch type.first {
        case "[": return depth > deepest ? [] : [example(of: inner, named: name, depth: depth + 1)]
        case "{": return .object([key(in: name): example(of: inner, named: name, depth: depth + 1)])
        default: break
        }
        switch type {
        case "count", "integer": return .integer(Int64(integers[name] ?? 1))
        case "number": return .double(name == "progress" ? 0.5 : 42)
        case "boolean": return true
        case "any": return .string(texts[name] ?? name)
        case "string": return .string(text(of: name))
        default: return depth > deepest ? [:] : members(of: String(type), depth)
        }
    }

    private static let deepest = 5

    private static func members(of schema: String, _ depth: Int) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for line in tables[schema]?.members.split(separator: "\n") ?? [] {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words[0].last != "?" else { continue }
            members[String(words[0])] = example(of: words[1], named: String(words[0]), depth: depth + 1)
        }
        return .object(members)
    }

    private static func text(of name: String) -> String {
        if let text = texts[name] { return text }
        if name.hasSuffix("At") || ["time", "asOf", "minute"].contains(name) { return "2026-04-05T16:00:00.000Z" }
        return name.isEmpty ? "ana" : name
    }

    private static func key(in name: String) -> String {
        switch name {
        case "": "*"
        case "xpBreakdown", "metrics", "day", "week": "lines"
        default: "name"
        }
    }

    private static let integers = [
        "totalXP": 1240, "todayXP": 45, "weeklyXP": 310, "xpToNextLevel": 260, "currentLevel": 6, "currentStreak": 12,
        "longestStreak": 31, "dailyGoalMinutes": 15, "reviews": 9, "line": 3, "status": 200,
    ]

    private static let texts = [
        "userId": "ana", "learner": "ana", "subject": "ana", "displayName": "Ana", "cohort": "class-1a",
        "language": "es",
        "day": "2026-04-05", "date": "2026-04-05", "lastActivityDate": "2026-04-05", "from": "2026-03-01",
        "through": "2026-03-31", "week": "2026-W14", "estimatedCEFR": "A2", "type": "line.spoken", "source": "my-app",
        "achievement": "talker", "word": "w-17", "session": "s-4", "zone": "Europe/Madrid", "timezone": "Europe/Madrid",
        "hash": "9f2c…", "url": "https://example.com/laurel", "outcome": "active", "bucket": "learning", "status": "ok",
        "service": "laurel", "description": "/openapi.json", "version": "1.4.0", "scopes": "read",
        "code": "invalid-request",
    ]
}
