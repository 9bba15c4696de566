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
    struct Subject {
        let subject: [UInt8]
        /// In the order of arrival.
        fileprivate(set) var rows: [Range<Int>] = []
    }

    let partition: Int
    fileprivate(set) var subjects: [Subject] = []
    fileprivate(set) var refused: [RefusedLine] = []
    /// How many events it has; long ones count for several.
    fileprivate(set) var size = 0

    init(_ partition: Int) { self.partition = partition }
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
                last[0].reduce(shares[0].size, { $0 + $1.size }) <= most
            {
                lanes[lanes.count - 1][0].append(shares[0])
            } else {
                lanes.append(shares.map { [$0] })
            }
        }
        rest = lanes
    }
}

/// Divides what is staged into shares.
struct ShareDivision {
    private let most: Int
    private var open: [Int: StagedShare] = [:]
    private var full: [StagedShare] = []

    /// - Parameter most: how large a share may be.
    init(ofAtMost most: Int) { self.most = most }

    /// - Parameter size: gives how many usual events some are as large as.
    mutating func append(
        _ subject: [UInt8],
        _ rows: [Range<Int>],
        in partition: Int,
        size: (Range<Int>) -> Int
    ) {
        // Taken out, for an array that two have is copied when it grows.
        var share = open.removeValue(forKey: partition) ?? StagedShare(partition)
        var part = StagedShare.Subject(subject: subject)
        for stretch in rows {
            var rest = stretch
            while !rest.isEmpty {
                let some = rest.prefix(ofSize: most - share.size, least: share.size == 0 ? 1 : 0, size)
                if !some.isEmpty { part.rows.append(some) }
                share.size += size(some)
                rest = some.upperBound..<rest.upperBound
                guard share.size >= most || !rest.isEmpty else { continue }
                if !part.rows.isEmpty { share.subjects.append(part) }
                full.append(share)
                share = StagedShare(partition)
                part.rows = []
            }
        }
        if !part.rows.isEmpty { share.subjects.append(part) }
        if share.size > 0 { open[partition] = share }
    }

    mutating func append(_ line: RefusedLine, in store: any EventStore) {
        let partition = line.partition(in: store)
        open[partition, default: StagedShare(partition)].refused.append(line)
    }

    /// Ascending by partitions. A subject's first rows come first.
    var shares: [StagedShare] {
        let shares = full + open.values
        return shares.indices.sorted { (shares[$0].partition, $0) < (shares[$1].partition, $1) }.map { shares[$0] }
    }
}

extension Range<Int> {
    /// As many of the first as are at most so large, and at least some.
    fileprivate func prefix(ofSize most: Int, least: Int, _ size: (Range<Int>) -> Int) -> Range<Int> {
        guard size(self) > most else { return self }
        let end = (lowerBound..<upperBound).partitioningIndex { size(lowerBound..<$0 + 1) > most }
        return lowerBound..<Swift.max(end, lowerBound + least)
    }
}
