// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelWire

/// `/openapi.json` (OpenAPI 3.1), derived from the table of routes.
enum OpenAPI {
    /// The document. It is made on first use, because learning the shapes of all types takes longer than the rest of a
    /// service's start.
    static let document = document(of: Route.all)

    private static func document(of routes: [Route]) -> [UInt8] {
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
            "summary": .string(route.summary), "description": .string(permission(route)),
            "operationId": .string(identifier(route)), "responses": .object(responses(route)),
        ]
        let parameters = pathParameters(route) + route.parameters.map(parameter) + headerParameters(route)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        // OpenAPI 3.1 allows roles for a bearer scheme. A service without keys accepts requests without a credential
        // from its own machine.
        let scopes = route.access.scopes.map { JSONValue.string($0.rawValue) }
        let keys: JSONValue = [["bearer": .array(scopes)], [:]]
        operation["security"] = route.access == .anonymous ? JSONValue.array([]) : keys
        if let body = route.body { operation["requestBody"] = self.body(body) }
        return .object(operation)
    }

    /// The key or token that a request needs.
    private static func permission(_ route: Route) -> String {
        let scopes = route.access.scopes.map { "`\($0.rawValue)`" }.joined(separator: " and ")
        return switch route.access {
        case .anonymous: "Needs no key."
        case .scopes: "Needs a key or token with the scope \(scopes)."
        case .learner: "Needs a key with the scope \(scopes), or a token of the learner."
        }
    }

    private static func headerParameters(_ route: Route) -> [JSONValue] {
        func field(_ name: String, isRequired: Bool, _ meaning: String) -> JSONValue {
            [
                "name": .string(name), "in": "header", "required": .boolean(isRequired),
                "description": .string(meaning), "schema": ["type": "string"],
            ]
        }
        var fields: [JSONValue] = []
        if route.codes.contains("if-match-needed") {
            fields.append(
                field("If-Match", isRequired: true, "The hash of the present rules, in quotes: their `ETag`.")
            )
        }
        if isVersioned(route) {
            fields.append(field("If-None-Match", isRequired: false, "The `ETag` of an answer that the client has."))
        }
        return fields
    }

    private static func isVersioned(_ route: Route) -> Bool {
        if case .learner = route.action { return true }
        return route.answer.isVersioned
    }

    private static func identifier(_ route: Route) -> String {
        let parts = route.path.split { !$0.isLetter && !$0.isNumber }
        // The paths of Segment's and PostHog's SDKs differ only in the version.
        let words = parts.filter { $0 != "v1" } + (route.isAnalytics && parts[0] != "v1" ? ["postHog"] : [])
        return route.method.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The content of a body. Only the first JSON media type has a full schema, because generated clients send the
    /// first.
    private static func body(_ body: BodyShape) -> JSONValue {
        var (content, others): ([String: JSONValue], [String]) = ([:], [])
        for (index, (type, schemas)) in body.media.enumerated() {
            guard !type.hasSuffix("json") || !content.keys.contains(where: { $0.hasSuffix("+json") }) else {
                others.append(type)
                continue
            }
            var media: [String: JSONValue] = ["schema": schema(anyOf: schemas)]
            if index == 0 { media["example"] = JSONValue(example: body.example) }
            content[type] = .object(media)
        }
        var members: [String: JSONValue] = ["required": true, "content": .object(content)]
        if !others.isEmpty {
            members["description"] = .string("It may be sent as \(others.joined(separator: " or ")), too.")
        }
        return .object(members)
    }

    private static func responses(_ route: Route) -> [String: JSONValue] {
        var success: [String: JSONValue] = [
            "description": .string(route.answer.status == 202 ? "Begun." : "The answer.")
        ]
        if !route.answer.mediaType.isEmpty {
            let type = String(route.answer.mediaType.prefix { $0 != ";" })
            var content: [String: JSONValue] = [type: .object(answer(route.answer))]
            for other in route.answer.others { content[other] = ["schema": ["type": "string"]] }
            success["content"] = .object(content)
        }
        let fields = route.answer.fields + (isVersioned(route) ? [.etag] : [])
        if !fields.isEmpty { success["headers"] = headers(fields) }
        var responses = problems(route).merging(["\(route.answer.status)": .object(success)]) { $1 }
        if isVersioned(route) {
            responses["304"] = ["description": "The client's answer is still valid.", "headers": headers([.etag])]
        }
        responses["431"] = [
            "description": "The request's head is longer than 8 KiB, or has more than 100 fields.",
            "content": ["text/html": ["schema": ["type": "string"]], "application/problem+json": problem],
        ]
        responses["default"] = [
            "description": "The reason why the request failed.",
            "content": ["application/problem+json": problem],
        ]
        return responses
    }

    private static let problem: JSONValue = ["schema": Schemas.schema(of: ProblemDocument.self)]

    /// The problems by status, with their codes, meanings and remedies.
    private static func problems(_ route: Route) -> [String: JSONValue] {
        var problems: [String: JSONValue] = [:]
        let codes = ProblemCode.all.filter { route.mayAnswer($0) }
        for status in Set(codes.flatMap(\.statuses)) {
            let mine = codes.filter { $0.statuses.contains(status) }
            var members: [String: JSONValue] = [
                "description": .string(mine.map { "`\($0.code)`: \($0.meaning) \($0.advice)" }.joined(separator: " ")),
                "content": ["application/problem+json": problem],
                "x-codes": .array(mine.map { .string($0.code) }),
            ]
            if [429, 503].contains(status) { members["headers"] = headers([.retryAfter]) }
            problems["\(status)"] = .object(members)
        }
        return problems
    }

    private static func headers(_ fields: [AnswerField]) -> JSONValue {
        let described = fields.map { field -> (String, JSONValue) in
            let type = field == .retryAfter ? "integer" : "string"
            return (field.rawValue, ["description": .string(field.meaning), "schema": ["type": .string(type)]])
        }
        return .object(Dictionary(described) { $1 })
    }

    private static func answer(_ answer: AnswerShape) -> [String: JSONValue] {
        guard answer.mediaType == "application/json" else { return ["schema": ["type": "string"]] }
        var media = ["schema": schema(anyOf: answer.types)]
        if let type = answer.types.first { media["example"] = Schemas.example(of: Schemas.shapes[type]) }
        return media
    }

    private static func schema(anyOf types: [DescribedType]) -> JSONValue {
        let types = types.map { Schemas.schema(of: $0) }
        return types.count > 1 ? ["anyOf": .array(types)] : types.first ?? ["type": "object"]
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
            case .time: ["type": "string", "format": "date-time", "pattern": "^(19[7-9][0-9]|[2-9][0-9]{3})-"]
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
    /// The body as JSON, or as text if it is not JSON.
    fileprivate init(example: String) {
        self = JSONValue(validated: Array(example.utf8)) ?? .string(example)
    }
}
