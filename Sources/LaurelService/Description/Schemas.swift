// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The schemas of answers and bodies, for `/openapi.json`. Their members come from the Swift types, and their
/// descriptions from the doc comments.
enum Schemas {
    static let shapes = Shapes(
        of: Route.all.flatMap { $0.answer.types + ($0.body?.media.flatMap(\.value) ?? []) }
            + OpenAPI.messageTypes + [ProblemDocument.self, UnlockedAchievement.self]
    )

    static let all = Dictionary(
        uniqueKeysWithValues: shapes.objects.map { name, members in
            (component(name), object(members, ["description": .string(descriptions[name] ?? "")]))
        }
    )

    /// The members of an object, in the order of its JSON.
    static func members(of type: any Decodable.Type) -> [Shape.Member] {
        if case .object(let name) = shapes[type] { shapes.objects[name] ?? [] } else { [] }
    }

    static func schema(of type: any Decodable.Type) -> JSONValue { schema(shapes[type]) }

    /// The name of a type as the name of a schema: `XPExplanationEntry`.
    static func component(_ name: String) -> String { name.filter { $0 != "." } }

    private static func object(_ members: [Shape.Member], _ others: [String: JSONValue] = [:]) -> JSONValue {
        let properties = Dictionary(members.map { ($0.name, described($0)) }) { first, _ in first }
        let required = members.filter { !$0.mayBeMissing }.map { JSONValue.string($0.name) }
        let schema: [String: JSONValue] = [
            "type": "object", "properties": .object(properties), "required": .array(required),
        ]
        return .object(schema.merging(others) { first, _ in first })
    }

    /// OpenAPI 3.1 allows a description beside a reference.
    private static func described(_ member: Shape.Member) -> JSONValue {
        let text = description(of: member)
        var schema = schema(member.shape)
        if member.shape == .integer, !mayBeNegative(text) { schema = ["type": "integer", "minimum": 0] }
        if member.mayBeNull { schema = orNull(schema) }
        guard case .object(var members) = schema else { return schema }
        members["description"] = .string(text)
        return .object(members)
    }

    private static func orNull(_ schema: JSONValue) -> JSONValue {
        guard case .object(var members) = schema, !members.isEmpty else { return schema }
        guard let type = members["type"] else { return ["anyOf": [schema, ["type": "null"]]] }
        members["type"] = [type, "null"]
        return .object(members)
    }

    private static func schema(_ shape: Shape) -> JSONValue {
        switch shape {
        case .any: [:]
        case .string, .instant, .day, .choice: ["type": "string"]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .list(let element): ["type": "array", "items": schema(element)]
        case .map(let value): ["type": "object", "additionalProperties": schema(value)]
        case .object(let name): ["$ref": .string("#/components/schemas/\(component(name))")]
        case .members(let members): object(members)
        }
    }

    // MARK: Descriptions

    /// The doc comments of types and of their members, by name: `Session`, `Session.sessionId`. A test writes the
    /// resource.
    static let descriptions: [String: String] = {
        let lines = String(decoding: PackageResources.descriptions_txt, as: UTF8.self).split(separator: "\n")
        let pairs = lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
    }()

    static func description(of member: Shape.Member, _ texts: [String: String] = descriptions) -> String {
        let text = texts["\(member.owner).\(member.name)"] ?? ""
        return switch member.shape {
        case .instant: "\(text) RFC 3339, in UTC."
        case .day: "\(text) YYYY-MM-DD."
        case .choice(let names): "\(text) One of \(names.joined(separator: ", "))."
        default: text
        }
    }

    /// True if a number may be negative. A whole number is 0 or more unless its description says otherwise.
    private static func mayBeNegative(_ description: String) -> Bool {
        description.contains("negative") || description.contains("0 or less")
    }
}
