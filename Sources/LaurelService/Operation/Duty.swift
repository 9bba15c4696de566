// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// Work that one of all services over a store does. Where that one is gone, another takes it up when its lease has ended.
final class Duty: Sendable {
    private let name: String
    private let engine: ProgressEngine
    private let known = Mutex<(isOurs: Bool, at: ContinuousClock.Instant)?>(nil)
    /// Seconds for which one has it.
    private let lease: Double

    init(_ name: String, _ engine: ProgressEngine, leaseSeconds: Int) {
        (self.name, self.engine, lease) = (name, engine, Double(leaseSeconds))
    }

    /// - Complexity: a question to the store for each sixth of the lease.
    func isOurs() throws -> Bool {
        try known.withLock { known in
            if let known, known.at.duration(to: .now) < .seconds(lease / 6) { return known.isOurs }
            // Counted from before the question: the lease ends for us before it does for others.
            let start = ContinuousClock.now
            known = (false, start)
            let isOurs = try engine.hasDuty(name, seconds: lease)
            known = (isOurs, start)
            return isOurs
        }
    }
}
