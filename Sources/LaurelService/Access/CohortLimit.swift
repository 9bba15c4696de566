// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

/// The limit of a key for some cohorts. A request of it is about learners of these cohorts, about nobody, or refused.
struct CohortLimit {
    let cohorts: [String]
    let engine: ProgressEngine

    /// Parameters that name learners.
    private static let names = ["learner", "around"]

    /// Refuses a request that goes beyond the limit.
    /// - Parameters:
    ///   - query: as it was sent; one without a cohort gets the key's own.
    ///   - path: the values of the route's path.
    func admit(_ query: inout String?, of route: Route, _ path: [String: String]) throws(Problem) {
        switch route.cohortUse {
        case .none: throw Problem(403, "forbidden", "a key for cohorts may ask about their learners only")
        case .aboutNobody: return
        case .learner: try check(path["id"] ?? "")
        case .named: break
        case .cohort: query = try withCohort(query ?? "")
        }
        let fields = Fields(query ?? "")
        for name in Self.names { for learner in fields.all(name) { try check(learner) } }
    }

    private func check(_ learner: String) throws(Problem) {
        let isMember: Bool
        do throws(EngineError) {
            isMember = try engine.isLearner(learner, in: cohorts)
        } catch {
            throw Problem(error)
        }
        guard isMember else { throw Problem(404, "unknown-learner", "there is no such learner in the key's cohorts") }
    }

    private func withCohort(_ query: String) throws(Problem) -> String {
        let given = Fields(query).all("cohort")
        guard let cohort = given.first ?? (cohorts.count == 1 ? cohorts[0] : nil) else {
            throw .badRequest("name one of the key's cohorts: \(cohorts.joined(separator: ", "))")
        }
        guard given.count <= 1, cohorts.contains(where: { $0.utf8.elementsEqual(cohort.utf8) }) else {
            throw Problem(403, "forbidden", "the key is for other cohorts: \(cohorts.joined(separator: ", "))")
        }
        let others = query.split(separator: "&").filter { PercentCoding.decode($0.prefix { $0 != "=" }) != "cohort" }
        return (others + ["cohort=\(PercentCoding.encode(cohort))"]).joined(separator: "&")
    }
}

extension Route {
    /// The way in which a route may be limited to cohorts.
    enum CohortUse {
        /// It cannot be limited.
        case none
        /// Its answer tells nothing of learners.
        case aboutNobody
        /// It is about the learner in its path.
        case learner
        /// It is about the learners that its query names.
        case named
        /// Its query names a cohort.
        case cohort
    }

    private static let aboutNobody = ["/v1/rules", "/v1/rules/history", "/v1/reports", "/reports"]

    var cohortUse: CohortUse {
        if access == .everyone || Self.aboutNobody.contains(path) { return .aboutNobody }
        if access == .learner { return .learner }
        if path == "/v1/stream" { return .named }
        let isLimited = parameters.contains { $0.name == Parameter.cohort.name }
        return isLimited || ["/class", "/reports/{name}"].contains(path) ? .cohort : .none
    }
}
