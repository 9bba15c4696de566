// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Limits the requests or bytes of each caller. A token bucket of each caller refills with time.
final class RateLimiter: Sendable {
    private struct Bucket {
        var level: Double
        var seconds: Double
    }

    /// The amount that is added to each bucket per second; 0 for no limit.
    private let rate: Double
    /// The maximum amount in a bucket.
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])
    private static let mostBuckets = 100_000

    /// - Parameter burst: the maximum amount in a bucket; nil for the amount of two seconds.
    init(perSecond rate: Double, burst: Double? = nil) { (self.rate, self.burst) = (rate, max(burst ?? rate * 2, 1)) }

    /// Subtracts a cost from a caller's bucket. A cost above the bucket's maximum counts as the maximum.
    /// - Parameters:
    ///   - cost: the amount; 1 for a request.
    ///   - seconds: the present time of a monotonic clock, in seconds.
    /// - Returns: nil if the caller may proceed, otherwise the number of seconds to wait.
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
