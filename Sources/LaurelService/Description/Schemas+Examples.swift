// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// Examples of answers, derived from their shapes. Each member has a value of its type, chosen by its name.
extension Schemas {
    /// An example value.
    /// - Complexity: O(members).
    static func example(of shape: Shape, named name: String = "", depth: Int = 0) -> JSONValue {
        switch shape {
        case .any: .string(texts[name] ?? name)
        case .string: .string(text(of: name))
        case .instant: "2026-04-05T16:00:00.000Z"
        case .day: .string(texts[name] ?? "2026-04-05")
        case .choice(let names): .string(texts[name] ?? names[0])
        case .integer: .integer(Int64(integers[name] ?? 1))
        case .number: .double(name == "progress" ? 0.5 : 42)
        case .boolean: true
        case .list(let element): depth > deepest ? [] : [example(of: element, named: name, depth: depth + 1)]
        case .map(let value): .object([key(in: name): example(of: value, named: name, depth: depth + 1)])
        case .object(let type): depth > deepest ? [:] : example(of: shapes.objects[type] ?? [], depth)
        case .members(let members): depth > deepest ? [:] : example(of: members, depth)
        }
    }

    private static let deepest = 5

    private static func example(of members: [Shape.Member], _ depth: Int) -> JSONValue {
        let values = members.filter { !$0.mayBeMissing }.map { member in
            (member.name, example(of: member.shape, named: member.name, depth: depth + 1))
        }
        return .object(Dictionary(values) { first, _ in first })
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
