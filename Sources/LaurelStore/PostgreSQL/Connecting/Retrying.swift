// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem

/// Retries an operation until the time is over. An operation fails while a server restarts, while another server takes
/// over, or because of conflicts with other transactions. Use it only for an operation that has no effect if it fails.
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
                // The random pause keeps waiting writers from retrying all at once.
                sleep(pause * Double.random(in: 0.5...1))
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private func sleep(_ duration: Duration) {
        usleep(UInt32(duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000))
    }
}
