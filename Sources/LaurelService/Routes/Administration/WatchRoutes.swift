// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelResults

/// The routes that show recent events, and that send quarantined lines again.
extension Route {
    static let watchRoutes = [
        Route(
            "GET",
            "/v1/intake",
            "This node's events of the last hour by source and type, and unknown names.",
            access: .scopes([.admin]),
            answer: .json(IntakeAnswer.self),
            action: .question { service, _ in
                try JSONAnswer.response(IntakeAnswer(service.watch.lastHour(at: Date())))
            }
        ),
        Route(
            "POST",
            "/v1/quarantine/{id}",
            "Stores a corrected line; the body is the event. Once the event is stored, the line leaves quarantine.",
            access: .scopes([.admin]),
            answer: .json(RequestReport.self),
            body: BodyShape(
                ["application/cloudevents+json": [CloudEvent.self], "application/json": [CloudEvent.self]],
                example:
                    #"{"id":"2","source":"my-app","type":"line.spoken","subject":"ana","time":"2026-04-05T16:01:00Z","#
                    + #""data":{"accuracy":0.95}}"#
            ),
            action: .document(limit: 16 << 20) { service, request, bytes in
                guard let id = Int(request.path("id")) else { throw Problem.notFound("there is no such line") }
                let report = try service.feed(id, bytes, for: request.caller)
                if let problem = report.problems.first {
                    throw Intake.problem(problem, report, status: report.conflicts > 0 ? 409 : 422)
                }
                return try JSONAnswer.response(report)
            }
        ),
        Route(
            "GET",
            "/v1/jobs",
            "The jobs that are remembered, the newest first, without their results.",
            access: .scopes([.rules]),
            answer: .list(Job.self),
            action: .question { service, _ in
                let documents = try service.jobs.all().map { $0.document() }
                return JSONAnswer.response(Array(("[" + documents.joined(separator: ",\n") + "]\n").utf8))
            }
        ),
    ]
}

/// The events that this node has received during the last hour.
private struct IntakeAnswer: Codable {
    /// A minute, and its events by source.
    struct Minute: Codable {
        /// Start of the minute.
        var minute: Date
        /// Number of stored events by source, without zeros; Other is the sum of the rarer sources.
        var events: [String: Int]
    }

    /// The last sixty minutes, in order.
    var minutes: [Minute]
    /// Events by source and type, the most frequent first.
    var kinds: [IntakeWatch.Hour.Kind]
    /// Number of events stored in the hour.
    var stored: Int
    /// Number of events that were stored already.
    var duplicates: Int
    /// Number of events that were refused or in conflict.
    var refused: Int
    /// Names that are in neither the catalogue nor the rules, the most frequent first.
    var unknown: [IngestReport.UnknownName]

    init(_ hour: IntakeWatch.Hour) {
        minutes = hour.minutes.map { minute, values in
            let pairs = zip(hour.sources, values).filter { $0.1 > 0 }.map { ($0, Int($1)) }
            return Minute(minute: minute, events: Dictionary(pairs) { $0 + $1 })
        }
        (kinds, stored, duplicates) = (hour.kinds, hour.stored, hour.duplicates)
        (refused, unknown) = (hour.refused, hour.unknown)
    }
}
