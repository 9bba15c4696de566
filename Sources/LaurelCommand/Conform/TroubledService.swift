// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LaurelHTTP
import LaurelResults

/// A service in trouble. It passes requests to a service, but answers some batches of events differently.
final class TroubledService: HTTPHandler {
    private let upstream: Upstream
    private let record: SentEvents
    /// True if each answer reaches the client.
    private let isWhole: Bool

    init(_ upstream: Upstream, _ record: SentEvents, isWhole: Bool) {
        (self.upstream, self.record, self.isWhole) = (upstream, record, isWhole)
    }

    func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        .collect(limit: 64 << 20, tooLong: HTTPResponse(413)) { [self] body, exchange in
            guard head.method == "POST", head.path == "/v1/events" else {
                return upstream.send(head, body) { exchange.respond($0 ?? HTTPResponse(502)) }
            }
            guard head.contentType == "application/x-ndjson", head.headers["Content-Encoding"] == nil else {
                record.note("a batch is not plain NDJSON; send Content-Type: application/x-ndjson, uncompressed")
                return exchange.respond(HTTPResponse(415))
            }
            take(head, SentEvent.events(body), exchange)
        }
    }

    private func take(_ head: HTTPRequestHead, _ events: [SentEvent], _ exchange: any HTTPExchange) {
        let plan = record.plan(events)
        if let answer = plan.trouble.answer { return respond(answer, plan, exchange) }
        guard !plan.passed.isEmpty else { return respond(HTTPResponse(200), RequestReport(), plan, exchange) }
        let body = Array(plan.passed.map(\.bytes).joined(separator: [UInt8(ascii: "\n")]))
        upstream.send(head, body) { [self] answer in
            guard let answer else { return exchange.respond(HTTPResponse(502)) }
            let report = try? LaurelJSON.decode(RequestReport.self, from: Data(answer.bytes))
            guard answer.status == 200, let report else { return respond(answer, plan, exchange) }
            record.answered(plan, with: report)
            respond(answer, report, plan, exchange)
        }
    }

    /// Adds the refused events to the service's answer.
    private func respond(
        _ answer: HTTPResponse,
        _ report: RequestReport,
        _ plan: SentEvents.Plan,
        _ exchange: any HTTPExchange
    ) {
        guard !plan.refused.isEmpty else { return respond(answer, plan, exchange) }
        var (answer, report) = (answer, report)
        for (index, event) in plan.refused {
            for place in report.problems.indices where report.problems[place].index >= index {
                report.problems[place].index += 1
            }
            report.problems.append(
                RequestReport.Problem(
                    index: index,
                    id: event.identity?.id,
                    source: event.identity?.source,
                    learner: event.learner,
                    code: "invalid-field",
                    message: "`laurel conform` refuses this event, to try the client"
                )
            )
        }
        report.problems.sort { $0.index < $1.index }
        report.read += plan.refused.count
        report.refused += plan.refused.count
        answer.headers["Content-Type"] = "application/json"
        answer.body = .bytes((try? LaurelJSON.encode(report)).map(Array.init) ?? [])
        respond(answer, plan, exchange)
    }

    private func respond(_ answer: HTTPResponse, _ plan: SentEvents.Plan, _ exchange: any HTTPExchange) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(plan.delay)) { [self] in
            if isWhole { record.answered(plan) }
            exchange.respond(answer)
        }
    }
}
