// SPDX-License-Identifier: Apache-2.0

/// The changes of a store since some commit.
///
/// In each partition, commits that can change answers about learners are numbered: commits that store events, erase a
/// learner, replay or change the rules. Other commits, such as those for duplicates or refused lines, have no number.
package struct StoreChanges: Sendable, Equatable {
    /// The number of the last commit of each partition.
    package var commits: [Int64]
    /// True if any learner may have changed; then the learners are not listed.
    package var everybody: Bool
    /// The learners that were touched, in no order.
    package var learners: [[UInt8]]

    package init(commits: [Int64], everybody: Bool = false, learners: [[UInt8]] = []) {
        self.commits = commits
        self.everybody = everybody
        self.learners = learners
    }
}

/// The numbers of the last commits that touched a learner, and all learners of its partition. While they are unchanged,
/// so are the results of the learner's events.
package struct LearnerVersion: Sendable, Hashable {
    package var learner: Int64
    package var everybody: Int64
}
