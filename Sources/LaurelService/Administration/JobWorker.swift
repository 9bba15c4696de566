// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Laurel
import LaurelHTTP
import LaurelStore
import LaurelSystem
import Synchronization

/// Runs the jobs that wait in the store, one after another, on a separate thread. The worker holds a lease on its job,
/// and renews the lease regularly. If the lease expires, another process starts the job again.
final class JobWorker: Sendable {
    /// The maximum number of attempts of a job. A job whose process ended that often is not started again, because the
    /// job may be the cause.
    private static let mostAttempts = 5
    /// The seconds between two searches for jobs of other processes, and between two updates of a job's progress.
    private static let (pause, notes) = (1.0, 0.5)

    private let engine: ProgressEngine
    private let lease: Double
    private let log: RequestLog
    private let news = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        /// Cancels the running job; nil if no job runs.
        var cancellation: Cancellation?
    }

    private var jobs: any JobStore { engine.jobs }
    private var isClosed: Bool { state.withLock(\.isClosed) }

    /// Starts the thread.
    /// - Throws: ``EngineError/outOfThreads``.
    init(_ engine: ProgressEngine, leaseSeconds: Int, _ log: RequestLog) throws(EngineError) {
        (self.engine, lease, self.log) = (engine, Double(leaseSeconds), log)
        let isRunning = SystemThread.start("laurel jobs") { [self] in
            run()
            ended.signal()
        }
        guard isRunning else { throw .outOfThreads }
    }

    /// Wakes the worker, because a job may be waiting.
    func wake() { news.signal() }

    /// Stops the worker. Other processes then run its unfinished jobs. If the store is not shared, the worker finishes
    /// all jobs first.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if jobs.isShared { state.cancellation?.cancel() }
        }
        news.signal()
        ended.wait()
    }

    private func run() {
        while !(isClosed && jobs.isShared) {
            do {
                if let claim = try EngineError.translating({ try jobs.claim(EngineJob.kinds, for: lease) }) {
                    try work(claim)
                    continue
                }
            } catch {
                log.event("failure", [("error", .string("\(error)"))])
            }
            if isClosed { return }
            _ = news.wait(timeout: jobs.isShared ? .now() + Self.pause : .distantFuture)
        }
    }

    private func work(_ claim: JobClaim) throws {
        guard claim.attempts <= Self.mostAttempts else {
            let problem = Problem(
                500,
                "job-abandoned",
                "it was begun \(claim.attempts - 1) times, and each time its node ended before it did"
            )
            return try end(claim, result: nil, problem)
        }
        let cancellation = Cancellation()
        state.withLock { state in
            state.cancellation = cancellation
            if state.isClosed, jobs.isShared { cancellation.cancel() }
        }
        defer { state.withLock { $0.cancellation = nil } }
        let share = Mutex(0.0)
        let keeper = try PeriodicTask(every: min(Self.notes, lease / 4)) { [self] in
            // If the store does not answer here, the worker learns at the end of the job if it has lost the lease.
            if let isOurs = try? jobs.renew(claim, share: share.withLock(\.self), for: lease), !isOurs {
                cancellation.cancel()
            }
        }
        let outcome = Result {
            try cancellation.watch {
                let job = try EngineJob(claim.kind, parameters: claim.parameters)
                return try job.run(engine) { done in share.withLock { $0 = done } }
            }
        }
        keeper.stop()
        switch outcome {
        case .success(let result): try end(claim, result: String(decoding: result, as: UTF8.self), nil)
        case .failure(is CancellationError): try EngineError.translating { try jobs.release(claim) }
        case .failure(let error): try end(claim, result: nil, Problem(error))
        }
    }

    private func end(_ claim: JobClaim, result: String?, _ problem: Problem?) throws {
        let document = problem.map { String(decoding: $0.response.bytes, as: UTF8.self) }
        let isKept = try EngineError.translating { try jobs.end(claim, result: result, problem: document) }
        if !isKept { log.event("job-lost", [("job", .string(claim.id))]) }
    }
}
