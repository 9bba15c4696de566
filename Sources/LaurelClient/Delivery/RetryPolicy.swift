// SPDX-License-Identifier: Apache-2.0

/// The waiting times after failures. A waiting time is random. Its upper limit grows exponentially (full jitter). So
/// devices that failed at the same time do not retry at the same time. (Brooker, "Exponential Backoff And Jitter", AWS
/// Architecture Blog, 2015.)
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum wait after the first failure. It doubles with each further failure.
    public var base: Duration
    /// The upper limit of the wait after any number of failures.
    public var cap: Duration

    /// Creates a policy. The properties describe the parameters.
    public init(base: Duration = .seconds(1), cap: Duration = .seconds(300)) {
        self.base = base
        self.cap = cap
    }

    /// Returns a waiting time between 0 and min(cap, base · 2^(failures − 1)).
    /// - Parameters:
    ///   - failures: the number of failures in a row; 1 or more.
    ///   - random: a random number from 0 to 1.
    public func delay(afterFailures failures: Int, random: Double) -> Duration {
        var longest = base
        for _ in 1..<max(failures, 2) where longest < cap && failures > 1 { longest *= 2 }
        return min(longest, cap) * random
    }
}
