// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// Remembers which learners with tokens were merged into other learners. A token is only made for a learner who is not
/// merged. If the learner is merged later, the token becomes invalid.
final class MergedLearners: Sendable {
    private let engine: ProgressEngine
    /// For each learner's id, as bytes, true if the learner was merged.
    private let known = Mutex<[[UInt8]: Bool]>([:])

    /// The maximum number of remembered learners. At this number, all of them are forgotten.
    private static let most = 10_000

    init(_ engine: ProgressEngine) { self.engine = engine }

    /// True if a learner was merged. A merge by another process is noticed at the next reload.
    func contains(_ learner: String) -> Bool {
        let learner = Array(learner.utf8)
        if let known = known.withLock({ $0[learner] }) { return known }
        // If the store cannot be read, the rest of the request fails.
        guard let isMerged = try? !engine.mergedIDs(among: [learner]).isEmpty else { return false }
        known.withLock { known in
            if known.count >= Self.most { known = [:] }
            known[learner] = isMerged
        }
        return isMerged
    }

    /// Looks up the known learners again.
    func reload() throws {
        let learners = known.withLock { Array($0.keys) }
        guard !learners.isEmpty else { return }
        let merged = try engine.mergedIDs(among: learners)
        known.withLock { known in for learner in learners { known[learner] = merged.contains(learner) } }
    }
}
