// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelStore
import LaurelWire
import Synchronization

/// Operations that take longer than a request. Any node can start a job. A worker runs it, and all processes that use
/// the store can see it.
final class Jobs: Sendable {
    /// A job in its present state, for a list.
    typealias Listing = StoredJob

    private let engine: ProgressEngine
    /// The store's records of erasures that this process has handled, by name. After an erasure, the process removes
    /// its own jobs that may name the erased learner.
    private let erasures: Mutex<[String: String]>
    private var store: any JobStore { engine.jobs }
    /// The worker; nil in a process that only answers requests.
    private let worker: JobWorker?

    /// Creates the jobs of a service.
    /// - Throws: ``EngineError/outOfThreads``, or the reason why the store cannot be read.
    init(_ engine: ProgressEngine, _ options: ServiceOptions, _ log: RequestLog) throws(EngineError) {
        self.engine = engine
        erasures = Mutex(try engine.serviceRecords(prefix: ServiceRecordName.erasures))
        worker = options.role.works ? try JobWorker(engine, leaseSeconds: options.leaseSeconds, log) : nil
    }

    /// Starts a job.
    /// - Returns: its id.
    func begin(_ job: EngineJob) throws -> String {
        try forgetErased()
        let new = NewJob(
            id: Secrets.random(16).hexadecimal,
            kind: job.kind,
            parameters: try job.parameters(),
            isExclusive: job.isExclusive,
            namesLearners: job.namesLearners
        )
        guard try EngineError.translating({ try store.add(new) }) else {
            throw Problem.busy("too many jobs wait", after: 30)
        }
        worker?.wake()
        return new.id
    }

    /// Starts a job, unless a job of the same kind waits or runs.
    func ensure(_ job: EngineJob) throws {
        guard try !all().contains(where: { $0.kind == job.kind && $0.isUnderWay }) else { return }
        _ = try begin(job)
    }

    /// An answer of status 202 with the address of a started job.
    func answer(_ id: String) throws -> HTTPResponse {
        var response = HTTPResponse(202, headers: ["Content-Type": "application/json"], body: try document(id))
        response.headers["Location"] = "/v1/jobs/\(id)"
        return response
    }

    /// All stored jobs without their results, the newest first.
    func all() throws -> [Listing] { try EngineError.translating { try store.all().reversed() } }
    func listing(_ id: String) throws -> Listing? {
        try forgetErased()
        return try EngineError.translating { try store.job(id) }
    }

    /// After any process has erased a learner, removes jobs of this process that may name the learner. In a shared
    /// database, the erasure itself removes them.
    func forgetErased() throws {
        guard !store.isShared else { return }
        let present = try engine.serviceRecords(prefix: ServiceRecordName.erasures)
        let isNew = erasures.withLock { known in
            defer { known = present }
            return present.contains { known[$0.key] != $0.value }
        }
        if isNew { try EngineError.translating { try store.forgetNames() } }
    }

    func removeEnded(before days: Int) throws { try EngineError.translating { try store.removeEnded(before: days) } }

    func document(_ id: String) throws -> [UInt8] {
        guard let job = try listing(id) else {
            throw Problem.notFound("there is no such job, or it has been forgotten")
        }
        return Array((job.document() + "\n").utf8)
    }

    /// Stops the worker. In a shared store, other processes run its unfinished jobs. Otherwise, the worker finishes all
    /// jobs first.
    func close() { worker?.close() }
}

extension StoredJob {
    func document() -> String {
        func time(_ milliseconds: Int64?) -> JSONValue { milliseconds.map { .string(Timestamp.utc($0)) } ?? .null }
        var members: [(String, String)] = [
            ("id", JSONValue.string(id).json), ("kind", JSONValue.string(kind).json),
            ("state", JSONValue.string(state.rawValue).json), ("share", JSONValue.double(share).json),
            ("attempts", "\(attempts)"), ("startedAt", time(startedAt).json), ("endedAt", time(endedAt).json),
        ]
        if let holder { members.append(("node", JSONValue.string(holder).json)) }
        if let result { members.append(("result", result)) }
        if let problem { members.append(("problem", problem)) }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    var startDate: Date? { startedAt.map { Date(milliseconds: $0) } }
    var seconds: Double? {
        guard let startedAt, let endedAt else { return nil }
        return Double(endedAt - startedAt) / 1000
    }
    /// The reason why the job failed, for people; nil if the job has not failed.
    var complaint: String? {
        struct Document: Decodable { var detail: String }
        guard let problem else { return nil }
        return (try? JSONDecoder().decode(Document.self, from: Data(problem.utf8)))?.detail ?? problem
    }
}
