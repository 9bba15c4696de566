// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP
import LaurelWire

/// Finds the route of a request.
struct Router: Sendable {
    enum Match {
        case found(Route, [String: String])
        case failed(Problem)
    }

    /// A node in the tree of path segments. All routes below a node have paths that begin with the same segments.
    private struct Branch: Sendable {
        var named: [String: Branch] = [:]
        /// The branch for a name in braces, which matches any segment; empty if there is none. It never has more than
        /// one element.
        var anything: [Branch] = []
        /// The routes whose path ends at this node.
        var routes: [Route] = []

        mutating func insert(_ route: Route, _ rest: ArraySlice<Substring>) {
            guard let segment = rest.first else { return routes.append(route) }
            if segment.first == "{" {
                if anything.isEmpty { anything.append(Branch()) }
                anything[0].insert(route, rest.dropFirst())
            } else {
                named[String(segment), default: Branch()].insert(route, rest.dropFirst())
            }
        }

        /// Finds all routes that match a path. At each segment, an exact match comes before a name in braces.
        func find(_ path: ArraySlice<String>, _ found: inout [Route]) {
            guard let segment = path.first else { return found += routes }
            named[segment]?.find(path.dropFirst(), &found)
            anything.first?.find(path.dropFirst(), &found)
        }
    }

    private var root = Branch()
    /// The routes without names in braces, by their whole path.
    private var whole: [String: [Route]] = [:]

    init(_ routes: [Route]) {
        for route in routes {
            root.insert(route, route.segments[...])
            if !route.path.contains("{") { whole[route.path, default: []].append(route) }
        }
    }

    func match(_ head: HTTPRequestHead) -> Match {
        if let route = whole[head.path]?.first(where: { $0.method == head.method }) { return .found(route, [:]) }
        // A slash within an id is written as %2F, so the path is split before it is decoded.
        var parts: [String] = []
        for part in head.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let decoded = PercentCoding.decode(Substring(part)) else {
                return .failed(.badRequest("the path has a percent sign without two digits, or is no UTF-8"))
            }
            parts.append(decoded)
        }
        if parts.last == "" { parts.removeLast() }
        guard !parts.contains("") else { return .failed(.notFound("there is nothing at this path")) }
        var candidates: [Route] = []
        root.find(parts[...], &candidates)
        let method = head.method == "HEAD" ? "GET" : head.method
        if let route = candidates.first(where: { $0.method == method }) {
            return .found(route, route.values(in: parts))
        }
        guard !candidates.isEmpty else { return .failed(.notFound("there is nothing at this path")) }
        let allowed = candidates.map(\.method)
        var problem = Problem(405, "method-not-allowed", "here only \(allowed.joined(separator: ", ")) is answered")
        problem.headers["Allow"] = (allowed.contains("GET") ? allowed + ["HEAD"] : allowed).joined(separator: ", ")
        return .failed(problem)
    }
}
