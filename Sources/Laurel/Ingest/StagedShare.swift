// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// A line that was refused, on its way to quarantine.
struct RefusedLine {
    var record: QuarantineRecord
    var bytes: [UInt8]

    /// Where it is kept: with the subject that it names; where it names none, with others of its bytes.
    func partition(in store: any EventStore) -> Int { store.partition(of: record.subject ?? bytes) }
}

/// What one transaction stores of what is staged, all of one partition.
struct StagedShare {
    let partition: Int
    /// The rows of each subject, in the order of arrival.
    fileprivate(set) var subjects: [(subject: [UInt8], rows: [Int])] = []
    fileprivate(set) var refused: [RefusedLine] = []
    fileprivate(set) var events = 0

    init(_ partition: Int) { self.partition = partition }

    /// The rows by learner; learners ascending.
    func groups(in transaction: any StoreTransaction) throws -> [LearnerRows] {
        try zip(transaction.learnerIDs(for: subjects.map(\.subject)), subjects)
            .map { LearnerRows(learner: $0, rows: $1.rows) }
            .sorted { $0.learner < $1.learner }
    }
}

extension PendingEvents {
    /// All that is staged, by partitions.
    /// - Parameters:
    ///   - refused: goes along.
    ///   - skipped: rows that are in no share.
    ///   - most: events of a share at most.
    func shares(
        _ refused: [RefusedLine] = [],
        skipping skipped: [Range<Int>] = [],
        in store: any EventStore,
        of most: Int
    ) -> [StagedShare] {
        var names: [[UInt8]] = []
        let groups = groups(skipping: skipped) { subjects in
            names = subjects
            return subjects.indices.map { Int64($0) }
        }
        var open: [Int: StagedShare] = [:]
        var full: [StagedShare] = []
        for (name, group) in zip(names, groups) {
            let partition = store.partition(of: name)
            var rest = group.rows[...]
            while !rest.isEmpty {
                // Taken out, for an array that two have is copied when it grows.
                var share = open.removeValue(forKey: partition) ?? StagedShare(partition)
                let some = rest.prefix(most - share.events)
                share.subjects.append((name, Array(some)))
                share.events += some.count
                rest = rest.dropFirst(some.count)
                if share.events < most { open[partition] = share } else { full.append(share) }
            }
        }
        for line in refused {
            let partition = line.partition(in: store)
            open[partition, default: StagedShare(partition)].refused.append(line)
        }
        // A subject's first rows come first.
        let shares = full + open.values
        return shares.indices.sorted { (shares[$0].partition, $0) < (shares[$1].partition, $1) }.map { shares[$0] }
    }
}
