// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// A lock around a function. A thread waits for it only until a deadline.
final class TimedLock: Sendable {
    private let free = DispatchSemaphore(value: 1)

    /// - Parameter failure: the error if the lock is not free in time.
    func withLock<T>(before deadline: Deadline, else failure: () throws -> StoreError, _ body: () throws -> T) throws
        -> T
    {
        guard free.wait(timeout: deadline.time) == .success else { throw try failure() }
        defer { free.signal() }
        return try body()
    }
}

extension [TimedLock] {
    /// Runs a function while all locks are held. To prevent deadlocks, all callers must acquire several locks in the
    /// same order.
    func withAll<T>(before deadline: Deadline, else failure: () throws -> StoreError, _ body: () throws -> T) throws
        -> T
    {
        func holding(_ rest: ArraySlice<TimedLock>) throws -> T {
            guard let first = rest.first else { return try body() }
            return try first.withLock(before: deadline, else: failure) { try holding(rest.dropFirst()) }
        }
        return try holding(self[...])
    }
}

/// The end of a wait. Several waits in a row share one deadline, so that they do not add up.
struct Deadline {
    let end: ContinuousClock.Instant

    init(seconds: Double) { end = .now + .seconds(seconds) }

    /// The time left, in seconds; 0 if the deadline has passed.
    private var seconds: Double {
        let left = ContinuousClock.now.duration(to: end).components
        return max(0, Double(left.seconds) + Double(left.attoseconds) / 1e18)
    }

    var time: DispatchTime { .now() + seconds }

    /// The time left, in milliseconds; at least 1.
    var milliseconds: Int { max(1, Int(seconds * 1000)) }
}
