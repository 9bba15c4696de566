// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LaurelStore
import LaurelSystem
import Synchronization

/// Watches for commits on behalf of all streams of an engine, on one thread. The thread runs only while there are
/// streams.
///
/// Commits of this process are noticed at once. For commits of other processes, the store is checked four times a
/// second. A check takes some microseconds.
final class CommitWatcher: Sendable {
    private struct State {
        var followers: [Int: ChangeFollower] = [:]
        var lastFollower = 0
        var isRunning = false
        var isClosed = false
    }

    /// The interval between two checks, in seconds.
    private static let interval = 0.25

    private let store: any EventStore
    private let state = Mutex(State())
    private let isAdding = Mutex(())
    private let wake = DispatchSemaphore(value: 0)
    private let didEnd = DispatchSemaphore(value: 0)

    init(_ store: any EventStore) { self.store = store }

    /// Adds a follower. The call may block.
    /// - Returns: the follower's number for ``remove(_:)``, and the current commits; nil if the watcher is closed. The
    ///   follower gets all changes after those commits.
    func add(_ follower: ChangeFollower) throws -> (number: Int, commits: [Int64])? {
        try isAdding.withLock { _ in
            guard let (number, isFirst) = insert(follower) else { return nil }
            do {
                // The probe notices every commit from here on.
                let probe = isFirst ? try store.newProbe() : nil
                let commits = try lastCommits()
                if let probe { try start(probe, after: commits) }
                return (number, commits)
            } catch {
                remove(number)
                if isFirst { end(with: .failure(error)) }
                throw error
            }
        }
    }

    func remove(_ number: Int) {
        let isLast = state.withLock { state in
            state.followers.removeValue(forKey: number) != nil && state.followers.isEmpty
        }
        if isLast { wake.signal() }
    }

    /// Ends all streams, and rejects new ones.
    func close() {
        let isRunning = state.withLock { state in
            state.isClosed = true
            return state.isRunning
        }
        guard isRunning else { return }
        wake.signal()
        didEnd.wait()
        // Another thread may be closing the watcher, too, so the signal is passed on.
        didEnd.signal()
    }

    private func insert(_ follower: ChangeFollower) -> (number: Int, isFirst: Bool)? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastFollower += 1
            state.followers[state.lastFollower] = follower
            defer { state.isRunning = true }
            return (state.lastFollower, !state.isRunning)
        }
    }

    private func lastCommits() throws -> [Int64] { try store.read { try $0.changes(since: [], limit: 0).commits } }

    // MARK: The thread

    private func start(_ probe: any CommitProbe, after commits: [Int64]) throws {
        let isRunning = SystemThread.start("laurel watches") { [self] in watch(probe, after: commits) }
        guard isRunning else {
            probe.close()
            throw EngineError.outOfThreads
        }
    }

    private enum Outcome {
        case noFollowers, closed
        case failed(any Error)
    }

    private func watch(_ probe: any CommitProbe, after commits: [Int64]) {
        let wake = wake
        let listener = store.commits.add { wake.signal() }
        let outcome = look(probe, after: commits)
        store.commits.remove(listener)
        // No connection may stay open when the store is closed.
        probe.close()
        switch outcome {
        case .noFollowers: break
        case .closed: end(with: .success(nil))
        case .failed(let error): end(with: .failure(error))
        }
    }

    private func look(_ probe: any CommitProbe, after commits: [Int64]) -> Outcome {
        var last = commits
        while true {
            if let outcome = outcome() { return outcome }
            do {
                if try probe.hasNewCommits() { last = try notifyFollowers(since: last) }
            } catch {
                return .failed(error)
            }
            _ = wake.wait(timeout: .now() + CommitWatcher.interval)
            // Further signals are dropped, because one check covers all commits so far.
            while wake.wait(timeout: .now()) == .success {}
        }
    }

    private func notifyFollowers(since last: [Int64]) throws -> [Int64] {
        let changes = try store.read { try $0.changes(since: last, limit: LearnerChanges.mostLearners) }
        // If the list of changes is unreadable, all learners may have changed.
        guard changes.commits != last || changes.allLearners else { return last }
        let learners = Set(changes.learners)
        for follower in state.withLock({ $0.followers.values.map { $0 } }) { follower.notify(changes, learners) }
        return changes.commits
    }

    /// The reason to stop watching; nil if there are followers.
    private func outcome() -> Outcome? {
        state.withLock { state in
            if state.isClosed { return .closed }
            guard state.followers.isEmpty else { return nil }
            state.isRunning = false
            return .noFollowers
        }
    }

    private func end(with result: Result<StoreChanges?, any Error>) {
        let (followers, isClosed) = state.withLock { state in
            defer {
                state.followers = [:]
                state.isRunning = false
            }
            return (state.followers.values.map { $0 }, state.isClosed)
        }
        for follower in followers { follower.end(with: result) }
        if isClosed { didEnd.signal() }
    }
}
