// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

/// What an update of learners leaves beside their events, to be written at one go, in this order.
package struct LearnerWrites: Sendable {
    /// Of projections and states; copies have none.
    package var place: DerivedPlace
    /// Learners of whom it is forgotten that they have changed up to now; nothing of theirs is in the shadow any more.
    package var forgotten: [Int64]
    /// In place of what is stored; of this store. It is used up, until it is emptied.
    package var batch: (any ProjectionBatch)?
    /// Replaced days as ``ProjectionBatch/append(_:days:of:)`` has them.
    package var projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)]
    /// A learner's stand together.
    package var states: [(learner: Int64, change: StateChange)]
    /// Copies of an app's own store, each in place of one of the same name, by name; nil forgets one.
    package var copies: [(learner: Int64, copies: [String: [UInt8]?])]

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
        states: [(learner: Int64, change: StateChange)] = [],
        forgotten: [Int64] = [],
        copies: [(learner: Int64, copies: [String: [UInt8]?])] = []
    ) {
        (self.place, self.forgotten, self.batch) = (place, forgotten, batch)
        (self.projections, self.states, self.copies) = (projections, states, copies)
    }
}
