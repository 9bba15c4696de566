// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// A transaction of several buckets' writers. What they write is sent together, a statement for all of them: so many requests of as
/// many learners cost the server hardly more than one does.
final class SomeBucketsTransaction: BucketsTransaction {
    let bucketCount: Int
    let partitions: [Int]
    private let writers: [Int: PostgreSQLWriter]
    private let merged: MergedStatements
    private let connection: WriterSlot

    /// - Parameters:
    ///   - writers: at least one, of buckets ascending; their transaction has begun.
    ///   - merged: by which they write.
    init(_ writers: [PostgreSQLWriter], _ merged: MergedStatements, _ slot: WriterSlot) {
        bucketCount = writers[0].tables.bucketCount
        partitions = writers.map(\.partition)
        self.writers = Dictionary(uniqueKeysWithValues: writers.map { ($0.partition, $0) })
        (self.merged, connection) = (merged, slot)
    }

    var versions: [VersionStep] { partitions.map { writers[$0]!.session.step } }

    /// Each of them reads all there is.
    var everybody: StoreSession {
        get throws {
            try connection.send(merged)
            let reader = writers[partitions[0]]!
            // Others may have counted events of those it has read.
            reader.tables.learnersRead = LearnerRowCache()
            return reader.session
        }
    }

    func part(_ partition: Int) throws -> StoreSession {
        guard let session = partAtHand(partition) else {
            throw StoreError(.misuse, "partition \(partition) is written by who has \(partitions)")
        }
        return session
    }

    func partAtHand(_ partition: Int) -> StoreSession? { writers[partition]?.session }

    func settled() throws -> StoreSession {
        for partition in partitions { try writers[partition]!.session.endAppending() }
        return try everybody
    }

    /// The buckets' own rows tell of it.
    func noteNewSettings() {}

    func write(_ changes: LearnerWrites) throws {
        if let partition = try changes.onlyPartition() { try part(partition).write(changes) }
    }

    func dropQuarantined(ids: [Int64]?) throws {
        guard let ids else { throw StoreError(.misuse, "all lines are dropped by who has all partitions") }
        for (partition, ids) in Dictionary(grouping: ids, by: Partition.of(learner:)).sorted(by: { $0.key < $1.key }) {
            try part(partition).dropQuarantined(ids: ids)
        }
    }

    func statistics() throws -> StoreStatistics { try settled().statistics() }
}
