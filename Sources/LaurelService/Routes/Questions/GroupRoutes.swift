// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// The routes about groups. Some members are unknown to a caller with limited rights. For these members, the answer has
/// no id. It contains only the name that they chose, their practice of the day, and their shares of the goals.
extension Route {
    static let groupRoutes = [
        Route(
            "GET",
            "/v1/groups/{group}",
            "A group with its members, its streak and its goals. A learner's token reads the learner's own groups.",
            access: .scopes([.read]),
            reach: .caller,
            parameters: [.at],
            answer: .json(LearnerGroup.self),
            codes: ["unknown-group"],
            action: .question { JSONAnswer.response(try JSONAnswer.encode(try group($0.engine, $1, at: $1.at?.date))) }
        ),
        Route(
            "GET",
            "/v1/learners/{id}/groups",
            "The groups of which the learner is a member, with their members, streaks and goals.",
            access: .learner,
            parameters: [.at],
            answer: .list(LearnerGroup.self),
            action: .question { service, request in
                try requireToday(request)
                let groups = try service.engine.learner(request.path("id")).groups(at: request.at?.date)
                return JSONAnswer.response(
                    try JSONAnswer.list(groups.map { try limited($0, to: request, service.engine) })
                )
            }
        ),
    ]

    /// The group that a request names, as the caller may see it.
    static func group(_ engine: ProgressEngine, _ request: ServiceRequest, at date: Date?) throws -> LearnerGroup {
        try requireToday(request)
        let group = try engine.group(request.path("group"), at: date)
        let visible = try group.map { try limited($0, to: request, engine) }
        // A caller with limited rights who knows none of the members gets the same answer as for an unknown group.
        let isLimited = request.caller.learner != nil || request.caller.cohorts != nil
        guard let visible, !isLimited || visible.members.contains(where: { $0.learner != nil }) else {
            throw Problem(404, "unknown-group", "there is no such group")
        }
        return visible
    }

    /// Refuses a question about another instant for a key for some cohorts. The refusal comes before the look-up, so it
    /// does not tell which groups exist.
    private static func requireToday(_ request: ServiceRequest) throws {
        guard request.at == nil || CohortLimit(request.caller) == nil else { throw Problem.onlyToday }
    }

    /// The group as a caller may see it. For a learner's token, only that learner has an id. For a key for some
    /// cohorts, only the learners of these cohorts have ids.
    private static func limited(
        _ group: LearnerGroup,
        to request: ServiceRequest,
        _ engine: ProgressEngine
    ) throws -> LearnerGroup {
        if let learner = request.caller.learner {
            let id = try engine.currentID(of: learner)
            return group.visible { $0.utf8.elementsEqual(id.utf8) }
        }
        guard let limit = CohortLimit(request.caller) else { return group }
        let ids = group.members.compactMap(\.learner)
        let admitted = zip(ids, try engine.cohorts(of: ids)).filter { limit.admits($0.1) }
        return group.visible(where: Set(admitted.map(\.0)).contains)
    }
}
