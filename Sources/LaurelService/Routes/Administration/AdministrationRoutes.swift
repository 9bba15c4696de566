// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelSystem
import LaurelWire

/// The learner that stays in a merge.
struct MergeTerms: JSONBody {
    /// The id of the learner that stays.
    var into: String

    static let example = #"{"into":"anna"}"#
}

/// The number of removed lines.
private struct Dropped: Codable {
    /// Number of lines that were removed from quarantine.
    var dropped: Int
}

extension Route {
    private static let after = Parameter("after", .number(0...Int.max), "Only lines after the line with this id.")
    private static let lineLimit = Parameter(
        "limit",
        .number(1...10_000),
        "The most lines; 1000 by default."
    )
    private static let lines = Parameter("id", .list, "A line; may be given several times.")
    private static let everything = Parameter("all", .flag, "All lines.")
    private static let learner = Parameter("learner", .text, "Only events of this learner.")

    static let administrationRoutes = [
        Route(
            "GET",
            "/v1/export",
            "Exports events as NDJSON.",
            access: .scopes([.admin]),
            parameters: [learner],
            answer: .media("application/x-ndjson"),
            action: .question { try export($0, $1) }
        ),
        Route(
            "DELETE",
            "/v1/learners/{id}",
            "Removes all data of a learner for good.",
            access: .scopes([.erase]),
            answer: .nothing,
            action: .question { service, request in
                guard try service.erase(request.path("id"), by: request.caller) else { throw Problem.unknownLearner }
                return HTTPResponse(204)
            }
        ),
        Route(
            "POST",
            "/v1/learners/{id}/merge",
            "Merges a learner into another for good. All events become the other learner's, and the id means the other learner.",
            access: .scopes([.admin]),
            answer: .json(MergeOutcome.self),
            body: MergeTerms.shape,
            codes: ["same-learner"],
            action: .document(limit: 64 << 10) { service, request, bytes in
                let other = try MergeTerms.read(bytes).into
                return try JSONAnswer.response(service.merge(request.path("id"), into: other, by: request.caller))
            }
        ),
        Route(
            "GET",
            "/v1/quarantine",
            "Refused and conflicting lines, with the reasons.",
            access: .scopes([.admin]),
            parameters: [after, lineLimit],
            answer: .list(QuarantinedLine.self),
            action: .question { service, request in
                let lines = try service.engine.quarantinedLines(
                    after: request.query.number(after) ?? .min,
                    limit: request.query.number(lineLimit) ?? 1000
                )
                return JSONAnswer.response(try JSONAnswer.list(lines))
            }
        ),
        Route(
            "GET",
            "/v1/quarantine/{id}",
            "A refused line, byte for byte as received.",
            access: .scopes([.admin]),
            answer: .media("application/octet-stream"),
            action: .question { try quarantined($0, $1) }
        ),
        Route(
            "DELETE",
            "/v1/quarantine",
            "Removes the lines with these ids, or all lines, for good.",
            access: .scopes([.admin]),
            parameters: [lines, everything],
            answer: .json(Dropped.self),
            action: .question { service, request in
                let ids = request.query.list(lines).map { Int($0) }
                guard ids.isEmpty == request.query.flag(everything), !ids.contains(nil) else {
                    throw Problem.badRequest("name the lines with id, or say all")
                }
                let dropped = try service.engine.dropQuarantined(
                    ids.isEmpty ? nil : ids.compactMap(\.self),
                    by: request.caller.actor
                )
                return try JSONAnswer.response(Dropped(dropped: dropped))
            }
        ),
        Route(
            "POST",
            "/v1/replay",
            "Rebuilds all progress from the events, as a job.",
            access: .scopes([.rules]),
            answer: .job,
            action: .question { service, _ in try service.jobs.answer(service.jobs.begin(.replay)) }
        ),
        Route(
            "POST",
            "/v1/verify",
            "Checks every page and block, as a job.",
            access: .scopes([.admin]),
            answer: .job,
            action: .question { service, _ in try service.jobs.answer(service.jobs.begin(.verify)) }
        ),
        Route(
            "GET",
            "/v1/jobs/{id}",
            "A job: its state, the share that is done, and its result.",
            access: .scopes([.rules]),
            answer: .json(Job.self),
            action: .question { service, request in JSONAnswer.response(try service.jobs.document(request.path("id"))) }
        ),
        Route(
            "POST",
            "/v1/tokens",
            "A token for one learner, of at most 24 hours.",
            access: .scopes([.keys]),
            answer: .json(Token.self, status: 201),
            body: TokenTerms.shape,
            codes: ["invalid-token", "invalid-scope"],
            action: .document(limit: 64 << 10) { try token($0, $1, $2) }
        ),
    ]

    // MARK: Answers

    private static func export(_ service: LaurelService, _ request: ServiceRequest) throws -> HTTPResponse {
        let (engine, log, learner) = (service.engine, service.log, request.query.text(learner))
        if let learner, !(try engine.learner(learner).isKnown()) {
            throw Problem(404, "unknown-learner", "there is no such learner in the store")
        }
        try engine.note(AuditNote(.eventsExported, by: request.caller.actor, learner: learner))
        let (keys, credential) = (service.keys, request.caller.credential)
        let stream = HTTPBodyStream()
        let isAccepted = service.exports.add {
            struct ClientDisconnected: Error {}
            do {
                _ = try engine.export(learner: learner) { bytes in
                    guard keys.isValid(credential), stream.writeWaiting(Array(bytes)) else {
                        throw ClientDisconnected()
                    }
                }
                stream.end()
            } catch {
                // Without the abort, the client would treat the part that it received as all events.
                stream.abort()
                if !stream.isClosed { log.event("failure", [("error", .string("\(error)"))]) }
            }
        }
        guard isAccepted else { throw Problem.busy("too many exports at once", after: 30) }
        return HTTPResponse(
            200,
            headers: ["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"],
            stream: stream
        )
    }

    private static func quarantined(_ service: LaurelService, _ request: ServiceRequest) throws -> HTTPResponse {
        guard let id = Int(request.path("id")), id > 0,
            try service.engine.quarantinedLines(after: id - 1, limit: 1).first?.id == id
        else { throw Problem.notFound("there is no such line") }
        var line: [UInt8] = []
        try service.engine.quarantinedLine(id) { bytes in
            // Longer lines are left out; `laurel quarantine export` writes them.
            if line.count < 16 << 20 { line += bytes }
        }
        return HTTPResponse(
            200,
            headers: [
                "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
                "Cache-Control": "no-store",
            ],
            body: line
        )
    }

    private static func token(_ service: LaurelService, _ request: ServiceRequest, _ bytes: [UInt8]) throws
        -> HTTPResponse
    {
        let wanted = try TokenTerms.read(bytes)
        let token = try TokenRoutes.token(wanted, by: request.caller, service.engine, at: Date())
        let made = Token(
            expiresIn: Int(token.exp - token.iat),
            learner: token.sub,
            scopes: wanted.scopes ?? [.read],
            token: try service.keys.text(of: token)
        )
        return try JSONAnswer.response(made, status: 201)
    }
}
