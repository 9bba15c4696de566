import LaurelEvents
import LaurelStore

/// Who was touched by some commits to a store.
///
/// Commits that change what questions about learners answer are numbered, from 1 on: those that store events, erase somebody, replay
/// or change the rules. What leaves only duplicates or refused lines behind has no number.
public struct LearnerChanges: Sendable, Hashable, Codable {
    /// The number of the store's last commit.
    public let commit: Int
    /// Whether anybody may have been touched: by other rules, a replay, an erasure, or by more than can be listed.
    public let everyone: Bool
    /// The ids of those who were touched, in byte order; empty where `everyone` is set.
    public let learners: [String]

    /// More learners than this are told as everyone.
    static let mostLearners = 10_000

    init(commit: Int, everyone: Bool = true, learners: [String] = []) {
        self.commit = commit
        self.everyone = everyone
        self.learners = learners
    }

    init(_ changes: StoreChanges) {
        let learners = changes.learners.sorted { $0.lexicographicallyPrecedes($1) }
        self.init(
            commit: Int(changes.commit),
            everyone: changes.everybody,
            learners: learners.map { String(decoding: $0, as: UTF8.self) }
        )
    }
}

extension ProgressEngine {
    /// Who was touched by the commits after one: what to look at again that was known as of then.
    /// - Parameter commit: The ``LearnerChanges/commit`` of an earlier answer. For a number that the store never had, and 0, the answer is
    ///   everyone, unless there was no commit before that.
    /// - Throws: ``EngineError``.
    /// - Complexity: O(learners touched) for the latest commits, some hundred small ones; O(learners) for earlier ones.
    public func changes(since commit: Int) throws(EngineError) -> LearnerChanges {
        try EngineError.translating {
            LearnerChanges(
                try store.read { try $0.changes(since: Int64(commit), limit: LearnerChanges.mostLearners) }
            )
        }
    }
}
