// SPDX-License-Identifier: Apache-2.0

/// What a store has seen since some commit.
///
/// Commits that change what questions about learners answer are numbered: those that store events, erase somebody, replay
/// or change the rules. The others, which duplicates or refused lines leave behind, have no number.
package struct StoreChanges: Sendable, Equatable {
    /// The number of the last commit.
    package var commit: Int64
    /// Whether anybody may have been touched; the learners are not listed then.
    package var everybody: Bool
    /// Who was touched, in no order.
    package var learners: [[UInt8]]

    package init(commit: Int64, everybody: Bool = false, learners: [[UInt8]] = []) {
        self.commit = commit
        self.everybody = everybody
        self.learners = learners
    }
}
