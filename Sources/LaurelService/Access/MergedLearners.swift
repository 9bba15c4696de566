// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// Learners of tokens, and which of them were merged into others. A token is always made for a learner who is not merged.
/// So the token has ended if its learner was merged since.
final class MergedLearners: Sendable {
    private let engine: ProgressEngine
    /// For each learner's id, as bytes, true if the learner was merged.
    private let known = Mutex<[[UInt8]: Bool]>([:])

    /// The maximum number of learners. Beyond it, learners are looked up again.
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
