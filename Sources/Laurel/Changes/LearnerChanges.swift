// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelStore

extension LearnerChanges {
    /// More learners than this are told as everyone.
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
    /// Who was touched by the commits after one: what to look at again that was known as of then.
    /// - Parameter commit: The ``LearnerChanges/commit`` of an earlier answer. For one that the store never had, and 0, the answer is
    ///   everyone, unless there was no commit before that.
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
