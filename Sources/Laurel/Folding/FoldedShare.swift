// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelStore

/// The results of a thread that has folded learners from their first events. Another thread writes them.
///
/// `@unchecked Sendable`: the folding thread does not use the states after it has passed them on.
struct FoldedShare: @unchecked Sendable {
    private(set) var writes: LearnerWrites
    /// The states of the learners; empty if the folder does not keep states.
    private(set) var kept: [Int64: FoldedLearner] = [:]

    init(_ share: LearnerShare, _ folder: LearnerFolder, _ projections: any ProjectionBatch) {
        writes = LearnerWrites(projections)
        for (learner, runs) in share.learners {
            let folded = folder.refold(runs, keepsCheckpoints: true)
            let result = folder.result(folded: folded, days: .all)
            projections.append(result.projection, of: learner)
            writes.keep(result.states, of: learner)
            if folder.keepsStates { kept[learner] = FoldedLearner(folder.state, result, folded: folded) }
        }
    }
}

extension FoldedLearner {
    /// Creates the value for a learner who was folded from the first event.
    init(_ state: LearnerState, _ result: LearnerResult, folded: Int) {
        let snapshot: (CheckpointPoint?, Int)? = result.states.snapshot == nil ? (nil, folded) : nil
        self.init(state, result.projection, .all, since: snapshot)
    }

    /// - Parameter snapshot: the position of the stored snapshot, and the number of events folded since; nil if the
    ///   snapshot is of this state.
    init(
        _ state: LearnerState,
        _ projection: LearnerProjection,
        _ days: ReplacedDays,
        since snapshot: (point: CheckpointPoint?, events: Int)?
    ) {
        state.settle()
        var projection = projection
        // All days of a history would take much memory. Usually the next event is on the same day as the last event.
        if days == .all { for track in projection.tracks.indices { projection.tracks[track].days = [] } }
        self.init(
            state: state,
            snapshot: snapshot.map(\.point) ?? state.point,
            eventsSinceSnapshot: snapshot?.events ?? 0,
            projection: projection
        )
    }
}
