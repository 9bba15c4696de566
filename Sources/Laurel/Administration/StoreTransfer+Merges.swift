// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Copies merges of learners.
extension StoreTransfer {
    private static let mergesAtOnce = 1000

    /// Makes the source's merges in the destination. A learner that was merged in the source since an earlier copy is
    /// merged in the destination, too.
    func copyMerges(_ reader: any StoreReader) throws {
        var wanted: [[UInt8]: MergeRecord] = [:]
        try reader.forEachMerge { wanted[$0.subject] = $0 }
        var wrong: [[UInt8]] = []
        try destination.store.read {
            try $0.forEachMerge { merge in
                if wanted.removeValue(forKey: merge.subject) != merge { wrong.append(merge.subject) }
            }
        }
        // These learners are merged in the destination. In the source, they are not merged, or merged in another way.
        try eraseInDestination(wrong)
        var missing: [MergeRecord] = []
        try reader.forEachMerge { merge in
            if wanted[merge.subject] != nil || wrong.contains(merge.subject) { missing.append(merge) }
        }
        for start in stride(from: 0, to: missing.count, by: Self.mergesAtOnce) {
            try Cancellation.check()
            let some = missing[start..<min(start + Self.mergesAtOnce, missing.count)]
            for merge in try recordMerges(some) { try apply(merge) }
        }
    }

    /// Records merges of ids that have no data in the destination.
    /// - Returns: the other merges.
    private func recordMerges(_ merges: ArraySlice<MergeRecord>) throws -> [MergeRecord] {
        try destination.store.writeAll { transaction in
            let learners = try transaction.learners(.subjects(merges.map(\.subject)))
            for (merge, learner) in zip(merges, learners) where learner == nil { try transaction.merge(merge) }
            return zip(merges, learners).filter { $1 != nil }.map { $0.0 }
        }
    }

    /// Merges a learner that has data in the destination.
    private func apply(_ merge: MergeRecord) throws {
        try destination.writeAll { transaction, plan in
            if plan !== updater.plan { updater = updater.following(plan) }
            let writing = IngestTransaction(transaction, updater, nil)
            // The source's quarantine is copied later. So a conflict need not be kept here.
            try MergeRun(applying: merge, in: destination).apply(merge, writing, quarantinesConflicts: false)
        }
        updater.commit()
    }
}
