// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// A task that only one of the services that use a store may do. That service holds a lease. If the service ends,
/// another service takes over the task after the lease has expired.
final class Duty: Sendable {
    private let name: String
    private let engine: ProgressEngine
    private let cached = Mutex<(isOurs: Bool, at: ContinuousClock.Instant)?>(nil)
    /// The duration of the lease, in seconds.
    private let lease: Double

    init(_ name: String, _ engine: ProgressEngine, leaseSeconds: Int) {
        (self.name, self.engine, lease) = (name, engine, Double(leaseSeconds))
    }

    /// True if this service has the duty.
    /// - Complexity: a query to the store every sixth of the lease.
    func isOurs() throws -> Bool {
        try cached.withLock { cached in
            if let cached, cached.at.duration(to: .now) < .seconds(lease / 6) { return cached.isOurs }
            // The lease is counted from before the query. So it expires in this process before another process can get
            // it.
            let start = ContinuousClock.now
            cached = (false, start)
            let isOurs = try engine.hasDuty(name, seconds: lease)
            cached = (isOurs, start)
            return isOurs
        }
    }
}
