// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// A refused line to be quarantined.
struct RefusedLine {
    var record: QuarantineRecord
    var bytes: [UInt8]

    /// The partition of the line's subject. A line without a subject is stored in the partition its bytes hash to.
    func partition(in store: any EventStore) -> Int { store.partition(of: record.subject ?? bytes) }
}

/// A part of the staged data that is stored in one transaction. All of it belongs to one partition.
struct StagedShare {
    let partition: Int
    /// The subjects, and the rows of each in the order of arrival.
    fileprivate(set) var subjects: [(subject: [UInt8], rows: [Range<Int>])] = []
    fileprivate(set) var refused: [RefusedLine] = []
    /// The number of events. A long event counts as several.
    fileprivate(set) var size = 0

    init(_ partition: Int) { self.partition = partition }
}

/// The transactions that store staged shares, in order.
struct IngestTransactions {
    /// The share to store first, in a separate transaction; nil if there is nothing to store.
    let first: [StagedShare]?
    /// Lanes of transactions. The transactions of a lane run one after the other, because the first of several events
    /// with the same identity is kept. Different lanes may run at the same time.
    let rest: [[[StagedShare]]]

    /// - Parameters:
    ///   - shares: ascending by partition.
    ///   - most: the approximate maximum number of events of a transaction.
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

/// Divides staged data into shares.
struct ShareDivision {
    private let most: Int
    private var open: [Int: StagedShare] = [:]
    private var full: [StagedShare] = []

    /// - Parameter most: the maximum size of a share.
    init(ofAtMost most: Int) { self.most = most }

    /// Adds a subject's rows.
    /// - Parameter size: returns the size of some rows, as a number of usual events.
    mutating func append(
        _ subject: [UInt8],
        _ rows: [Range<Int>],
        in partition: Int,
        size: (Range<Int>) -> Int
    ) {
        // The share is removed from the dictionary while it grows. An array with two owners would be copied.
        var share = open.removeValue(forKey: partition) ?? StagedShare(partition)
        var part: [Range<Int>] = []
        for stretch in rows {
            var rest = stretch
            while !rest.isEmpty {
                let some = rest.prefix(ofSize: most - share.size, least: share.size == 0 ? 1 : 0, size)
                if !some.isEmpty { part.append(some) }
                share.size += size(some)
                rest = some.upperBound..<rest.upperBound
                guard share.size >= most || !rest.isEmpty else { continue }
                if !part.isEmpty { share.subjects.append((subject, part)) }
                full.append(share)
                share = StagedShare(partition)
                part = []
            }
        }
        if !part.isEmpty { share.subjects.append((subject, part)) }
        if share.size > 0 { open[partition] = share }
    }

    mutating func append(_ line: RefusedLine, in store: any EventStore) {
        let partition = line.partition(in: store)
        open[partition, default: StagedShare(partition)].refused.append(line)
    }

    /// The shares, ascending by partition. A subject's first rows come first.
    var shares: [StagedShare] {
        let shares = full + open.values
        return shares.indices.sorted { (shares[$0].partition, $0) < (shares[$1].partition, $1) }.map { shares[$0] }
    }
}

extension Range<Int> {
    /// The longest prefix whose size is at most `most`. It has at least `least` elements, even if their size is larger.
    fileprivate func prefix(ofSize most: Int, least: Int, _ size: (Range<Int>) -> Int) -> Range<Int> {
        guard size(self) > most else { return self }
        let end = (lowerBound..<upperBound).partitioningIndex { size(lowerBound..<$0 + 1) > most }
        return lowerBound..<Swift.max(end, lowerBound + least)
    }
}
