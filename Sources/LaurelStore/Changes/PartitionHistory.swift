// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The commits that led to a state of a partition, as far as the partition's list of changes covers them. With it, a
/// cache of learners drops only the learners that another process has changed.
package final class PartitionHistory: Sendable {
    /// The data that is available once the state is stored.
    struct Place: Sendable {
        /// Numbers that change if commits are renumbered, or all derived data is replaced.
        var era: [Int64]
        /// ``ChangeLog/bytes``; nil before the first commit.
        var changes: [UInt8]?
    }

    private let place: Mutex<Place?>

    /// - Parameter place: the data of the state; nil for a state that is not stored yet.
    init(_ place: Place? = nil) { self.place = Mutex(place) }

    /// Sets the data of a state that is now stored.
    func settle(_ settled: Place) { place.withLock { $0 = settled } }

    private var settled: (era: [Int64], log: ChangeLog)? {
        guard let place = place.withLock(\.self) else { return nil }
        guard let bytes = place.changes else { return (place.era, ChangeLog()) }
        return bytes.withUnsafeBytes { try? ChangeLog($0) }.map { (place.era, $0) }
    }

    func learnersChanged(since earlier: PartitionHistory) -> Set<Int64>? {
        guard let now = settled, let before = earlier.settled, now.era == before.era else { return nil }
        return now.log.commit >= before.log.commit ? now.log.learners(since: before.log.commit) : nil
    }
}
