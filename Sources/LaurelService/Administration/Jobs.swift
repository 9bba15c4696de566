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
    private struct Job {
        var kind: String
        var state = "waiting"
        var share = 0.0
        var result: [UInt8]?
        var problem: Problem?
        var startedAt: Date?
        var endedAt: Date?
    }

    /// Told what share is done.
    typealias Observer = @Sendable (Double) -> Void

    /// Of those that have ended, so many are remembered.
    private static let remembered = 100
    private let pool = WorkerPool("laurel jobs", threads: 1, limit: 16)
    private let jobs = Mutex<[(id: String, job: Job)]>([])

    /// Begins one.
    /// - Returns: 202, with where to look for it.
    func start(_ kind: String, _ body: @escaping @Sendable (Observer) throws -> [UInt8]) throws -> HTTPResponse {
        let id = Secrets.random(8).hexadecimal
        jobs.withLock { jobs in
            jobs.append((id, Job(kind: kind)))
            if jobs.count > Self.remembered, let old = jobs.firstIndex(where: { $0.job.endedAt != nil }) {
                jobs.remove(at: old)
            }
        }
        let isTaken = pool.add { [self] in run(id, body) }
        guard isTaken else {
            jobs.withLock { $0.removeAll { $0.id == id } }
            throw Problem.busy("too many jobs wait", after: 30)
        }
        var response = HTTPResponse(202, headers: ["Content-Type": "application/json"], body: try document(id))
        response.headers["Location"] = "/v1/jobs/\(id)"
        return response
    }

    private func run(_ id: String, _ body: (Observer) throws -> [UInt8]) {
        change(id) { ($0.state, $0.startedAt) = ("running", Date()) }
        do {
            let result = try body { [self] share in change(id) { $0.share = share } }
            change(id) { ($0.state, $0.share, $0.result, $0.endedAt) = ("done", 1, result, Date()) }
        } catch {
            change(id) { ($0.state, $0.problem, $0.endedAt) = ("failed", Problem(error), Date()) }
        }
    }

    private func change(_ id: String, _ body: (inout Job) -> Void) {
        jobs.withLock { jobs in
            guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
            body(&jobs[index].job)
        }
    }

    func document(_ id: String) throws -> [UInt8] {
        guard let job = jobs.withLock({ $0.first { $0.id == id }?.job }) else {
            throw Problem.notFound("there is no such job, or it has been forgotten")
        }
        func time(_ date: Date?) -> JSONValue { date.map { .string(Timestamp.utc($0.milliseconds)) } ?? .null }
        var members: [(String, String)] = [
            ("id", JSONValue.string(id).json), ("kind", JSONValue.string(job.kind).json),
            ("state", JSONValue.string(job.state).json), ("share", JSONValue.double(job.share).json),
            ("startedAt", time(job.startedAt).json), ("endedAt", time(job.endedAt).json),
        ]
        if let result = job.result { members.append(("result", String(decoding: result.dropLast(), as: UTF8.self))) }
        if let problem = job.problem {
            members.append(("problem", String(decoding: problem.response.bytes, as: UTF8.self)))
        }
        return Array(("{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}\n").utf8)
    }

    /// Waits for what is under way.
    func close() { pool.close() }
}
