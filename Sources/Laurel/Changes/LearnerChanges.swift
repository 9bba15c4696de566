// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelStore

extension LearnerChanges {
    /// The most changed learners that are listed. If there are more, all learners are reported as changed.
    static let mostLearners = 10_000

    init(_ changes: StoreChanges) {
        let learners = changes.learners.sorted { $0.lexicographicallyPrecedes($1) }
        self.init(
            commit: CommitPosition(changes.commits),
            everyone: changes.everybody,
            learners: learners.map { String(decoding: $0, as: UTF8.self) }
        )
    }
}

extension ProgressEngine {
    /// The learners touched by the commits after a commit: data about them that was loaded as of then may be out of
    /// date.
    /// - Parameter commit: the ``LearnerChanges/commit`` of an earlier answer. For 0 and for commits that the store
    ///   never had, the answer is all learners, unless there was no commit before that.
    /// - Throws: ``EngineError``.
    /// - Complexity: O(learners touched) for the latest commits, some hundred small ones; O(learners) for earlier ones.
    public func changes(since commit: CommitPosition) throws(EngineError) -> LearnerChanges {
        try EngineError.translating {
            LearnerChanges(
                try store.read { try $0.changes(since: commit.numbers, limit: LearnerChanges.mostLearners) }
            )
        }
    }
}
