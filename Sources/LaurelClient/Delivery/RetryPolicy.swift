// SPDX-License-Identifier: Apache-2.0

/// How long to wait after failures: exponential backoff with full jitter, so that devices that failed together do not
/// come back together. (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.)
public struct RetryPolicy: Sendable, Hashable {
    /// The longest wait after the first failure; it doubles with each further one.
    public var base: Duration
    /// The longest wait after any.
    public var cap: Duration

    /// Each property says what its parameter means.
    public init(base: Duration = .seconds(1), cap: Duration = .seconds(300)) {
        self.base = base
        self.cap = cap
    }

    /// Between nothing and min(cap, base · 2^(failures − 1)).
    /// - Parameters:
    ///   - failures: In a row; 1 or more.
    ///   - random: From 0 to 1.
    public func delay(afterFailures failures: Int, random: Double) -> Duration {
        var longest = base
        for _ in 1..<max(failures, 2) where longest < cap && failures > 1 { longest *= 2 }
        return min(longest, cap) * random
    }
}
