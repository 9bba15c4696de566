// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import Synchronization

/// A store's partitions: small stores, each with learners, counters, generations and numbers of commits of its own, and written
/// by one at a time. Learners are shared out among them by a hash of their subjects. A store in one file has one.
package enum Partition {
    /// A learner's number in the partition is below them.
    private static let shift: Int64 = 32

    /// The partition of a subject, of so many.
    package static func of(_ subject: [UInt8], among count: Int) -> Int {
        // To hash what can be in one place only would be to no end.
        guard count > 1 else { return 0 }
        let number = SHA256.hash(subject).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(number % UInt32(count))
    }

    package static func of(learner id: Int64) -> Int { Int(id >> shift) }
    static func of(generation id: Int64) -> Int { Int(id >> shift) }

    /// An id that is unique in the whole store.
    /// - Parameter number: unique in the partition, from 1.
    static func id(_ number: Int64, in partition: Int) -> Int64 { Int64(partition) << shift | number }
}

extension EventStore {
    /// Where a learner is, whether there is one of that subject or not; and what is refused of theirs.
    package func partition(of subject: [UInt8]) -> Int { Partition.of(subject, among: partitions) }
}

extension StoreReader {
    /// Ranges that all learners are in, to be shared out among threads. Each is of one partition: there ids are given one after
    /// the other, so that a range of them has about as many learners.
    /// - Parameter size: of a range, at most.
    package func learnerShares(of size: Int) throws -> [Range<Int64>] {
        try learnerRanges().flatMap { ids in
            stride(from: ids.lowerBound, to: ids.upperBound, by: size).map {
                $0..<min($0 + Int64(size), ids.upperBound)
            }
        }
    }
}

/// A state of a partition: equal to another only where nothing at all was written there in between, by whichever process.
package struct StoreVersion: Sendable, Equatable {
    package let partition: Int
    /// Changes with what others write.
    let others: Int64
    /// The write that left the state.
    let write: Int64
    /// nil where it is not known.
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

    /// Whose events, or what follows from them, may not be what they were in an earlier state of the partition; nil where that is not known.
    package func learnersChanged(since earlier: StoreVersion) -> Set<Int64>? {
        guard let history, let before = earlier.history else { return nil }
        return history.learnersChanged(since: before)
    }

    /// The number of a write, of all writes in this process.
    static func newWrite() -> Int64 { lastWrite.add(1, ordering: .relaxed).newValue }
}

/// The state of a partition that a transaction began with, and the one that it leaves.
package struct VersionStep: Sendable {
    package let before: StoreVersion
    package let after: StoreVersion
}

extension [VersionStep] {
    /// That of a learner's partition, which must be among them.
    package func step(of learner: Int64) -> VersionStep {
        guard count > 1 else { return self[0] }
        let partition = Partition.of(learner: learner)
        // Of all there are, each stands in its place.
        if partition < count, self[partition].after.partition == partition { return self[partition] }
        return first { $0.after.partition == partition }!
    }
}
