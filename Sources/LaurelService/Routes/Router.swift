// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP

/// Finds the route of a request.
struct Router: Sendable {
    enum Match {
        case found(Route, [String: String])
        case failed(Problem)
    }

    let routes: [Route]
    /// By the first segments that are no names, so that few have to be looked at.
    private let byLength: [Int: [Route]]

    init(_ routes: [Route]) {
        self.routes = routes
        byLength = Dictionary(grouping: routes) { $0.segments.count }
    }

    func match(_ head: HTTPRequestHead) -> Match {
        // Taken apart before it is decoded: a slash within an id is written %2F.
        var parts: [String] = []
        for part in head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let decoded = PercentCoding.decode(part) else {
                return .failed(.badRequest("the path has a percent sign without two digits, or is no UTF-8"))
            }
            parts.append(decoded)
        }
        if parts.last == "" { parts.removeLast() }
        guard !parts.contains("") else { return .failed(.notFound("there is nothing at this path")) }
        let candidates = (byLength[parts.count] ?? []).compactMap { route in route.match(parts).map { (route, $0) } }
        let method = head.method == "HEAD" ? "GET" : head.method
        if let (route, values) = candidates.first(where: { $0.0.method == method }) { return .found(route, values) }
        guard !candidates.isEmpty else { return .failed(.notFound("there is nothing at this path")) }
        let allowed = candidates.map(\.0.method)
        var problem = Problem(405, "method-not-allowed", "here only \(allowed.joined(separator: ", ")) is answered")
        problem.headers["Allow"] = (allowed.contains("GET") ? allowed + ["HEAD"] : allowed).joined(separator: ", ")
        return .failed(problem)
    }
}
