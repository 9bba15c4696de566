// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelWire
import Synchronization

/// What takes longer than a request: one after the other, on a thread of their own.
final class Jobs: Sendable {
    /// One of them, as it is at the moment.
    struct Listing: Sendable {
        let id: String
        let kind: String
        var state = "waiting"
        var share = 0.0
        /// JSON, as the command prints it.
        var result: [UInt8]?
        var problem: Problem?
        var startedAt: Date?
        var endedAt: Date?
    }

    /// Told what share is done.
    typealias Observer = @Sendable (Double) -> Void

    /// Of those that have ended, so many are remembered.
    private static let remembered = 100
    private let pool = CallQueue("laurel jobs", threads: 1, waiting: 16)
    private let jobs = Mutex<[Listing]>([])

    /// 202, with where to look for a job that was begun.
    func answer(_ id: String) throws -> HTTPResponse {
        var response = HTTPResponse(202, headers: ["Content-Type": "application/json"], body: try document(id))
        response.headers["Location"] = "/v1/jobs/\(id)"
        return response
    }

    /// Begins one.
    /// - Returns: its id.
    func begin(_ kind: String, _ body: @escaping @Sendable (Observer) throws -> [UInt8]) throws -> String {
        let id = Secrets.random(8).hexadecimal
        jobs.withLock { jobs in
            jobs.append(Listing(id: id, kind: kind))
            if jobs.count > Self.remembered, let old = jobs.firstIndex(where: { $0.endedAt != nil }) {
                jobs.remove(at: old)
            }
        }
        let isTaken = pool.add { [self] in run(id, body) }
        guard isTaken else {
            jobs.withLock { $0.removeAll { $0.id == id } }
            throw Problem.busy("too many jobs wait", after: 30)
        }
        return id
    }

    /// All that are remembered, the oldest first.
    var all: [Listing] { jobs.withLock { $0 } }
    func listing(_ id: String) -> Listing? { jobs.withLock { $0.first { $0.id == id } } }

    private func run(_ id: String, _ body: (Observer) throws -> [UInt8]) {
        change(id) { ($0.state, $0.startedAt) = ("running", Date()) }
        do {
            let result = try body { [self] share in change(id) { $0.share = share } }
            change(id) { ($0.state, $0.share, $0.result, $0.endedAt) = ("done", 1, result, Date()) }
        } catch {
            change(id) { ($0.state, $0.problem, $0.endedAt) = ("failed", Problem(error), Date()) }
        }
    }

    private func change(_ id: String, _ body: (inout Listing) -> Void) {
        jobs.withLock { jobs in
            guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
            body(&jobs[index])
        }
    }

    func document(_ id: String) throws -> [UInt8] {
        guard let job = listing(id) else { throw Problem.notFound("there is no such job, or it has been forgotten") }
        return Array((job.document() + "\n").utf8)
    }

    /// Waits for what is under way.
    func close() { pool.finish() }
}

extension Jobs.Listing {
    func document(withResult: Bool = true) -> String {
        func time(_ date: Date?) -> JSONValue { date.map { .string(Timestamp.utc($0.milliseconds)) } ?? .null }
        var members: [(String, String)] = [
            ("id", JSONValue.string(id).json), ("kind", JSONValue.string(kind).json),
            ("state", JSONValue.string(state).json), ("share", JSONValue.double(share).json),
            ("startedAt", time(startedAt).json), ("endedAt", time(endedAt).json),
        ]
        if withResult, let result { members.append(("result", String(decoding: result.dropLast(), as: UTF8.self))) }
        if let problem { members.append(("problem", String(decoding: problem.response.bytes, as: UTF8.self))) }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
