// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem

/// Retries an operation until the time is over: while a server restarts or another takes over, and after conflicts with
/// other transactions. Use it only for operations that had no effect yet.
struct Retrying {
    private let deadline: Deadline
    private var pause: Duration = .milliseconds(10)

    private static let longestPause: Duration = .milliseconds(500)

    init(until deadline: Deadline) { self.deadline = deadline }

    /// Runs `body` until it succeeds.
    /// - Throws: the last error of `body`, when the time is over.
    mutating func run<T>(_ body: (_ millisecondsLeft: Int) throws -> T) throws -> T {
        while true {
            do {
                return try body(deadline.milliseconds)
            } catch let error as DatabaseError where error.isPassing && ContinuousClock.now + pause < deadline.end {
                // Not all of those who wait come back at one time.
                sleep(pause * Double.random(in: 0.5...1))
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private func sleep(_ duration: Duration) {
        usleep(UInt32(duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000))
    }
}
