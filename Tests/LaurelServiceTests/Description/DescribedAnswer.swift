// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP

@testable import LaurelService

/// Compares the answers in tests with the description in `/openapi.json`.
struct DescribedAnswer {
    // The value is never written.
    nonisolated(unsafe) private static let document =
        (try? JSONSerialization.jsonObject(with: Data(OpenAPI.document))) as? [String: Any] ?? [:]

    /// - Returns: the places where an answer differs from its description, undescribed members included.
    static func problems(_ response: HTTPResponse, to head: HTTPRequestHead) -> [String] {
        guard case .found(let route, _) = Router(Route.all).match(head), head.method != "HEAD", !route.isPage
        else { return [] }
        // The document describes the answers to programs, not the redirect of a browser to the dashboard.
        if head.wantsPage, response.status == 303 { return [] }
        let operation = member(document, ["paths", route.path, route.method.lowercased(), "responses"])
        let responses = operation as? [String: Any] ?? [:]
        let isProblem = response.headers["Content-Type"] == "application/problem+json"
        guard let described = responses["\(response.status)"] ?? (isProblem ? responses["default"] : nil) else {
            return ["\(response.status) is not described"]
        }
        guard let type = response.headers["Content-Type"]?.prefix(while: { $0 != ";" }) else { return [] }
        guard let schema = member(described, ["content", String(type), "schema"]) as? [String: Any] else {
            return ["\(type) is not described"]
        }
        guard type.hasSuffix("json"),
            let value = try? JSONSerialization.jsonObject(with: Data(response.bytes), options: .fragmentsAllowed)
        else { return [] }
        let codes = (described as? [String: Any])?["x-codes"] as? [String] ?? []
        return problems(value, schema, "answer") + (isProblem ? unlistedCode(value, response.status, codes) : [])
    }

    /// A code that the route does not list for this status, and that no refused event has.
    private static func unlistedCode(_ problem: Any, _ status: Int, _ codes: [String]) -> [String] {
        let code = (problem as? [String: Any])?["code"] as? String ?? ""
        let isRefusal = status == 422 && refusals.contains(code)
        return codes.contains(code) || isRefusal ? [] : ["the route does not list the code \(code) with \(status)"]
    }

    private static let refusals: Set<String> = [
        "invalid-json", "too-long", "duplicate-key", "missing", "invalid-attribute", "invalid-field", "unknown-name",
        "future",
        "forbidden-type", "forbidden-source", "forbidden-retraction", "forbidden-learner", "unmapped",
    ]

    /// The differences of a webhook's message from the description of its type.
    static func problems(ofMessage body: [UInt8]) -> [String] {
        guard let message = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            let type = message["type"] as? String
        else { return ["the message has no type"] }
        let content = member(document, ["webhooks", type, "post", "requestBody", "content", "application/json"])
        guard let schema = (content as? [String: Any])?["schema"] as? [String: Any] else {
            return ["\(type) is not described"]
        }
        return problems(message, schema, type)
    }

    private static func member(_ value: Any, _ path: [String]) -> Any? {
        path.reduce(value) { value, name in (value as? [String: Any])?[name] as Any }
    }

    private static func problems(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        if let name = schema["$ref"] as? String {
            let parts = name.split(separator: "/").dropFirst().map(String.init)
            guard let target = member(document, parts) as? [String: Any] else { return ["\(name) is not there"] }
            return problems(value, target, place)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let found = choices.map { problems(value, $0, place) }
            return found.contains([]) ? [] : found.min { $0.count < $1.count } ?? []
        }
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
        guard types.isEmpty || types.contains(where: { isOf($0, value) }) else { return ["\(place) is no \(types)"] }
        if let least = schema["minimum"] as? Double, let number = value as? Double, number < least {
            return ["\(place) is \(number)"]
        }
        if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            return list.prefix(50).enumerated().flatMap { problems($1, items, "\(place)[\($0)]") }
        }
        guard let object = value as? [String: Any] else { return [] }
        let members = schema["properties"] as? [String: [String: Any]] ?? [:]
        let others = schema["additionalProperties"] as? [String: Any]
        let required = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
        return required.map { "\(place).\($0) is missing" }
            + object.flatMap { name, value -> [String] in
                guard let known = members[name] ?? others else {
                    return members.isEmpty ? [] : ["\(place).\(name) is not described"]
                }
                return problems(value, known, "\(place).\(name)")
            }
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "null": return value is NSNull
        case "string": return value is String
        case "array": return value is [Any]
        case "object": return value is [String: Any]
        case "boolean": return value is Bool
        case "integer": return (value as? Double).map { $0.rounded() == $0 } ?? false
        default: return value is Double || value is Int
        }
    }
}
