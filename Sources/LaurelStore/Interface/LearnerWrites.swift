// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

/// The changes that an update of learners writes in addition to events. They are written together, in the order of
/// the properties.
package struct LearnerWrites: Sendable {
    package var target: DerivedTarget
    /// Projections that replace the stored ones, in a batch from this store. A written batch must be emptied before its
    /// next use.
    package var batch: (any ProjectionBatch)?
    /// Further projections, with the days to replace as in ``ProjectionBatch/append(_:days:of:)``.
    package var projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)]
    /// Changes of snapshots and checkpoints. The changes of one learner are contiguous.
    package var states: [(learner: Int64, change: StateChange)]

    package enum StateChange: Sendable {
        /// Replaces the snapshot; nil removes it.
        case snapshot([UInt8]?)
        /// Keeps a snapshot of an earlier point of the learner's history. Replaces a checkpoint of the same instant.
        case checkpoint(Checkpoint)
        /// Makes a checkpoint of the stored snapshot. So the snapshot need not be packed again.
        case snapshotAsCheckpoint(CheckpointPoint)
        /// Drops the stored checkpoints at the given points; nil drops all. Checkpoints that a running replay has
        /// written stay.
        case noCheckpoints(at: [CheckpointPoint]?)
    }

    package init(
        _ batch: (any ProjectionBatch)? = nil,
        in target: DerivedTarget = .stored,
        projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)] = [],
        states: [(learner: Int64, change: StateChange)] = []
    ) {
        (self.target, self.batch, self.projections, self.states) = (target, batch, projections, states)
    }
}
