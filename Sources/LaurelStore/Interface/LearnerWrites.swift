// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

/// What an update of learners leaves beside their events, to be written at one go, in this order.
package struct LearnerWrites: Sendable {
    package var place: DerivedPlace
    /// In place of what is stored; of this store. It is used up, until it is emptied.
    package var batch: (any ProjectionBatch)?
    /// Replaced days as ``ProjectionBatch/append(_:days:of:)`` has them.
    package var projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)]
    /// A learner's stand together.
    package var states: [(learner: Int64, change: StateChange)]

    package enum StateChange: Sendable {
        /// nil removes it.
        case snapshot([UInt8]?)
        /// Keeps a snapshot of an earlier point of the learner's history, in place of one at that instant.
        case checkpoint(Checkpoint)
        /// Makes a checkpoint of the stored snapshot, which then need not be packed again.
        case snapshotAsCheckpoint(CheckpointPlace)
        /// Drops checkpoints; nil drops all of them. Those of a shadow stay.
        case noCheckpoints(at: [CheckpointPlace]?)
    }

    package init(
        _ batch: (any ProjectionBatch)? = nil,
        in place: DerivedPlace = .stored,
        projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)] = [],
        states: [(learner: Int64, change: StateChange)] = []
    ) {
        (self.place, self.batch, self.projections, self.states) = (place, batch, projections, states)
    }
}
