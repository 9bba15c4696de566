// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

extension StoreReader {
    /// Visits some learners with their events. Missing learners are left out.
    /// - Parameters:
    ///   - ids: ascending.
    ///   - limit: learners with more events are passed without events.
    ///   - until: later events may be missing; nil for all.
    func forEachLearner(
        of ids: [Int64],
        fields: FieldSelection,
        upTo limit: Int = .max,
        until: Int64? = nil,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        for some in ids.byPartition {
            let first = some[some.startIndex], last = some[some.endIndex - 1]
            // Reading a whole range decodes each block once. That is faster if many of the range's learners are
            // requested.
            if Int64(some.count) * 4 > last - first {
                let asked = Set(some)
                try forEachLearner(ids: first..<last + 1, fields: fields, upTo: limit) { learner, runs in
                    if asked.contains(learner.id) { try body(learner, runs) }
                }
                continue
            }
            for id in some {
                guard let learner = try learner(id) else { continue }
                let isGiven = learner.eventCount <= limit
                try body(learner, isGiven ? events(of: id, since: nil, until: until, fields: fields) : [])
            }
        }
    }
}

extension [Int64] {
    /// Ascending ids of learners, divided by partition.
    var byPartition: [ArraySlice<Int64>] {
        var parts: [ArraySlice<Int64>] = []
        var rest = self[...]
        while let first = rest.first {
            let partition = Partition.of(learner: first)
            let end = rest.indices.partitioningIndex { Partition.of(learner: rest[$0]) > partition }
            parts.append(rest[..<end])
            rest = rest[end...]
        }
        return parts
    }

    /// Ascending ids of learners, divided into shares of one partition each.
    /// - Parameter size: the largest size of a share.
    func shares(of size: Int) -> [[Int64]] {
        byPartition.flatMap { ids in
            stride(from: ids.startIndex, to: ids.endIndex, by: size).map {
                Array(ids[$0..<Swift.min($0 + size, ids.endIndex)])
            }
        }
    }
}
