// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// A few threads that answer questions, which wait in a queue of bounded length.
final class WorkerPool: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// Of ``jobs``, begun already.
        var first = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()
    private let threads: Int
    private let limit: Int

    /// - Parameter limit: Jobs that may wait.
    init(_ name: String, threads: Int, limit: Int = 10_000) {
        (self.threads, self.limit) = (threads, limit)
        for _ in 0..<threads {
            ended.enter()
            let thread = Thread { [self] in
                Thread.current.name = name
                run()
                ended.leave()
            }
            thread.start()
        }
    }

    /// How many wait.
    var backlog: Int { state.withLock { $0.jobs.count - $0.first } }

    /// - Returns: false where too many wait already, or all has ended.
    func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.jobs.count - state.first < limit else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { work.signal() }
        return isTaken
    }

    /// Waits for what has been added.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<threads { work.signal() }
        ended.wait()
    }

    private func run() {
        while true {
            work.wait()
            let job: (@Sendable () -> Void)? = state.withLock { state in
                guard state.first < state.jobs.count else { return nil }
                defer {
                    state.first += 1
                    if state.first == state.jobs.count { (state.jobs, state.first) = ([], 0) }
                }
                return state.jobs[state.first]
            }
            if let job {
                job()
            } else if state.withLock({ $0.isClosed }) {
                return
            }
        }
    }
}
