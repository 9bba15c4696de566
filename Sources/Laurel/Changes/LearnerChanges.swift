// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelStore

extension LearnerChanges {
    /// The maximum number of changed learners in a list. If more have changed, all learners count as changed.
    static let mostLearners = 10_000

    init(_ changes: StoreChanges) {
        let learners = changes.learners.sorted { $0.lexicographicallyPrecedes($1) }
        self.init(
            commit: CommitPosition(changes.commits),
            everyone: changes.allLearners,
            learners: learners.map { String(decoding: $0, as: UTF8.self) }
        )
    }
}

extension ProgressEngine {
    /// The learners touched by the commits after a given commit. Data about these learners that were loaded at the
    /// given commit may be out of date.
    /// - Parameter commit: the ``LearnerChanges/commit`` of an earlier answer. For 0, and for a commit that the store
    ///   never had, all learners are returned. If the store has had no commit at all, the list is empty.
    /// - Throws: ``EngineError``.
    /// - Complexity: O(learners touched) for the latest commits (some hundred small ones); O(learners) for earlier
    ///   commits.
    public func changes(since commit: CommitPosition) throws(EngineError) -> LearnerChanges {
        try EngineError.translating {
            LearnerChanges(
                try store.read { try $0.changes(since: commit.numbers, limit: LearnerChanges.mostLearners) }
            )
        }
    }
}
