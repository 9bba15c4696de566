// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

/// The routes that answer with streams of server-sent events.
extension Route {
    private static let learners = Parameter("learner", .list, "A learner to watch; up to 100.", isRequired: true)
    private static let mostLearners = 100

    static let liveRoutes = [
        Route(
            "GET",
            "/v1/learners/{id}/stream",
            "A learner's progress now and whenever it changes, as server-sent events.",
            access: .learner,
            parameters: [.language, .accessToken],
            answer: .media("text/event-stream"),
            action: .immediate { service, request in
                try stream(service, [request.path("id")], request)
            }
        ),
        Route(
            "GET",
            "/v1/stream",
            "The same for several learners.",
            access: .scopes([.read]),
            reach: .caller,
            parameters: [learners, .language, .accessToken],
            answer: .media("text/event-stream"),
            action: .immediate { service, request in
                let ids = request.query.list(learners)
                guard ids.count <= mostLearners, !ids.contains("") else {
                    throw Problem.badRequest("a stream is of 1 to \(mostLearners) learners")
                }
                if let own = request.caller.learner,
                    try ids.contains(where: { try !isSame($0, own, service.engine) })
                {
                    throw Problem(403, "forbidden", "this is of another learner than the token")
                }
                return try stream(service, ids, request)
            }
        ),
        Route(
            "GET",
            "/v1/groups/{group}/stream",
            "A group now and whenever it changes, as server-sent events. A group that the caller may not see is null.",
            access: .scopes([.read]),
            reach: .caller,
            parameters: [.accessToken],
            answer: .media("text/event-stream"),
            action: .immediate { service, request in
                let topic = LiveTopic.group(Array(request.path("group").utf8))
                return try LiveAnswer.response(service, request) { $0.open([topic], for: request.caller) }
            }
        ),
    ]

    /// True if an id belongs to a learner, also if it was merged into the learner.
    private static func isSame(_ id: String, _ learner: String, _ engine: ProgressEngine) throws -> Bool {
        try id.utf8.elementsEqual(learner.utf8) || engine.currentID(of: id).utf8.elementsEqual(learner.utf8)
    }

    private static func stream(
        _ service: LaurelService,
        _ learners: [String],
        _ request: ServiceRequest
    ) throws -> HTTPResponse {
        let language = request.query.text(.language)
        let topics = Set(learners.map { LiveTopic.learner(Array($0.utf8), language: language) })
        return try LiveAnswer.response(service, request) { $0.open(Array(topics), for: request.caller) }
    }
}

/// Answers that are streams.
enum LiveAnswer {
    static func response(
        _ service: LaurelService,
        _ request: ServiceRequest,
        _ open: (Hub) -> HTTPBodyStream?
    ) throws -> HTTPResponse {
        guard service.hub.count < service.options.mostStreams else {
            throw Problem.busy("too many streams are open", code: "too-many-streams", after: 30)
        }
        if let learner = request.caller.learner,
            service.hub.count(of: learner) >= ServiceOptions.streamsPerLearner
        {
            throw Problem.busy("too many streams are open for this learner", code: "too-many-streams", after: 30)
        }
        guard request.head.method != "HEAD", let stream = open(service.hub) else {
            return HTTPResponse(200, headers: headers)
        }
        return HTTPResponse(200, headers: headers, stream: stream)
    }

    private static let headers: HTTPHeaders = [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
    ]
}
