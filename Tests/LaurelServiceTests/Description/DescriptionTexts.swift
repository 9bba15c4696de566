// SPDX-License-Identifier: Apache-2.0

import Laurel

@testable import LaurelService

/// TypeScript interfaces.
struct TypeScript {
    let texts: [String: String]

    init(_ texts: [String: String]) { self.texts = texts }

    /// The types of some routes' answers and of live messages, in the order of their names.
    func interfaces(_ routes: [Route]) -> String {
        var names: Set<String> = []
        func add(_ shape: Shape) {
            switch shape {
            case .list(let inner), .map(let inner): add(inner)
            case .members(let members): for member in members { add(member.shape) }
            case .object(let name) where names.insert(name).inserted:
                for member in Schemas.shapes.objects[name] ?? [] { add(member.shape) }
            default: break
            }
        }
        for type in routes.flatMap(\.answer.types) + [UnlockedAchievement.self] { add(Schemas.shapes[type]) }
        return names.subtracting(["CloudEvent"]).sorted().map(interface).joined(separator: "\n")
    }

    private func interface(_ name: String) -> String {
        let members = (Schemas.shapes.objects[name] ?? []).map { member in
            """
              /** \(Schemas.description(of: member, texts)) */
              \(member.name)\(member.mayBeMissing ? "?" : ""): \(type(member));

            """
        }
        return """
            /** \(texts[name] ?? "") */
            export interface \(Schemas.component(name)) {
            \(members.joined())}

            """
    }

    private func type(_ member: Shape.Member) -> String {
        let type = type(member.shape)
        return member.mayBeNull && type != "unknown" ? "\(type) | null" : type
    }

    private func type(_ shape: Shape) -> String {
        switch shape {
        case .any: "unknown"
        case .string, .instant, .day, .choice: "string"
        case .integer, .number: "number"
        case .boolean: "boolean"
        case .list(let element): "\(type(element))[]"
        case .map(let value): "Record<string, \(type(value))>"
        case .object(let name): Schemas.component(name)
        case .members(let members): "{ \(members.map { "\($0.name): \(type($0))" }.joined(separator: "; ")) }"
        }
    }
}

/// Markdown tables, one for each type.
struct JSONTables {
    /// Types that only commands return.
    private static let ofCommands = Shapes(
        of: [
            BalanceExplanation.self, IngestReport.self, ReplayReport.self, RulesApplication.self,
            VerificationReport.self, RuleTestReport.self,
        ]
    )

    let texts: [String: String]

    init(_ texts: [String: String]) { self.texts = texts }

    var document: String {
        let objects = Schemas.shapes.objects.merging(Self.ofCommands.objects) { first, _ in first }
        return objects.sorted { $0.key < $1.key }.map { name, members in
            let rows = members.map(row).joined(separator: "\n")
            let head = "| member | type | meaning |\n|---|---|---|\n"
            return "\n## \(Schemas.component(name))\n\n\(texts[name] ?? "")\n\n\(head)\(rows)\n"
        }.joined()
    }

    private func row(_ member: Shape.Member) -> String {
        let meaning = Schemas.description(of: member, texts).replacing("|", with: "\\|")
        let notes = (member.mayBeNull ? " or null" : "") + (member.mayBeMissing ? "; may be missing" : "")
        return "| `\(member.name)` | \(type(member.shape))\(notes) | \(meaning) |"
    }

    private func type(_ shape: Shape) -> String {
        switch shape {
        case .any: "any JSON"
        case .string, .choice: "text"
        case .instant: "time"
        case .day: "day"
        case .integer: "whole number"
        case .number: "number"
        case .boolean: "true or false"
        case .list(let element): "list of \(type(element))"
        case .map(let value): "object of \(type(value))"
        case .object(let name): "[\(Schemas.component(name))](#\(Schemas.component(name).lowercased()))"
        case .members(let members): "object of " + members.map { "`\($0.name)`" }.joined(separator: ", ")
        }
    }
}

/// Tables of Markdown, of routes, messages and problems.
enum DescribedTables {
    static var asking: String {
        let routes = Route.all.filter { isListed($0) && ($0.access == .learner || $0.access == .scopes([.read])) }
        return table(["request", "answers", "query"], routes) { [$0.summary, query($0)] }
    }

    static var administering: String {
        let routes = Route.all.filter { isListed($0) && $0.access != .learner && $0.access != .scopes([.read]) }
        return table(["request", "does", "query", "needs"], routes) { route in
            [route.summary, query(route), route.access.scopes.map { "`\($0.rawValue)`" }.joined(separator: ", ")]
        }
    }

    static var webhooks: String {
        let rows = Announcement.Kind.allCases.map { kind in
            let (when, _, example) = OpenAPI.message(kind)
            return "| `\(kind.rawValue)` | \(when) | `\(example.json)` |\n"
        }
        return "| event | when | `data`, for example |\n|---|---|---|\n" + rows.joined()
    }

    static var codes: String {
        let rows = ProblemCode.all.map { one in
            let statuses = one.statuses.map { "\($0)" }.joined(separator: ", ")
            return "| `\(one.code)` | \(statuses) | \(one.meaning) | \(one.advice) |\n"
        }
        return "| code | status | meaning | what to do |\n|---|---|---|---|\n" + rows.joined()
    }

    private static func isListed(_ route: Route) -> Bool {
        !route.isPage && route.path.hasPrefix("/v1/") && route.access != .anonymous
            && route.access != .scopes([.ingest])
    }

    private static func query(_ route: Route) -> String {
        route.parameters.map { "`\($0.name)`" }.joined(separator: ", ")
    }

    private static func table(_ heads: [String], _ routes: [Route], _ cells: (Route) -> [String]) -> String {
        let rows = routes.map { route in
            "| `\(route.method) \(route.path)` | \(cells(route).joined(separator: " | ")) |\n"
        }
        let rule = String(repeating: "|---", count: heads.count) + "|\n"
        return "| \(heads.joined(separator: " | ")) |\n" + rule + rows.joined()
    }
}
