// SPDX-License-Identifier: Apache-2.0

/// Who was touched by some commits to a store.
///
/// Commits that change answers about learners are numbered, from 1 on: those that store events, erase somebody, replay
/// or change the rules. What leaves only duplicates or refused lines behind has no number.
public struct LearnerChanges: Sendable, Hashable, Codable {
    /// The number of the store's last commit.
    public var commit: Int
    /// Whether anybody may have been touched: by other rules, a replay, an erasure, or by more than can be listed.
    public var everyone: Bool
    /// The ids of those who were touched, in byte order; empty if `everyone` is set.
    public var learners: [String]

    /// Creates one, for previews and tests.
    public init(commit: Int, everyone: Bool = true, learners: [String] = []) {
        (self.commit, self.everyone, self.learners) = (commit, everyone, learners)
    }
}
