// SPDX-License-Identifier: Apache-2.0

/// The learners whom some commits to a store changed.
///
/// Commits that change answers about learners are numbered, from 1 on, in each partition of a store that has several: those that store events, erase somebody, replay
/// or change the rules. What leaves only duplicates or refused lines behind has no number.
public struct LearnerChanges: Sendable, Hashable, Codable {
    /// The store's last commit.
    public var commit: CommitPosition
    /// Whether anybody may have been touched: by other rules, a replay, an erasure, or by more than can be listed.
    public var everyone: Bool
    /// The ids of the changed learners, in byte order; empty if `everyone` is true.
    public var learners: [String]

    /// Creates one, for previews and tests.
    public init(commit: CommitPosition, everyone: Bool = true, learners: [String] = []) {
        (self.commit, self.everyone, self.learners) = (commit, everyone, learners)
    }
}
