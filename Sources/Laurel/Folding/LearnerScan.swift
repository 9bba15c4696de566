// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Folds many learners from their events, in shares, on all cores.
struct LearnerScan: Sendable {
    let state: any StoreState
    let plan: FoldPlan
    /// The last instant that counts, in milliseconds since 1970.
    let instant: Int64

    /// The number of learners per share. It is small enough to keep all cores busy to the end.
    private static let share = 256

    enum Share: Sendable {
        case range(Range<Int64>)
        case listed([Int64])

        /// Reads learners with their events.
        /// - Parameter instant: the instant after which events may be left out; nil for all events.
        func forEachLearner(
            _ reader: any StoreReader,
            fields: FieldSelection,
            until instant: Int64?,
            _ body: (LearnerRecord, [EventRun]) throws -> Void
        ) throws {
            switch self {
            case .range(let ids): try reader.forEachLearner(ids: ids, fields: fields, body)
            case .listed(let ids): try reader.forEachLearner(of: ids, fields: fields, until: instant, body)
            }
        }
    }

    /// - Parameter learners: ascending.
    func shares(of learners: [Int64]) -> [Share] { learners.shares(of: LearnerScan.share).map(Share.listed) }

    /// The results of a closure for learners. The closure folds the learner that it gets.
    /// - Parameters:
    ///   - learners: ascending; nil for all learners.
    ///   - reader: the caller's reader of the same state.
    /// - Complexity: O(events of these learners), on all cores if they are many.
    func results<Result: Sendable>(
        of learners: [Int64]?,
        _ reader: any StoreReader,
        _ body: @escaping @Sendable (LearnerRecord, [EventRun], LearnerFolder) throws -> Result?
    ) throws -> [Result] {
        let shares = try learners.map(shares) ?? reader.learnerShares(of: LearnerScan.share).map(Share.range)
        // A few learners are read with the caller's own reader.
        if learners != nil, shares.count == 1 { return try results(of: shares[0], reader, body) }
        var results: [Result] = []
        try shares.mapInParallel { share in
            try state.read { try self.results(of: share, $0, body) }
        } receive: {
            results += $0
        }
        return results
    }

    private func results<Result>(
        of share: Share,
        _ reader: any StoreReader,
        _ body: (LearnerRecord, [EventRun], LearnerFolder) throws -> Result?
    ) throws -> [Result] {
        let folder = LearnerFolder(plan: plan)
        var results: [Result] = []
        try share.forEachLearner(reader, fields: plan.fields, until: instant) { learner, runs in
            if let result = try body(learner, runs, folder) { results.append(result) }
        }
        return results
    }
}
