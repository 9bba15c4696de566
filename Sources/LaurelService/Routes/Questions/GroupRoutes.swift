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
                try request.requireToday()
                let groups = try service.engine.learner(request.path("id")).groups(at: request.at?.date)
                return JSONAnswer.response(
                    try JSONAnswer.list(groups.compactMap { try $0.visible(to: request.caller, service.engine) })
                )
            }
        ),
    ]

    /// The group that a request names, as the caller may see it.
    static func group(_ engine: ProgressEngine, _ request: ServiceRequest, at date: Date?) throws -> LearnerGroup {
        try request.requireToday()
        let group = try engine.group(request.path("group"), at: date)
        guard let visible = try group?.visible(to: request.caller, engine) else {
            throw Problem(404, "unknown-group", "there is no such group")
        }
        return visible
    }
}

extension LearnerGroup {
    /// The group as a caller may see it. For a learner's token, only that learner has an id. For a key for some
    /// cohorts, only the learners of these cohorts have ids. The result is nil if the caller has limited rights and
    /// knows none of the members. For such a caller, the group does not exist.
    func visible(to caller: Caller, _ engine: ProgressEngine) throws -> LearnerGroup? {
        let known = try caller.known(among: members.compactMap(\.learner), engine)
        let isLimited = caller.learner != nil || caller.cohorts != nil
        return isLimited && known.isEmpty ? nil : visible(where: known.contains)
    }
}
