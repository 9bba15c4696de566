// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelStore

/// A learner's progress: first the current progress, then the progress after every commit that touched the learner. The
/// sequence ends when the waiting task is cancelled or the engine is closed.
///
/// ``ProgressEngine/changes(of:language:timeZone:)`` creates it.
public struct ProgressChanges: AsyncSequence, Sendable {
    /// The progress; nil while the learner has no events (in that language), and after an erasure.
    public typealias Element = LearnerProgress?

    let learner: Learner
    let language: String?

    public func makeAsyncIterator() -> Iterator { Iterator(learner: learner, language: language) }

    /// Waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
        private let learner: Learner
        private let language: String?
        private let subscription: ChangeSubscription

        init(learner: Learner, language: String?) {
            self.learner = learner
            self.language = language
            subscription = ChangeSubscription(learner.engine, of: Array(learner.id.utf8))
        }

        /// Waits for a commit that touched the learner since the last element. The first call returns at once.
        /// - Throws: ``EngineError`` if the store can no longer be read.
        public mutating func next() async throws -> Element? {
            guard try await subscription.next() != nil else { return nil }
            let (learner, language) = (learner, language)
            let progress = try await subscription.reading { try learner.progress(language: language) }
            subscription.follow(progress??.learner ?? learner.id)
            return progress
        }
    }
}

/// The learners touched by each commit, until the waiting task is cancelled or the engine is closed.
///
/// ``ProgressEngine/changes()`` creates it.
public struct LearnerChangeStream: AsyncSequence, Sendable {
    public typealias Element = LearnerChanges

    let engine: ProgressEngine

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: ChangeSubscription(engine, of: nil)) }

    /// Waits for the next changes.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: ChangeSubscription

        /// Waits for commits since the last element. The first call returns at once with a change of all learners.
        /// - Throws: ``EngineError`` if the store can no longer be read.
        public mutating func next() async throws -> LearnerChanges? {
            try await subscription.next().map(LearnerChanges.init)
        }
    }
}

extension ProgressEngine {
    /// A learner's current progress, then the progress after every commit that touched the learner. Commits of other
    /// processes are noticed within a second. A slow reader gets the newest state, not every state in between.
    ///
    ///     for try await progress in engine.changes(of: "ana", language: "es") {
    ///         label = "\(progress?.currentStreak ?? 0) days"
    ///     }
    ///
    /// The learner need not exist yet. At midnight, progress changes without a commit, so query the progress again
    /// then. An engine uses one thread for all streams.
    /// - Parameters:
    ///   - learner: the learner's id.
    ///   - language: nil for all languages together.
    ///   - timeZone: decides which day is today; nil for the clock of the learner's events.
    public func changes(
        of learner: String,
        language: String? = nil,
        timeZone: Foundation.TimeZone? = .autoupdatingCurrent
    ) -> ProgressChanges {
        ProgressChanges(learner: self.learner(learner, timeZone: timeZone), language: language)
    }

    /// The learners touched by each commit of any process from now on. Use it for views of many learners. The first
    /// element comes at once and stands for all learners. So one loop can both load the learners and follow their
    /// changes. A slow reader gets one element for several commits.
    public func changes() -> LearnerChangeStream { LearnerChangeStream(engine: self) }
}

/// One iteration's subscription to the engine's ``CommitWatcher``.
final class ChangeSubscription {
    private let engine: ProgressEngine
    private let follower: ChangeFollower
    private var number: Int?

    init(_ engine: ProgressEngine, of learner: [UInt8]?) {
        self.engine = engine
        follower = ChangeFollower(of: learner)
    }

    deinit {
        if let number { engine.watch.remove(number) }
    }

    /// The next changes. The first call returns a change of all learners at once. nil when the stream has ended.
    func next() async throws -> StoreChanges? {
        do {
            if number != nil { return try await follower.next() }
            let follower = follower
            let added = try await engine.read { try $0.watch.add(follower) }
            guard let (number, commits) = added else { return nil }
            self.number = number
            return StoreChanges(commits: commits, allLearners: true)
        } catch is CancellationError {
            return nil
        } catch {
            let reason = error
            return try EngineError.translating { throw reason }
        }
    }

    /// Follows another learner from now on, because the former learner was merged into that one.
    func follow(_ learner: String) { follower.follow(Array(learner.utf8)) }

    /// Reads from the store; nil if the task was cancelled meanwhile.
    func reading<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value? {
        do {
            let value = try await engine.read { _ in try body() }
            try Task.checkCancellation()
            return value
        } catch is CancellationError {
            follower.end(with: .success(nil))
            return nil
        }
    }
}
