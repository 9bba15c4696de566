// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The schemas of answers, for `/openapi.json`.
enum Schemas {
    static let all: [String: JSONValue] = tables.mapValues { schema($0.members, summary: $0.summary) }

    /// What they say of an object: a member a line, its name, its type and what it means. A name that ends in a question mark may be missing. Types are
    /// `string`, `integer`, `count` (0 and more), `number`, `boolean`, `any`, and the names of others; `[X]` is a list of them, `{X}` an
    /// object of any names with such values; with a question mark a value may be null.
    struct Table: Sendable {
        let summary: String
        let members: String

        init(_ summary: String, _ members: String) { (self.summary, self.members) = (summary, members) }
    }

    static let tables = [intake, learners, explanations, rules, operation, webhooks].reduce(into: [:]) {
        all,
        part in
        all.merge(part) { first, _ in first }
    }

    private static func schema(_ members: String, summary: String) -> JSONValue {
        var (properties, required): ([String: JSONValue], [String]) = ([:], [])
        for line in members.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            let name = words[0].last == "?" ? words[0].dropLast() : words[0]
            properties[String(name)] = described(type(words[1]), words[2])
            if words[0].last != "?" { required.append(String(name)) }
        }
        return [
            "type": "object", "description": .string(summary), "properties": .object(properties),
            "required": .array(required.map { .string($0) }),
        ]
    }

    /// OpenAPI 3.1 lets a description stand beside a reference.
    private static func described(_ type: JSONValue, _ meaning: Substring) -> JSONValue {
        guard case .object(var members) = type else { return type }
        members["description"] = .string(String(meaning))
        return .object(members)
    }

    /// - Complexity: O(depth), which is that of the tables.
    static func type(_ text: Substring) -> JSONValue {
        if text.last == "?" {
            let one = type(text.dropLast())
            guard case .object(var members) = one, let type = members["type"] else {
                return ["anyOf": [one, ["type": "null"]]]
            }
            members["type"] = [type, "null"]
            return .object(members)
        }
        let inner = text.dropFirst().dropLast()
        switch text.first {
        case "[": return ["type": "array", "items": type(inner)]
        case "{": return ["type": "object", "additionalProperties": type(inner)]
        default: break
        }
        switch text {
        case "any": return [:]
        case "count": return ["type": "integer", "minimum": 0]
        case "string", "integer", "number", "boolean": return ["type": .string(String(text))]
        default: return ["$ref": .string("#/components/schemas/\(text)")]
        }
    }

    /// True if an answer, a message of a webhook, or another schema is made of one.
    static func uses(of name: String) -> Bool {
        let members = tables.values.flatMap { $0.members.split(separator: "\n") }
        let types =
            (Route.all.flatMap { $0.answer.types + ($0.body?.media.flatMap(\.value) ?? []) } + OpenAPI.messageSchemas)
            .map { $0[...] }
            + members.map { $0.split(separator: " ")[1] }
        return types.contains { type in
            type.split { !$0.isLetter }.contains { $0 == name }
        }
    }
}
