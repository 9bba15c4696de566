// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// Work that one of all services over a store does. Where that one is gone, another takes it up within a minute.
final class Duty: Sendable {
    private let name: String
    private let engine: ProgressEngine
    private let known = Mutex<(isOurs: Bool, at: ContinuousClock.Instant)?>(nil)

    /// Seconds for which one has it, and between two questions.
    private static let (lease, pause) = (30.0, Duration.seconds(5))

    init(_ name: String, _ engine: ProgressEngine) { (self.name, self.engine) = (name, engine) }

    /// - Complexity: a question to the store every five seconds.
    func isOurs() throws -> Bool {
        try known.withLock { known in
            if let known, known.at.duration(to: .now) < Self.pause { return known.isOurs }
            // Counted from before the question: the lease ends for us before it does for others.
            let start = ContinuousClock.now
            known = (false, start)
            let isOurs = try engine.hasDuty(name, seconds: Self.lease)
            known = (isOurs, start)
            return isOurs
        }
    }
}
