// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// How many requests everyone may send: a bucket that fills up as time passes.
final class RateLimiter: Sendable {
    private struct Bucket {
        var level: Double
        var seconds: Double
    }

    /// Requests a second; 0 for no limit.
    private let rate: Double
    private let buckets = Mutex<[String: Bucket]>([:])
    private static let mostBuckets = 100_000

    init(perSecond rate: Double) { self.rate = rate }

    /// Counts a request.
    /// - Parameter seconds: of a clock that only goes on.
    /// - Returns: nil where it may go on, else in how many seconds it might.
    func admit(_ name: String, at seconds: Double = ProcessInfo.processInfo.systemUptime) -> Int? {
        guard rate > 0 else { return nil }
        return buckets.withLock { buckets in
            // Two seconds' worth may come at once.
            let full = max(rate * 2, 1)
            if buckets.count > Self.mostBuckets { buckets = buckets.filter { $0.value.seconds > seconds - 60 } }
            var bucket = buckets[name] ?? Bucket(level: full, seconds: seconds)
            bucket.level = min(full, bucket.level + (seconds - bucket.seconds) * rate)
            bucket.seconds = seconds
            defer { buckets[name] = bucket }
            guard bucket.level >= 1 else { return max(1, Int(((1 - bucket.level) / rate).rounded(.up))) }
            bucket.level -= 1
            return nil
        }
    }
}
