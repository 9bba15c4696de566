// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelSystem

/// Retries an operation until the time is over: while a server restarts or another takes over, and after conflicts with
/// other transactions. Use it only for operations that had no effect yet.
struct Retrying {
    private let end: ContinuousClock.Instant
    private var pause: Duration = .milliseconds(10)

    private static let longestPause: Duration = .milliseconds(500)

    init(seconds: Double) { end = .now + .seconds(seconds) }

    /// The time left, in milliseconds; at least 1.
    var millisecondsLeft: Int {
        let left = ContinuousClock.now.duration(to: end)
        return max(1, Int(left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000))
    }

    /// Runs `body` until it succeeds.
    /// - Throws: the last error of `body`, when the time is over.
    mutating func run<T>(_ body: (_ millisecondsLeft: Int) throws -> T) throws -> T {
        while true {
            do {
                return try body(millisecondsLeft)
            } catch let error as DatabaseError where error.isPassing && ContinuousClock.now + pause < end {
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
