// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The latest commits that led to a state of a partition. They are the commits in the partition's ``ChangeLog``. With
/// the history, a cache of learners drops only the learners that another process has changed.
package final class PartitionHistory: Sendable {
    /// The data of the history. They are known once the state is stored.
    struct Content: Sendable {
        /// Numbers that change if commits are renumbered, or if all derived data are replaced.
        var era: [Int64]
        /// ``ChangeLog/bytes``; nil before the first commit.
        var changes: [UInt8]?
    }

    private let content: Mutex<Content?>

    /// - Parameter content: the data of a stored state; nil for a state that is not stored yet.
    init(_ content: Content? = nil) { self.content = Mutex(content) }

    /// Sets the data when the state has been stored.
    func settle(_ settled: Content) { content.withLock { $0 = settled } }

    private var settled: (era: [Int64], log: ChangeLog)? {
        guard let content = content.withLock(\.self) else { return nil }
        guard let bytes = content.changes else { return (content.era, ChangeLog()) }
        return bytes.withUnsafeBytes { try? ChangeLog($0) }.map { (content.era, $0) }
    }

    func learnersChanged(since earlier: PartitionHistory) -> Set<Int64>? {
        guard let now = settled, let before = earlier.settled, now.era == before.era else { return nil }
        return now.log.commit >= before.log.commit ? now.log.learners(since: before.log.commit) : nil
    }
}
