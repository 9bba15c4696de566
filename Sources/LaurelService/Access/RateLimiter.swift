// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A limit for each caller of requests, or of bytes: a token bucket, which fills up as time passes.
final class RateLimiter: Sendable {
    private struct Bucket {
        var level: Double
        var seconds: Double
    }

    /// The amount that is added in a second; 0 for no limit.
    private let rate: Double
    /// The most that a bucket holds.
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])
    private static let mostBuckets = 100_000

    /// - Parameter burst: what may come at once; nil for two seconds' worth.
    init(perSecond rate: Double, burst: Double? = nil) { (self.rate, self.burst) = (rate, max(burst ?? rate * 2, 1)) }

    /// Takes from a caller's bucket. More than is ever there empties a full one.
    /// - Parameters:
    ///   - cost: 1 for a request.
    ///   - seconds: of a clock that only goes on.
    /// - Returns: nil where it may go on, else in how many seconds it might.
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
