// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// The threads that decompress, check and store uploads piece by piece. One caller can use at most half of the threads,
/// so that its uploads never block other callers.
final class UploadQueue: Sendable {
    private struct Turn {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private static let mostThreads = 4
    private static let mostPerCaller = 2
    /// The maximum number of waiting pieces of one caller. An upload has at most one waiting piece.
    private static let mostWaiting = 250

    private let pool = CallQueue("laurel unpacks", threads: mostThreads, waiting: 1000)
    private let turns = Mutex<[String: Turn]>([:])

    /// Runs a job as soon as its caller may use a thread.
    /// - Returns: false if too many jobs wait already.
    func add(for caller: String, _ job: @escaping @Sendable () -> Void) -> Bool {
        let (isAccepted, isFirst) = turns.withLock { turns in
            var turn = turns[caller, default: Turn()]
            defer { turns[caller] = turn }
            guard turn.running >= Self.mostPerCaller else {
                turn.running += 1
                return (true, true)
            }
            guard turn.waiting.count < Self.mostWaiting else { return (false, false) }
            turn.waiting.append(job)
            return (true, false)
        }
        guard isFirst else { return isAccepted }
        if start(job, for: caller) { return true }
        passTurn(of: caller)
        return false
    }

    func finish() { pool.finish() }

    private func start(_ job: @escaping @Sendable () -> Void, for caller: String) -> Bool {
        pool.add { [self] in
            job()
            passTurn(of: caller)
        }
    }

    /// Starts the caller's next job after one of the caller's jobs has finished. The next job waits behind the jobs of
    /// other callers.
    private func passTurn(of caller: String) {
        while let next = nextWaiting(of: caller) {
            if start(next, for: caller) { return }
            // The pool is full or closing, so the present thread runs the job.
            next()
        }
    }

    /// Removes and returns the caller's next job. If no job waits, the number of the caller's running jobs decreases,
    /// and the result is nil.
    private func nextWaiting(of caller: String) -> (@Sendable () -> Void)? {
        turns.withLock { turns in
            guard var turn = turns[caller] else { return nil }
            let next = turn.waiting.isEmpty ? nil : turn.waiting.removeFirst()
            if next == nil { turn.running -= 1 }
            turns[caller] = turn.running == 0 ? nil : turn
            return next
        }
    }
}
