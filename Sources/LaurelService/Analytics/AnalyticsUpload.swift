// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import Synchronization

/// Receives a request of an analytics SDK: collects the body, finds the sender, converts the calls with the service's
/// mapping, merges the learners that the calls connect, and stores the events.
final class AnalyticsUpload: HTTPBodyReceiver, @unchecked Sendable {
    private let service: LaurelService
    private let request: ServiceRequest
    private let call: AnalyticsCall
    private let tracked: TrackedRequest
    private let share: HeldBytes.Share
    // The body is used by one thread at a time: the server's thread, then a thread of the intake.
    private var body: [UInt8] = []

    init(_ service: LaurelService, _ request: ServiceRequest, _ call: AnalyticsCall, _ tracked: TrackedRequest) {
        (self.service, self.request, self.call, self.tracked) = (service, request, call, tracked)
        share = service.limits.upload(of: request.caller)
    }

    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool {
        body += bytes
        do throws(Problem) {
            guard body.count <= AnalyticsBody.limit else { throw AnalyticsBody.tooLong }
            try share.hold(body.count)
        } catch {
            body = []
            exchange.respond(error.response)
        }
        return true
    }

    func finish(_ exchange: any HTTPExchange) {
        let isAccepted = service.intake.work(for: request.caller) { [self] in
            do { try answer(exchange) } catch { exchange.respond(Problem(error).response) }
        }
        if !isAccepted { exchange.respond(Problem.busy("too many uploads at once").response) }
    }

    func abandon() { body = [] }

    private func answer(_ exchange: any HTTPExchange) throws {
        let received = Date()
        let content = try AnalyticsBody(body, request.head)
        body = []
        let caller = try sender(content.key, at: received)
        guard case .calls(let dialect) = call else {
            return exchange.respond(try JSONAnswer.response(AnalyticsCall.noFlags))
        }
        let messages = try content.messages(dialect, query: request.head.query, received: received.milliseconds)
        let ingest = try AnalyticsCalls(messages, caller, service).request()
        service.commit.add(
            GroupCommit.Item(request: ingest) { outcome in exchange.respond(Self.response(outcome)) }
        )
    }

    /// The sender of the request. The header fields, or the key in the body, identify the sender.
    private func sender(_ key: String?, at date: Date) throws(Problem) -> Caller {
        guard request.caller.key == nil, request.caller.credential == .none else { return request.caller }
        var caller: Caller
        if let key, request.head.headers["Authorization"] == nil {
            caller = try service.keys.caller(by: key, at: date)
        } else {
            caller = try service.keys.caller(of: request.head, token: nil, at: date)
        }
        caller.address = request.head.clientAddress
        tracked.caller = caller.name
        // No path of an analytics SDK names a learner.
        try request.route.check(caller, request.path) { _, _ in false }
        try service.limits.admit(caller)
        return caller
    }

    private static func response(_ outcome: Result<IngestOutcome, Problem>) -> HTTPResponse {
        switch outcome {
        case .failure(let problem): return problem.response
        case .success(.done(var report)):
            report.limitProblems()
            return (try? JSONAnswer.response(report))
                ?? Problem(500, "internal", "the answer cannot be written").response
        case .success(let other):
            return (Intake.problem(other) ?? Problem(500, "internal", "the events have no result")).response
        }
    }
}
