// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelWire
import Synchronization

/// Receives events, and answers when they are stored.
final class Intake: Sendable {
    static let atomic = Parameter("atomic", .flag, "All of the events, or none.")
    static let strict = Parameter("strict", .flag, "Refuses unknown types, attributes and fields.")
    static let wanted = Parameter(
        "return",
        .choice(["progress"]),
        "The progress of up to ten touched learners, as of the commit that stored the events."
    )

    let commit: GroupCommit
    private let uploads = UploadQueue()
    /// The number of seconds for which an upload waits for room in the queue.
    private let patience: Double
    /// The latest answer. It is cached, because most answers are equal to the previous one.
    private let lastAnswer = Mutex<(report: RequestReport, bytes: [UInt8])?>(nil)

    init(_ commit: GroupCommit, patience: Double = 10) {
        (self.commit, self.patience) = (commit, patience)
    }

    /// Does a part of an upload's work on another thread.
    /// - Returns: false if the caller has too many uploads.
    func work(for caller: Caller, _ job: @escaping @Sendable () -> Void) -> Bool { uploads.add(for: caller.name, job) }
    func close() { uploads.finish() }

    /// Pauses an upload until the queue has room.
    func hold(_ exchange: any HTTPExchange) {
        let isOver = Mutex(false)
        @Sendable func isFirst() -> Bool {
            isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
        }
        commit.whenThereIsRoom { if isFirst() { exchange.resume() } }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            guard isFirst() else { return }
            exchange.respond(Problem.busy("too many events wait to be stored", code: "queue-full", after: 5).response)
        }
    }

    /// The answer to a completed request.
    func response(_ report: RequestReport) throws -> HTTPResponse {
        guard report.problems.isEmpty, report.progress == nil else { return try JSONAnswer.response(report) }
        if let bytes = lastAnswer.withLock({ $0?.report == report ? $0?.bytes : nil }) {
            return JSONAnswer.response(bytes)
        }
        let bytes = try JSONAnswer.encode(report)
        lastAnswer.withLock { $0 = (report, bytes) }
        return JSONAnswer.response(bytes)
    }

    /// The problem that an outcome means; nil for a completed request.
    static func problem(_ outcome: IngestOutcome) -> Problem? {
        switch outcome {
        case .done: nil
        case .failed(let error): Problem(error)
        case .unreadable(let message): Problem(400, "invalid-json", message)
        case .notAllowed(let problem): Problem(403, "forbidden", problem.message)
        case .nothingStored(let report):
            withReport(Problem(422, "nothing-stored", "not all of the events can be stored, so none is"), report)
        }
    }

    /// The problem of a single refused event.
    static func problem(_ problem: RequestReport.Problem, _ report: RequestReport, status: Int) -> Problem {
        withReport(Problem(status, problem.code, problem.message), report)
    }

    private static func withReport(_ problem: Problem, _ report: RequestReport) -> Problem {
        var problem = problem
        // The problem's members are encoded like all other answers, so that the format is the same.
        if let json = try? JSONAnswer.encode(report), case .object(let members)? = JSONValue(validated: json) {
            problem.members.merge(members) { own, _ in own }
        }
        return problem
    }
}
