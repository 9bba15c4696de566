// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import LaurelSystem
import Synchronization

/// A queue of jobs for a bounded number of threads. Threads are started as needed, and end after some seconds without
/// work.
///
/// Swift's own pool has one thread per core. Reading files and folding would block these threads, which Swift does
/// not allow.
///
/// If the machine cannot start another thread, the existing threads do all jobs. If there is no thread at all, the
/// job is refused.
package final class CallQueue: Sendable {
    private struct Job {
        let run: @Sendable () -> Void
        /// Called instead of `run` if the job is not run.
        let abandon: @Sendable (any Error) -> Void
    }

    private struct State {
        /// The waiting jobs by their arrival number.
        var jobs: [UInt64: Job] = [:]
        var next: UInt64 = 0
        var end: UInt64 = 0
        var threads = 0
        /// The number of threads that wait for a job and have not been signalled.
        var idle = 0
        var isClosed = false
    }

    private let name: String
    private let mostThreads: Int
    private let mostWaiting: Int
    private let patience: Double
    private let didGoIdle: @Sendable () -> Void
    private let startThread: SystemThread.Starter
    private let state = Mutex(State())
    /// Signalled once for each idle thread that must continue.
    private let work = DispatchSemaphore(value: 0)
    /// Entered by each thread while it runs.
    private let running = DispatchGroup()

    /// - Parameters:
    ///   - name: the name of its threads, at most 15 characters.
    ///   - threads: the maximum number of threads.
    ///   - waiting: the maximum number of waiting jobs for ``add(_:)``.
    ///   - patience: the number of seconds that an idle thread waits for another job before it ends.
    ///   - didGoIdle: called when the last thread ends because there is no job.
    ///   - startThread: starts a thread; it must not run the thread's body itself.
    package init(
        _ name: String,
        threads: Int,
        waiting: Int = .max,
        patience: Double = 2,
        didGoIdle: @escaping @Sendable () -> Void = {},
        startThread: @escaping SystemThread.Starter = SystemThread.start
    ) {
        self.name = name
        (mostThreads, mostWaiting) = (threads, waiting)
        self.patience = patience
        (self.didGoIdle, self.startThread) = (didGoIdle, startThread)
    }

    /// Runs `body` on one of the threads at a later time.
    /// - Returns: false if too many jobs wait, the queue is closed, or no thread can be started.
    package func add(_ body: @escaping @Sendable () -> Void) -> Bool {
        let start: Start = state.withLock { state in
            guard !state.isClosed, state.jobs.count < mostWaiting else { return .refuse(CancellationError()) }
            return put(Job(run: body, abandon: { _ in }), &state)
        }
        return begin(start) == nil
    }

    /// The number of waiting jobs.
    package var backlog: Int { state.withLock { $0.jobs.count } }
    /// The number of waiting jobs divided by the maximum number, 0 to 1.
    package var filled: Double { Double(backlog) / Double(max(1, mostWaiting)) }

    /// Runs `body` on one of the threads. If the task is cancelled while it waits, the call returns at once. If it is
    /// cancelled while it runs, the call ends at the next ``Cancellation/check()``.
    /// - Throws: the error of `body`, `CancellationError`, or ``EngineError/outOfThreads``.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job {
                    continuation.resume(with: Swift.Result { try ticket.cancellation.watch(body) })
                } abandon: { error in
                    continuation.resume(throwing: error)
                }
                put(job, ticket)
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Ends idle threads at once, and the other threads when no job is left. Does not wait for them.
    package func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { work.signal() }
    }

    /// Closes the queue, and waits for all jobs. Do not call it from a job of the queue.
    package func finish() {
        close()
        running.wait()
    }

    // MARK: Waiting

    private final class Ticket: Sendable {
        let cancellation = Cancellation()
        /// The job's number in the queue; nil until it is added. Access it only while the queue's state is locked.
        nonisolated(unsafe) var position: UInt64?
    }

    private enum Start {
        case nothing, wake
        case refuse(any Error)
    }

    private func put(_ job: Job, _ ticket: Ticket) {
        let start: Start = state.withLock { state in
            guard !ticket.cancellation.isCancelled else { return .refuse(CancellationError()) }
            let position = state.end
            let start = put(job, &state)
            // The queue gives the number of a refused job to the next job.
            if state.end > position { ticket.position = position }
            return start
        }
        if let error = begin(start) { job.abandon(error) }
    }

    private func put(_ job: Job, _ state: inout State) -> Start {
        // The state stays locked, so that a job is added only if a thread can run it.
        if state.idle == 0, state.threads < mostThreads, !addThread(&state), state.threads == 0 {
            return .refuse(EngineError.outOfThreads)
        }
        state.jobs[state.end] = job
        state.end += 1
        guard state.idle > 0 else { return .nothing }
        state.idle -= 1
        return .wake
    }

    /// - Returns: the reason to refuse the job; nil if there is none.
    private func begin(_ start: Start) -> (any Error)? {
        switch start {
        case .nothing: return nil
        case .wake:
            work.signal()
            return nil
        case .refuse(let error): return error
        }
    }

    private func cancel(_ ticket: Ticket) {
        ticket.cancellation.cancel()
        let job = state.withLock { state in ticket.position.flatMap { state.jobs.removeValue(forKey: $0) } }
        job?.abandon(CancellationError())
    }

    // MARK: Threads

    /// - Returns: false if no thread can be started.
    private func addThread(_ state: inout State) -> Bool {
        running.enter()
        let isStarted = startThread(name) { [self] in
            while let job = nextJob() { job.run() }
            running.leave()
        }
        if isStarted { state.threads += 1 } else { running.leave() }
        return isStarted
    }

    /// Waits for a job; nil if the thread is to end.
    private func nextJob() -> Job? {
        while true {
            let (job, isOver) = state.withLock { state in nextJob(&state) }
            if job != nil || isOver { return job }
            if work.wait(timeout: .now() + patience) == .success { continue }
            guard let isLast = state.withLock({ state in retire(&state) }) else {
                // Another thread has signalled this thread meanwhile, so the signal is consumed.
                work.wait()
                continue
            }
            if isLast { didGoIdle() }
            return nil
        }
    }

    private func nextJob(_ state: inout State) -> (job: Job?, isOver: Bool) {
        while state.next < state.end {
            state.next += 1
            if let job = state.jobs.removeValue(forKey: state.next - 1) { return (job, false) }
        }
        if state.isClosed { state.threads -= 1 } else { state.idle += 1 }
        return (nil, state.isClosed)
    }

    /// Ends the thread if it is still idle.
    /// - Returns: true if it was the last thread; nil if the thread must continue.
    private func retire(_ state: inout State) -> Bool? {
        guard state.idle > 0 else { return nil }
        state.idle -= 1
        state.threads -= 1
        return state.threads == 0
    }
}
