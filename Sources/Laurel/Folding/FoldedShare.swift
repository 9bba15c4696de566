// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelStore

/// What was found of learners who were folded from the beginning by one thread, for the one that writes.
///
/// `@unchecked Sendable`: states are handed over with it; who folded them lets go of them.
struct FoldedShare: @unchecked Sendable {
    private(set) var writes: LearnerWrites
    /// Empty where the folder keeps no states.
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
    /// Of one who was folded from the beginning.
    init(_ state: LearnerState, _ result: LearnerResult, folded: Int) {
        let snapshot: (CheckpointPlace?, Int)? = result.states.snapshot == nil ? (nil, folded) : nil
        self.init(state, result.projection, .all, since: snapshot)
    }

    /// - Parameter snapshot: where the stored one was taken, and how many events were folded since; nil if it is of
    ///   this very state.
    init(
        _ state: LearnerState,
        _ projection: LearnerProjection,
        _ days: ReplacedDays,
        since snapshot: (place: CheckpointPlace?, events: Int)?
    ) {
        state.settle()
        var projection = projection
        // A whole history's would take memory, and mostly the next event is of the day of this one.
        if days == .all { for track in projection.tracks.indices { projection.tracks[track].days = [] } }
        self.init(
            state: state,
            snapshot: snapshot.map(\.place) ?? state.place,
            eventsSinceSnapshot: snapshot?.events ?? 0,
            projection: projection
        )
    }
}
