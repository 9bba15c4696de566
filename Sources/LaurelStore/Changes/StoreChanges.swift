// SPDX-License-Identifier: Apache-2.0

/// The changes of a store since a given commit.
///
/// In each partition, the commits that can change answers about learners are numbered. Such a commit stores events,
/// erases a learner, replays or changes the rules. Other commits, such as those for duplicates or refused lines, have
/// no number.
package struct StoreChanges: Sendable, Equatable {
    /// The number of the last commit of each partition.
    package var commits: [Int64]
    /// True if any learner may have changed. Then `learners` is empty.
    package var allLearners: Bool
    /// The subjects of the learners that were touched since the given commit, in no particular order.
    package var learners: [[UInt8]]

    package init(commits: [Int64], allLearners: Bool = false, learners: [[UInt8]] = []) {
        self.commits = commits
        self.allLearners = allLearners
        self.learners = learners
    }
}

/// The numbers of two commits: the last one that touched a learner, and the last one that touched all learners of the
/// learner's partition. While both numbers stay the same, results for the learner stay the same.
package struct LearnerVersion: Sendable, Hashable {
    package var learner: Int64
    package var allLearners: Int64
}
