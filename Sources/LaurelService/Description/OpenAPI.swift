// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelWire

/// `/openapi.json` (OpenAPI 3.1), from the table of routes.
enum OpenAPI {
    static func document(_ routes: [Route]) -> [UInt8] {
        var paths: [String: [String: JSONValue]] = [:]
        for route in routes where !route.isPage {
            paths[route.path, default: [:]][route.method.lowercased()] = operation(route)
        }
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Laurel", "version": .string(laurelVersion),
                "description": "The progress engine for language-learning apps. Events in, progress out.",
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths.mapValues { .object($0) }),
            "webhooks": webhooks,
            "components": [
                "schemas": .object(Schemas.all),
                "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
            ],
        ]
        return Array((document.json + "\n").utf8)
    }

    private static func operation(_ route: Route) -> JSONValue {
        var operation: [String: JSONValue] = [
            "summary": .string(route.summary), "operationId": .string(identifier(route)),
            "responses": .object(responses(route)),
        ]
        let parameters = pathParameters(route) + route.parameters.map(parameter)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        // OpenAPI 3.1 lets a bearer scheme list roles. A service without keys takes requests without one, from its own machine.
        let scopes = route.access.scopes.map { JSONValue.string($0.rawValue) }
        let keys: JSONValue = [["bearer": .array(scopes)], [:]]
        operation["security"] = route.access == .everyone ? JSONValue.array([]) : keys
        if let body = route.body { operation["requestBody"] = ["required": true, "content": .object(content(body))] }
        return .object(operation)
    }

    private static func identifier(_ route: Route) -> String {
        let words = route.path.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
        return route.method.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func content(_ body: BodyShape) -> [String: JSONValue] {
        var content: [String: JSONValue] = [:]
        for (index, type) in body.mediaTypes.enumerated() {
            var media: [String: JSONValue] = [:]
            if type.hasSuffix("yaml") || type.hasSuffix("ndjson") {
                media["schema"] = ["type": "string"]
            } else if index == 0 {
                media["schema"] = ["type": "object"]
            }
            if index == 0 { media["example"] = JSONValue(example: body.example) }
            content[type] = .object(media)
        }
        return content
    }

    private static func responses(_ route: Route) -> [String: JSONValue] {
        var success: [String: JSONValue] = [
            "description": .string(route.answer.status == 202 ? "Begun." : "The answer.")
        ]
        if !route.answer.mediaType.isEmpty {
            let type = String(route.answer.mediaType.prefix { $0 != ";" })
            var content: [String: JSONValue] = [type: ["schema": schema(route.answer)]]
            for other in route.answer.others { content[other] = ["schema": ["type": "string"]] }
            success["content"] = .object(content)
        }
        var responses: [String: JSONValue] = ["\(route.answer.status)": .object(success)]
        var isVersioned = route.answer.isVersioned
        if case .learner = route.action { isVersioned = true }
        if isVersioned { responses["304"] = ["description": "What the client has still holds."] }
        let problem: JSONValue = ["schema": ["$ref": "#/components/schemas/Problem"]]
        responses["431"] = [
            "description": "The request's head is longer than 8 KiB, or has more than 100 fields.",
            "content": ["text/html": ["schema": ["type": "string"]], "application/problem+json": problem],
        ]
        responses["default"] = [
            "description": "Why it is not answered as was asked.",
            "content": ["application/problem+json": problem],
        ]
        return responses
    }

    private static func schema(_ answer: AnswerShape) -> JSONValue {
        guard answer.mediaType == "application/json" else { return ["type": "string"] }
        let types = answer.types.map { Schemas.type($0[...]) }
        return types.count > 1 ? ["anyOf": .array(types)] : types.first ?? [:]
    }

    private static func pathParameters(_ route: Route) -> [JSONValue] {
        route.segments.filter { $0.first == "{" }.map { segment in
            [
                "name": .string(String(segment.dropFirst().dropLast())), "in": "path", "required": true,
                "description": "Percent-encoded, a slash included.", "schema": ["type": "string", "minLength": 1],
            ]
        }
    }

    private static func parameter(_ parameter: Parameter) -> JSONValue {
        let schema: JSONValue =
            switch parameter.kind {
            case .text: ["type": "string", "minLength": 1]
            case .flag: ["type": "string", "enum": ["", "true", "false"]]
            case .number(let range):
                range.upperBound == .max
                    ? ["type": "integer", "minimum": .integer(Int64(range.lowerBound))]
                    : [
                        "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                        "maximum": .integer(Int64(range.upperBound)),
                    ]
            case .time: ["type": "string", "format": "date-time"]
            case .day: ["type": "string", "format": "date"]
            case .choice(let names): ["type": "string", "enum": .array(names.map { .string($0) })]
            case .list: ["type": "array", "items": ["type": "string"]]
            }
        var members: [String: JSONValue] = [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary), "schema": schema,
        ]
        if parameter.isRequired { members["required"] = true }
        return .object(members)
    }
}

extension JSONValue {
    /// A body that is JSON as what it is, any other as text.
    fileprivate init(example: String) {
        self = JSONValue(validated: Array(example.utf8)) ?? .string(example)
    }
}
