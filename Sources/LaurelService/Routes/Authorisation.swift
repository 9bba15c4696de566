// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelWire

/// The learners that a route's answers may be about. The value decides whether callers with limited rights may use the
/// route: keys and tokens for one learner, and keys for some cohorts. By default, a route is closed to them.
enum Reach: Sendable, Hashable {
    /// No learner.
    case noLearner
    /// The learner in the path.
    case learner
    /// The learners of the cohort in the query, or the learner in the query.
    case cohort
    /// The action itself limits the answer to the caller's cohorts.
    case cohorts
    /// The action itself limits the answer to the caller's learner or cohorts.
    case caller
    /// All learners.
    case allLearners
}

extension Route.Access {
    /// All scopes that a caller needs.
    var scopes: [Scope] {
        switch self {
        case .anonymous: []
        case .scopes(let scopes): scopes
        case .learner: [.read]
        }
    }
}

extension Route {
    /// True if the caller may use at least one path of the route.
    func isOpen(to caller: Caller) -> Bool {
        access.scopes.allSatisfy(caller.may) && (caller.cohorts == nil || reach != .allLearners)
            && (caller.learner == nil || reach == .learner || reach == .caller)
    }

    /// Checks a caller's rights.
    /// - Parameters:
    ///   - path: the values in the request's path.
    ///   - means: returns true if the id was merged into the learner.
    func check(
        _ caller: Caller,
        _ path: [String: String],
        means: (_ id: String, _ learner: String) throws(Problem) -> Bool
    ) throws(Problem) {
        for scope in access.scopes where !caller.may(scope) {
            throw Problem(403, "missing-scope", "this needs the scope \(scope.rawValue)")
        }
        guard isOpen(to: caller) else {
            let limit =
                caller.learner == nil
                ? "for some cohorts may ask about their learners" : "for one learner may ask about that one"
            throw Problem(403, "forbidden", "a key or token \(limit) only")
        }
        if let learner = caller.learner, reach == .learner, let id = path["id"],
            !learner.utf8.elementsEqual(id.utf8), try !means(id, learner)
        {
            throw Problem(403, "forbidden", "the token is for another learner")
        }
    }
}

/// The limits of a key for some cohorts. They apply to every route.
struct CohortLimit {
    let cohorts: [String]

    /// Creates the limits; returns nil for a caller that may see all learners.
    init?(_ caller: Caller) {
        guard let cohorts = caller.cohorts else { return nil }
        self.cohorts = cohorts
    }

    func admits(_ cohort: String?) -> Bool {
        guard let cohort else { return false }
        return cohorts.contains { $0.utf8.elementsEqual(cohort.utf8) }
    }

    /// The request, limited to the caller's cohorts. If its query names no cohort and no learner, the caller's only
    /// cohort is added. If the caller has several cohorts, a page shows the first, and other routes throw a problem.
    func narrow(_ head: HTTPRequestHead, _ route: Route) throws(Problem) -> HTTPRequestHead {
        guard route.reach == .cohort else { return head }
        let fields = Fields(head.query ?? "")
        guard !fields.has(Parameter.at.name) else { throw .onlyToday }
        let named = fields.all(Parameter.cohort.name)
        guard named.allSatisfy(admits) else { throw Problem(404, "unknown-cohort", "there is no such cohort") }
        guard named.isEmpty, !fields.has(Parameter.learner) else { return head }
        guard cohorts.count == 1 || route.isPage else {
            throw .badRequest("this key is for several cohorts: name one of them with cohort")
        }
        var head = head
        let others = (head.query ?? "").split(separator: "&").filter { !$0.hasPrefix("\(Parameter.cohort.name)=") }
        head.query = (others.map(String.init) + ["\(Parameter.cohort.name)=\(PercentCoding.encode(cohorts[0]))"])
            .joined(separator: "&")
        return head
    }

    /// Checks that the learners in a request belong to the cohorts. A learner of another cohort is reported as unknown.
    func check(_ request: ServiceRequest, _ engine: ProgressEngine) throws {
        var learners: [String] = []
        switch request.route.reach {
        case .learner: learners = [request.path("id")]
        case .cohort:
            let fields = Fields(request.head.query ?? "")
            learners = Parameter.naming.flatMap { fields.all($0) }
        case .noLearner, .cohorts, .caller, .allLearners: break
        }
        guard try engine.cohorts(of: learners).allSatisfy(admits) else { throw Problem.unknownLearner }
    }
}

extension Parameter {
    /// The query parameter that contains the learner of a report.
    static let learner = "learner"
    /// The query parameters whose value is a learner's id.
    fileprivate static let naming = [learner, "around"]
}

extension Problem {
    /// A caller whose learners depend on today's cohorts named another instant.
    static let onlyToday = Problem(
        403,
        "forbidden",
        "a key for some cohorts asks about their learners of today: leave out at"
    )
    static let unknownLearner = Problem(404, "unknown-learner", "there is no such learner in the store")
}
