// SPDX-License-Identifier: Apache-2.0

/// What a store has seen since some commit.
///
/// In each partition, commits that change what questions about learners answer are numbered: those that store events, erase somebody, replay
/// or change the rules. The others, which duplicates or refused lines leave behind, have no number.
package struct StoreChanges: Sendable, Equatable {
    /// The number of the last commit of each partition.
    package var commits: [Int64]
    /// Whether anybody may have been touched; the learners are not listed then.
    package var everybody: Bool
    /// Who was touched, in no order.
    package var learners: [[UInt8]]

    package init(commits: [Int64], everybody: Bool = false, learners: [[UInt8]] = []) {
        self.commits = commits
        self.everybody = everybody
        self.learners = learners
    }
}

/// The numbers of the last commits of a learner's partition that touched the learner: while they stay, so does what the learner's events give.
package struct LearnerVersion: Sendable, Hashable {
    package var learner: Int64
    package var everybody: Int64
}
