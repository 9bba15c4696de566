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

extension StoreTransaction {
    /// Keeps the states that were saved on the way of a fold from the beginning: what there was before holds no more.
    func keep(_ states: KeptStates, of learner: Int64, in place: DerivedPlace = .stored) throws {
        if states.snapshot != nil, place == .stored {
            try dropCheckpoints(of: learner, at: try checkpoints(of: learner))
        }
        try save(states, of: learner, in: place)
    }

    func save(_ states: KeptStates, of learner: Int64, in place: DerivedPlace = .stored) throws {
        for checkpoint in states.checkpoints { try saveCheckpoint(checkpoint, of: learner, in: place) }
        try saveSnapshot(states.snapshot, of: learner, in: place)
    }

    func thinCheckpoints(of learner: Int64, end: Int) throws {
        let places = try checkpoints(of: learner)
        try dropCheckpoints(of: learner, at: CheckpointSpacing.superfluous(places, end: end))
    }
}
