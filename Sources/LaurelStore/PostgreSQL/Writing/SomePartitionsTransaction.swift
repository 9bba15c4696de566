// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// A transaction of several partitions' writers. What they write is sent together, a statement for all of them: so many requests of as
/// many learners cost the server hardly more than one does.
final class SomePartitionsTransaction: PartitionsTransaction {
    let partitionCount: Int
    private let partitions: [Int]
    private let writers: [Int: PostgreSQLWriter]
    /// nil where there is one writer, who sends by itself.
    private let merged: MergedStatements?
    private let slot: WriterSlot
    /// Made when it is first needed.
    private var reader: StoreSession?

    /// - Parameters:
    ///   - writers: at least one, of partitions ascending; their transaction has begun.
    ///   - merged: by which they write.
    init(_ writers: [PostgreSQLWriter], _ merged: MergedStatements?, _ slot: WriterSlot) {
        partitionCount = writers[0].tables.partitionCount
        partitions = writers.map(\.partition)
        self.writers = Dictionary(uniqueKeysWithValues: writers.map { ($0.partition, $0) })
        (self.merged, self.slot) = (merged, slot)
    }

    private var first: PostgreSQLWriter { writers[partitions[0]]! }

    /// The session of the only partition that there is, which is a transaction by itself; nil where there are several.
    var onlySession: StoreSession? { partitionCount == 1 ? first.session : nil }

    var versions: [VersionStep] { partitions.map { writers[$0]!.session.step } }

    var everybody: StoreSession {
        get throws {
            if let merged { try slot.send(merged) }
            let reader = reader ?? slot.session(reading: first.tables.ofAllPartitions())
            self.reader = reader
            return reader
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

    /// A partition's row tells of it.
    func noteNewSettings() { first.tables.hasWritten = true }

    func write(_ changes: LearnerWrites) throws {
        if let partition = try changes.onlyPartition() { try part(partition).write(changes) }
    }

    func forgetChanges(of learners: [Int64]) throws {
        for (partition, learners) in Dictionary(grouping: learners, by: Partition.of(learner:)) {
            try part(partition).forgetChanges(of: learners)
        }
    }

    /// What names nobody goes with others of its bytes, where their partition is among these.
    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        if let subject = line.subject { return try part(named: subject).quarantine(line, nextPiece: nextPiece) }
        var first = try nextPiece()
        let session = try partAtHand(partition(of: first ?? [])) ?? part(partitions[0])
        return try session.quarantine(line) { try first.take() ?? nextPiece() }
    }

    func dropQuarantined(ids: [Int64]?) throws {
        guard let ids else { throw StoreError(.misuse, "all lines are dropped by who has all partitions") }
        try dropQuarantined(ids)
    }

    func statistics() throws -> StoreStatistics {
        var statistics = try settled().statistics()
        statistics.tailEvents += writers.values.reduce(0) { $0 + $1.tables.uncountedTailEvents }
        return statistics
    }
}
