// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// A queue of jobs for a bounded number of threads. Threads start as they are needed, and end after some
/// seconds without work.
///
/// Swift's own pool has a thread per core, which must not be blocked; reading files and folding would block it.
final class WorkLane: Sendable {
    private struct Job {
        let run: @Sendable () -> Void
        /// Instead of running it.
        let abandon: @Sendable () -> Void
    }

    private struct State {
        /// By the order in which they came.
        var jobs: [UInt64: Job] = [:]
        var next: UInt64 = 0
        var end: UInt64 = 0
        var threads = 0
        /// Waiting threads that have not been signalled.
        var idle = 0
        var isClosed = false
    }

    private let name: String
    private let limit: Int
    private let patience: Double
    private let didRest: @Sendable () -> Void
    private let state = Mutex(State())
    /// Signalled once for each idle thread that is to go on.
    private let work = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - name: Of its threads, at most 15 letters.
    ///   - threads: At most so many.
    ///   - patience: Seconds for which a thread waits for another job.
    ///   - didRest: Called when the last thread ends for want of work.
    init(_ name: String, threads: Int, patience: Double, didRest: @escaping @Sendable () -> Void) {
        self.name = name
        limit = threads
        self.patience = patience
        self.didRest = didRest
    }

    /// Runs `body` on one of the threads. A task that is cancelled while it waits does not wait any longer; one that is
    /// cancelled while it runs ends at the next ``Cancellation/check()``.
    /// - Throws: What `body` throws, or `CancellationError`.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job {
                    continuation.resume(with: Swift.Result { try ticket.cancellation.watch(body) })
                } abandon: {
                    continuation.resume(throwing: CancellationError())
                }
                put(job, ticket)
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Ends idle threads at once, and the others when no job is left.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { work.signal() }
    }

    // MARK: Waiting

    private final class Ticket: Sendable {
        let cancellation = Cancellation()
        /// Among the jobs; used with the lane's state locked only.
        nonisolated(unsafe) var place: UInt64?
    }

    private enum Start {
        case nothing, thread, wake, abandon
    }

    private func put(_ job: Job, _ ticket: Ticket) {
        let start: Start = state.withLock { state in
            guard !ticket.cancellation.isCancelled else { return .abandon }
            ticket.place = state.end
            state.jobs[state.end] = job
            state.end += 1
            if state.idle > 0 {
                state.idle -= 1
                return .wake
            }
            guard state.threads < limit else { return .nothing }
            state.threads += 1
            return .thread
        }
        switch start {
        case .nothing: break
        case .thread: startThread()
        case .wake: work.signal()
        case .abandon: job.abandon()
        }
    }

    private func cancel(_ ticket: Ticket) {
        ticket.cancellation.cancel()
        let job = state.withLock { state in ticket.place.flatMap { state.jobs.removeValue(forKey: $0) } }
        job?.abandon()
    }

    // MARK: Threads

    private func startThread() {
        let thread = Thread { [self] in
            Thread.current.name = name
            while let job = nextJob() { job.run() }
        }
        // As the main thread has; elsewhere threads get less.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits for one; nil if the thread is to end.
    private func nextJob() -> Job? {
        while true {
            let (job, isOver) = state.withLock { state in takeJob(&state) }
            if job != nil || isOver { return job }
            if work.wait(timeout: .now() + patience) == .success { continue }
            guard let isLast = state.withLock({ state in retire(&state) }) else {
                // It was signalled meanwhile.
                work.wait()
                continue
            }
            if isLast { didRest() }
            return nil
        }
    }

    private func takeJob(_ state: inout State) -> (job: Job?, isOver: Bool) {
        while state.next < state.end {
            state.next += 1
            if let job = state.jobs.removeValue(forKey: state.next - 1) { return (job, false) }
        }
        if state.isClosed { state.threads -= 1 } else { state.idle += 1 }
        return (nil, state.isClosed)
    }

    /// - Returns: whether it was the last thread; nil if it has to go on.
    private func retire(_ state: inout State) -> Bool? {
        guard state.idle > 0 else { return nil }
        state.idle -= 1
        state.threads -= 1
        return state.threads == 0
    }
}
