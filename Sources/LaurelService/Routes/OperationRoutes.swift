// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults
public import LaurelHTTP

/// The service's name, and its description.
private struct ServiceAnswer: Codable {
    /// Always laurel.
    var service = "laurel"
    /// Path of the OpenAPI description.
    var description = "/openapi.json"
}

/// The answer of a healthy service.
private struct Health: Codable {
    /// Always ok.
    var status = "ok"
    /// Version of Laurel; missing from /readyz.
    var version: String?

    private enum CodingKeys: OmittableKey {
        case status, version

        var isOmittedIfNil: Bool { true }
    }
}

/// The routes for an operator's monitoring.
extension Route {
    static let operationRoutes = [
        Route(
            "GET",
            "/",
            "The service's name; browsers are redirected to the dashboard.",
            access: .anonymous,
            answer: .json(ServiceAnswer.self),
            action: .immediate { _, request in
                if request.head.wantsPage { return Visit.seeOther(Link("home")) }
                return try JSONAnswer.response(ServiceAnswer())
            }
        ),
        Route(
            "GET",
            "/healthz",
            "Answers if the process is alive.",
            access: .anonymous,
            answer: .json(Health.self),
            action: .immediate { _, _ in
                try JSONAnswer.response(Health(version: laurelVersion))
            }
        ),
        Route(
            "GET",
            "/readyz",
            "The service takes requests: 503 while it starts and ends, and while nothing can be stored.",
            access: .anonymous,
            answer: .json(Health.self),
            action: .question { service, _ in
                guard service.isReady else {
                    throw Problem.busy("the service is ending", code: "shutting-down", after: 2)
                }
                if let failure = service.health.check() {
                    throw Problem.busy(
                        "nothing can be stored at present; the service's log says why",
                        code: failure.code.rawValue,
                        after: 5
                    )
                }
                return try JSONAnswer.response(Health())
            }
        ),
        Route(
            "GET",
            "/metrics",
            "The metrics, for Prometheus. A separate listener needs no key.",
            access: .scopes([.read]),
            answer: .media("text/plain; version=0.0.4", or: "application/openmetrics-text"),
            action: .question { service, request in try service.metricsResponse(for: request.head) }
        ),
        Route(
            "GET",
            "/openapi.json",
            "This description.",
            access: .anonymous,
            answer: .json(),
            action: .question { _, _ in
                HTTPResponse(
                    200,
                    headers: ["Content-Type": "application/json", "Cache-Control": "public, max-age=300"],
                    body: OpenAPI.document
                )
            }
        ),
    ]
}

extension LaurelService {
    /// The metrics, as OpenMetrics for clients that accept that format, otherwise in Prometheus' text format.
    func metricsResponse(for head: HTTPRequestHead) throws -> HTTPResponse {
        var gauges = Metrics.Gauges()
        let size = try engine.size()
        (gauges.queue, gauges.questions, gauges.streams) = (commit.backlog, questions.backlog, hub.count)
        (gauges.learners, gauges.storedEvents) = (size.learners, size.events)
        (gauges.storeBytes, gauges.quarantined) = (size.bytes, size.quarantined)
        gauges.storeWritable = health.failure == nil ? 1 : 0
        let isOpen = head.headers["Accept"]?.contains("application/openmetrics-text") ?? false
        let type = isOpen ? "application/openmetrics-text; version=1.0.0" : "text/plain; version=0.0.4"
        return HTTPResponse(
            200,
            headers: ["Content-Type": type + "; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept"],
            body: Array(metrics.text(gauges, isOpen: isOpen).utf8)
        )
    }
}

/// Answers `/metrics` only. It serves a second address, for the operator's monitoring.
public final class MetricsHandler: HTTPHandler {
    private let service: LaurelService

    public init(_ service: LaurelService) { self.service = service }

    public func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        guard head.method == "GET", head.path == "/metrics" else {
            return .answer(Problem.notFound("only /metrics is answered here").response)
        }
        return .collect(limit: 0, tooLong: Problem(413, "body-too-large", "there is no body here").response) {
            [service] _, exchange in
            let isAccepted = service.questions.add {
                do { exchange.respond(try service.metricsResponse(for: head)) } catch {
                    exchange.respond(Problem(error).response)
                }
            }
            if !isAccepted { exchange.respond(Problem.busy("too many questions wait").response) }
        }
    }
}
