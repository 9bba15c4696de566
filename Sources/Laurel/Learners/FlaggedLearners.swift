// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelResults
import LaurelStore

/// A learner with events that exceed a limit of the rules.
package struct FlaggedLearner: Sendable, Hashable {
    package let id: String
    package let displayName: String?
    /// The number of flagged events, and their XP.
    package let events: Int
    package let xp: Int
}

extension ProgressEngine {
    /// The learners with flagged events, each as of the learner's latest event. They are sorted by flagged XP, the most
    /// first, then by the number of flagged events, the most first, then by id.
    /// - Complexity: O(learners). O(events) on all cores under other rules than the store's.
    package func flaggedLearners() throws(EngineError) -> [FlaggedLearner] {
        try EngineError.translating {
            var found: [FlaggedLearner] = []
            try forEachOverview { record in
                guard record.numbers.flaggedEvents > 0 else { return }
                found.append(
                    FlaggedLearner(
                        id: String(decoding: record.learner.subject, as: UTF8.self),
                        displayName: record.displayName,
                        events: record.numbers.flaggedEvents,
                        xp: Int(whole: record.numbers.flaggedXP)
                    )
                )
            }
            return found.sorted { one, other in
                if one.xp != other.xp { return one.xp > other.xp }
                if one.events != other.events { return one.events > other.events }
                return one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
            }
        }
    }
}
