// SPDX-License-Identifier: Apache-2.0

/// The learners that some commits to a store changed.
///
/// Commits that change answers about learners are numbered from 1 in each partition. Such a commit stores events,
/// erases a learner, replays, or changes the rules. A commit that contains only duplicates or refused lines has no
/// number.
public struct LearnerChanges: Sendable, Hashable, Codable {
    /// The store's last commit.
    public var commit: CommitPosition
    /// True if any learner may have changed: because of other rules, a replay, an erasure, or more changes than can be
    /// listed.
    public var everyone: Bool
    /// The ids of the changed learners, in byte order; empty if `everyone` is true.
    public var learners: [String]

    /// Creates a value, for previews and tests.
    public init(commit: CommitPosition, everyone: Bool = true, learners: [String] = []) {
        (self.commit, self.everyone, self.learners) = (commit, everyone, learners)
    }
}
