// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A limit on each caller's requests or bytes: a token bucket that refills with time.
final class RateLimiter: Sendable {
    private struct Bucket {
        var level: Double
        var seconds: Double
    }

    /// The amount added per second; 0 for no limit.
    private let rate: Double
    /// The capacity of a bucket.
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])
    private static let mostBuckets = 100_000

    /// - Parameter burst: the capacity of a bucket; nil for the amount of two seconds.
    init(perSecond rate: Double, burst: Double? = nil) { (self.rate, self.burst) = (rate, max(burst ?? rate * 2, 1)) }

    /// Takes from a caller's bucket. A cost above the capacity empties a full bucket.
    /// - Parameters:
    ///   - cost: 1 for a request.
    ///   - seconds: the time of a monotonic clock.
    /// - Returns: nil if the caller may proceed, else the number of seconds to wait.
    func admit(_ name: String, cost: Double = 1, at seconds: Double = ProcessInfo.processInfo.systemUptime) -> Int? {
        guard rate > 0 else { return nil }
        let cost = min(cost, burst)
        return buckets.withLock { buckets in
            if buckets.count > Self.mostBuckets {
                buckets = buckets.filter { $0.value.seconds > seconds - max(60, burst / rate) }
            }
            var bucket = buckets[name] ?? Bucket(level: burst, seconds: seconds)
            bucket.level = min(burst, bucket.level + (seconds - bucket.seconds) * rate)
            bucket.seconds = seconds
            defer { buckets[name] = bucket }
            guard bucket.level >= cost else { return max(1, Int(((cost - bucket.level) / rate).rounded(.up))) }
            bucket.level -= cost
            return nil
        }
    }
}
