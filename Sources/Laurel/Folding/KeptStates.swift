// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// The part of a learner's fold that is stored.
struct LearnerResult {
    var projection: LearnerProjection
    var states: KeptStates
}

/// The states from which later folds can resume.
struct KeptStates {
    /// The snapshot; nil if there are too few events for one.
    var snapshot: [UInt8]?
    /// The checkpoints within the history, if the fold created any.
    var checkpoints: [Checkpoint] = []

    var hasAny: Bool { snapshot != nil || !checkpoints.isEmpty }
}

extension LearnerWrites {
    /// Adds the states of a fold from the first event. They replace all stored states of the learner.
    mutating func keep(_ kept: KeptStates, of learner: Int64) {
        if kept.snapshot != nil, target == .stored { states.append((learner, .noCheckpoints(at: nil))) }
        save(kept, of: learner)
    }

    mutating func save(_ kept: KeptStates, of learner: Int64) {
        for checkpoint in kept.checkpoints { states.append((learner, .checkpoint(checkpoint))) }
        states.append((learner, .snapshot(kept.snapshot)))
    }
}

extension StoreTransaction {
    func thinCheckpoints(of learner: Int64, end: Int) throws {
        let points = try checkpoints(of: learner)
        try dropCheckpoints(of: learner, at: CheckpointSpacing.superfluous(points, end: end))
    }
}
