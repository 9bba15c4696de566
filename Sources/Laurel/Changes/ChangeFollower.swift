// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import Synchronization

/// Collects the changes that one stream has not returned yet. Several commits become one change.
final class ChangeFollower: Sendable {
    private struct News {
        var commits: [Int64]
        var allLearners = false
        var learners: Set<[UInt8]> = []

        mutating func add(_ changes: StoreChanges) {
            commits = changes.commits
            learners.formUnion(changes.learners)
            if changes.allLearners || learners.count > LearnerChanges.mostLearners { allLearners = true }
            if allLearners { learners = [] }
        }

        var changes: StoreChanges {
            StoreChanges(commits: commits, allLearners: allLearners, learners: Array(learners))
        }
    }

    private struct State {
        var news: News?
        var waiting: CheckedContinuation<StoreChanges?, any Error>?
        /// The result with which the stream has ended; nil while it has not ended.
        var end: Result<StoreChanges?, any Error>?
        /// The learner whose commits are followed; nil for all learners.
        var learner: [UInt8]?
    }

    private let state: Mutex<State>

    init(of learner: [UInt8]?) { state = Mutex(State(learner: learner)) }

    /// Follows another learner from now on, because the former learner was merged into that one.
    func follow(_ learner: [UInt8]) { state.withLock { $0.learner = learner } }

    /// Waits for changes.
    /// - Returns: nil when the stream has ended. Cancelling the task also ends the stream.
    func next() async throws -> StoreChanges? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<StoreChanges?, any Error>? = state.withLock { state in
                    if let end = state.end { return end }
                    if let news = state.news.take() { return .success(news.changes) }
                    state.waiting = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            end(with: .success(nil))
        }
    }

    /// Adds changes, and resumes the waiting task.
    /// - Parameter learners: the learners in `changes`, as a set.
    func notify(_ changes: StoreChanges, _ learners: Set<[UInt8]>) {
        let learner = state.withLock { $0.learner }
        if let learner, !changes.allLearners, !learners.contains(learner) { return }
        // A follower of one learner does not use the list of learners.
        let changes = learner == nil ? changes : StoreChanges(commits: changes.commits)
        let waiting = state.withLock { state in
            guard state.end == nil else { return nil as CheckedContinuation<StoreChanges?, any Error>? }
            if let waiting = state.waiting.take() { return waiting }
            var news = state.news.take() ?? News(commits: changes.commits)
            news.add(changes)
            state.news = news
            return nil
        }
        waiting?.resume(returning: changes)
    }

    /// Ends the stream with a result for the waiting task, or for the next call.
    func end(with result: Result<StoreChanges?, any Error>) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = result }
            state.news = nil
            return state.waiting.take()
        }
        waiting?.resume(with: result)
    }
}
