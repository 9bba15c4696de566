// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import Synchronization

/// The partitions of a store. Each is like a small store: it has its own learners, counters, generations and commit
/// numbers, and one writer at a time. A hash of a learner's subject selects the partition. A store in one file has one
/// partition.
package enum Partition {
    /// The number of bits for a learner's number within the partition.
    private static let shift: Int64 = 32

    /// The partition of a subject in a store with `count` partitions.
    package static func of(_ subject: [UInt8], among count: Int) -> Int {
        // With one partition, no hash is needed.
        guard count > 1 else { return 0 }
        let number = SHA256.hash(subject).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(number % UInt32(count))
    }

    package static func of(learner id: Int64) -> Int { Int(id >> shift) }
    static func of(generation id: Int64) -> Int { Int(id >> shift) }

    /// The ids that learners of a partition may have.
    static func learners(of partition: Int) -> ClosedRange<Int64> {
        id(0, in: partition)...id(0, in: partition + 1) - 1
    }

    /// An id that is unique in the whole store.
    /// - Parameter number: unique in the partition, from 1.
    static func id(_ number: Int64, in partition: Int) -> Int64 { Int64(partition) << shift | number }
}

extension EventStore {
    /// The partition of a subject, for the learner and for refused lines. The learner need not exist.
    package func partition(of subject: [UInt8]) -> Int { Partition.of(subject, among: partitions) }
}

extension StoreReader {
    /// Ranges of ids that together cover all learners, to be divided among threads. Each range is within one
    /// partition, where ids are consecutive. So a range has about as many learners as ids.
    /// - Parameter size: the maximum number of ids in a range.
    package func learnerShares(of size: Int) throws -> [Range<Int64>] {
        try learnerRanges().flatMap { ids in
            stride(from: ids.lowerBound, to: ids.upperBound, by: size).map {
                $0..<min($0 + Int64(size), ids.upperBound)
            }
        }
    }
}

/// A state of a partition. If two versions are equal, no process has written to the partition between them.
package struct StoreVersion: Sendable, Equatable {
    package let partition: Int
    /// A number that changes when other processes write.
    let others: Int64
    /// The number of this process's write that led to the state.
    let write: Int64
    /// The latest commits; nil if not known.
    let history: PartitionHistory?

    private static let lastWrite = Atomic<Int64>(0)

    init(
        partition: Int = 0,
        others: Int64 = 0,
        write: Int64 = Self.newWrite(),
        history: PartitionHistory? = nil
    ) {
        (self.partition, self.others, self.write, self.history) = (partition, others, write, history)
    }

    package static func == (one: StoreVersion, other: StoreVersion) -> Bool {
        (one.partition, one.others, one.write) == (other.partition, other.others, other.write)
    }

    /// The learners whose events or progress may have changed since an earlier version of the partition; nil if
    /// unknown.
    package func learnersChanged(since earlier: StoreVersion) -> Set<Int64>? {
        guard let history, let before = earlier.history else { return nil }
        return history.learnersChanged(since: before)
    }

    /// A new number, unique among all writes of this process.
    static func newWrite() -> Int64 { lastWrite.add(1, ordering: .relaxed).newValue }
}

/// The version of a partition before a transaction, and the version after it.
package struct VersionStep: Sendable {
    package let before: StoreVersion
    package let after: StoreVersion
}

extension [VersionStep] {
    /// The versions of a learner's partition before and after the transaction. The array must contain that partition.
    package func step(of learner: Int64) -> VersionStep {
        guard count > 1 else { return self[0] }
        let partition = Partition.of(learner: learner)
        // If the array has all partitions, each partition is at its own index.
        if partition < count, self[partition].after.partition == partition { return self[partition] }
        return first { $0.after.partition == partition }!
    }
}
