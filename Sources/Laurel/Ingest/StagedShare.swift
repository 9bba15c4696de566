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

/// What is stored at one go of what is staged, all of one partition.
struct StagedShare {
    let partition: Int
    /// The rows of each subject, in the order of arrival.
    fileprivate(set) var subjects: [(subject: [UInt8], rows: [Int])] = []
    fileprivate(set) var refused: [RefusedLine] = []
    fileprivate(set) var events = 0

    init(_ partition: Int) { self.partition = partition }
}

extension [StagedShare] {
    /// The rows by learner; learners ascending.
    func groups(in transaction: any StoreTransaction) throws -> [LearnerRows] {
        let subjects = flatMap(\.subjects)
        return try zip(transaction.learnerIDs(for: subjects.map(\.subject)), subjects)
            .map { LearnerRows(learner: $0, rows: $1.rows) }
            .sorted { $0.learner < $1.learner }
    }
}

/// Which shares are stored in one transaction, and which transactions one after the other.
struct IngestTransactions {
    /// Alone, before all others; nil where there is nothing to store.
    let first: [StagedShare]?
    /// Lanes: the transactions of each come one after the other, for what came first of a partition stays. Those of different lanes may
    /// be under way at the same time.
    let rest: [[[StagedShare]]]

    /// - Parameters:
    ///   - shares: ascending by partitions.
    ///   - most: events of a transaction, about.
    init(_ shares: [StagedShare], ofAtMost most: Int) {
        first = shares.first.map { [$0] }
        var lanes: [[[StagedShare]]] = []
        let partitions = Dictionary(grouping: shares.dropFirst(), by: \.partition)
        for (_, shares) in partitions.sorted(by: { $0.key < $1.key }) {
            if shares.count == 1, let last = lanes.last, last.count == 1,
                last[0].reduce(shares[0].events, { $0 + $1.events }) <= most
            {
                lanes[lanes.count - 1][0].append(shares[0])
            } else {
                lanes.append(shares.map { [$0] })
            }
        }
        rest = lanes
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
