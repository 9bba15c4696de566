// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// What is kept of a folded learner.
struct LearnerResult {
    var projection: LearnerProjection
    var states: KeptStates
}

/// The states that later folds may begin with.
struct KeptStates {
    /// nil if the events are too few for one.
    var snapshot: [UInt8]?
    /// Of earlier points, where they were made on the way.
    var checkpoints: [Checkpoint] = []

    var hasAny: Bool { snapshot != nil || !checkpoints.isEmpty }
}

extension LearnerWrites {
    /// Keeps the states that were saved on the way of a fold from the beginning: what there was before holds no more.
    mutating func keep(_ kept: KeptStates, of learner: Int64) {
        if kept.snapshot != nil, place == .stored { states.append((learner, .noCheckpoints(at: nil))) }
        save(kept, of: learner)
    }

    mutating func save(_ kept: KeptStates, of learner: Int64) {
        for checkpoint in kept.checkpoints { states.append((learner, .checkpoint(checkpoint))) }
        states.append((learner, .snapshot(kept.snapshot)))
    }
}

extension StoreTransaction {
    func thinCheckpoints(of learner: Int64, end: Int) throws {
        let places = try checkpoints(of: learner)
        try dropCheckpoints(of: learner, at: CheckpointSpacing.superfluous(places, end: end))
    }
}
