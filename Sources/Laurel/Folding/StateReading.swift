// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Provides learners' states for answering queries.
extension ProgressEngine {
    /// Reads a learner's state as of an instant, with its plan; nil if there is no such learner.
    /// - Parameter body: borrows the state. Other threads may read the state before and afterwards.
    /// - Complexity: O(1) if the state is cached and the instant is not before the last event. Otherwise O(events since
    ///   the learner's snapshot), or O(history up to `instant`) if the instant is before the snapshot.
    func withState<T>(
        of subject: String,
        at instant: Timestamp,
        _ body: (LearnerState, FoldPlan) throws -> T
    ) throws -> T? {
        try withNamedState(of: subject, at: instant) { _, state, plan in try body(state, plan) }
    }

    /// Reads a learner's state like ``withState(of:at:_:)``, and also gets the learner's current id. The current id
    /// differs from the given id if the given id was merged.
    func withNamedState<T>(
        of name: String,
        at instant: Timestamp,
        _ body: (String, LearnerState, FoldPlan) throws -> T
    ) throws -> T? {
        let (subject, plan) = (Array(name.utf8), plan)
        let partition = store.partition(of: subject)
        let version = try store.version(of: partition)
        func recall(_ learner: Int64) throws -> T? {
            guard let version else { return nil }
            return try recent.read(learner, named: subject, at: version, plan: plan) { learner in
                guard let position = learner.state.position, position.milliseconds <= instant.milliseconds,
                    learner.state.eventCount > 0
                else { return nil }
                return try body(name, learner.state, plan)
            }
        }
        if let version, let learner = recent.learner(named: subject, at: version), let answer = try recall(learner) {
            return answer
        }
        var current: [UInt8]?
        let answer: T? = try store.read { reader in
            guard let learner = try reader.learner(named: subject) else { return nil }
            guard learner.subject == subject else {
                current = learner.subject
                return nil
            }
            if let answer = try recall(learner.id) { return answer }
            let plan = try self.plan(for: reader)
            let folder = LearnerFolder(plan: plan)
            let known = try fold(learner, at: instant, folder, reader)
            let answer = try body(name, folder.state, plan)
            // If no event was stored meanwhile, the state of all events is cached.
            if var known, let version, try store.version(of: partition) == version {
                known.state.settle()
                known.subject = subject
                recent.keep(known, learner.id, at: version, plan: plan)
            }
            return answer
        }
        // The given id was merged. The learner that the id means now may be in another partition.
        guard let current else { return answer }
        return try withNamedState(of: String(decoding: current, as: UTF8.self), at: instant, body)
    }

    /// Folds a learner's events up to an instant with an observer; nil if there is no such learner.
    /// - Parameter makeObserver: creates the observer of the fold for a plan.
    func fold<Observer: FoldObserver>(
        _ subject: String,
        until instant: Timestamp,
        observer makeObserver: (FoldPlan) -> Observer
    ) throws -> (observer: Observer, state: LearnerState, plan: FoldPlan)? {
        try store.read { reader in
            guard let learner = try reader.learner(named: Array(subject.utf8)) else { return nil }
            let plan = try self.plan(for: reader)
            let folder = LearnerFolder(plan: plan)
            let observer = makeObserver(plan)
            folder.fold.observer = observer
            // An observer may read fields that the fold does not read.
            try foldAll(of: learner, at: instant, fields: .all, folder, reader)
            return (observer, folder.state, plan)
        }
    }

    /// Folds a learner's events up to an instant.
    /// - Returns: a state for the cache; nil if there are later events, or no events at all.
    private func fold(
        _ learner: LearnerRecord,
        at instant: Timestamp,
        _ folder: LearnerFolder,
        _ reader: any StoreReader
    ) throws -> FoldedLearner? {
        let (point, folded): (CheckpointPoint?, Int)
        if !isForeign, let bytes = try reader.snapshot(of: learner.id),
            let snapshot = LearnerState(snapshot: bytes, plan: folder.plan), let position = snapshot.position,
            position.milliseconds <= instant.milliseconds
        {
            point = snapshot.point
            let runs = try reader.events(
                of: learner.id,
                since: position.milliseconds,
                until: instant.milliseconds,
                fields: folder.plan.fields
            )
            folded = folder.resume(snapshot, runs, until: instant.milliseconds)
            folder.fold.switchVersion(asOf: instant)
        } else {
            point = nil
            folded = try foldAll(of: learner, at: instant, fields: folder.plan.fields, folder, reader)
        }
        let isWhole = try reader.lastEventTime(of: learner.id) ?? .max <= instant.milliseconds
        guard isWhole, folder.state.position != nil else { return nil }
        return FoldedLearner(state: folder.state, snapshot: point, eventsSinceSnapshot: folded)
    }

    @discardableResult
    private func foldAll(
        of learner: LearnerRecord,
        at instant: Timestamp,
        fields: FieldSelection,
        _ folder: LearnerFolder,
        _ reader: any StoreReader
    ) throws -> Int {
        let runs = try reader.events(of: learner.id, since: nil, until: instant.milliseconds, fields: fields)
        let folded = folder.refold(runs, until: instant.milliseconds)
        folder.fold.switchVersion(asOf: instant)
        return folded
    }
}
