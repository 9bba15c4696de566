// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress
package import LaurelStore

// Writes of one thing, where the engine writes many at a time.

extension StoreAdministration {
    package func dropAllQuarantined() throws { try dropQuarantined(ids: nil) }
}

extension StoreTransaction {
    package func learnerID(for subject: [UInt8]) throws -> Int64 { try learnerIDs(for: [subject])[0] }

    package func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in target: DerivedTarget = .stored
    ) throws {
        try write(LearnerWrites(in: target, projections: [(learner, projection, days)]))
    }

    package func project(_ batch: any ProjectionBatch) throws { try write(LearnerWrites(batch)) }

    package func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64, in target: DerivedTarget = .stored) throws {
        try write(LearnerWrites(in: target, states: [(learner, .snapshot(snapshot))]))
    }

    package func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in target: DerivedTarget) throws {
        try write(LearnerWrites(in: target, states: [(learner, .checkpoint(checkpoint))]))
    }
}
