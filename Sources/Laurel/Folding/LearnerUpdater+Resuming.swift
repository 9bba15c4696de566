// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Folds learners from a cached or stored state.
extension LearnerUpdater {
    /// The state from which a learner's new events are folded. The case says where the state comes from.
    private enum Start {
        /// The cached state after the learner's last event.
        case recent(FoldedLearner)
        /// A cached state after an earlier event.
        case earlier(FoldedLearner)
        case snapshot(LearnerState)
        case checkpoint(LearnerState)

        var state: LearnerState {
            switch self {
            case .recent(let cached), .earlier(let cached): cached.state
            case .snapshot(let state), .checkpoint(let state): state
            }
        }

        var isRecent: Bool { if case .recent = self { true } else { false } }
    }

    private typealias Started = (one: TouchedLearner, start: Start)

    /// Updates the learners who have a cached or stored state to resume from.
    /// - Parameter learners: ascending.
    /// - Returns: the other learners, who must be folded from their first events.
    func resumeFromKeptState(
        _ learners: ArraySlice<TouchedLearner>,
        keepsStates: Bool,
        in transaction: any StoreTransaction
    ) throws -> [TouchedLearner] {
        var results: [Folded] = []
        var (inMemory, asked): ([Started], [Started]) = ([], [])
        var unknown: [TouchedLearner] = []
        for one in learners {
            changed.insert(one.learner)
            guard let start = startInMemory(of: one) else {
                unknown.append(one)
                continue
            }
            if start.isRecent, one.touch.run != nil {
                inMemory.append((one, start))
            } else {
                asked.append((one, start))
            }
        }
        var beginners: [TouchedLearner] = []
        func keep(_ learner: Int64, _ state: FoldedLearner) { if keepsStates { states[learner] = state } }
        func resume(_ some: [Started]) throws {
            for (learner, state) in try self.resume(some, &results, in: transaction) { keep(learner, state) }
        }
        // New events that are in memory are not read from the store.
        for (one, start) in inMemory {
            keep(one.learner, try self.resume(one, from: start, [one.touch.run!.events], &results, in: transaction))
        }
        for some in bounded(asked, \.one) { try resume(some) }
        for some in bounded(try withCounts(unknown, in: transaction), \.self) {
            let found = try starts(of: some, &beginners, in: transaction)
            try resume(found)
        }
        try write(results, in: transaction)
        return beginners
    }

    /// Divides learners into groups whose events fit into memory.
    private func bounded<T>(_ learners: [T], _ one: (T) -> TouchedLearner) -> [[T]] {
        var shares: [[T]] = []
        var events = 0
        for learner in learners {
            let more = one(learner).touch.count + LearnerUpdater.snapshotInterval
            if shares.isEmpty || events + more > LearnerUpdater.decodedAtOnce {
                shares.append([])
                events = 0
            }
            shares[shares.count - 1].append(learner)
            events += more
        }
        return shares
    }

    private func withCounts(
        _ learners: [TouchedLearner],
        in transaction: any StoreTransaction
    ) throws -> [TouchedLearner] {
        zip(learners, try transaction.eventCounts(of: learners.map(\.learner))).map { one, events in
            var one = one
            one.events = events
            return one
        }
    }

    /// The cached state to resume from; nil if no cached state precedes the new events.
    private func startInMemory(of one: TouchedLearner) -> Start? {
        guard !one.touch.hasCorrections else {
            states[one.learner] = nil
            return nil
        }
        let cached =
            states.removeValue(forKey: one.learner)
            ?? recent.take(one.learner, at: versions.step(of: one.learner).before, plan: plan)
        guard let cached else { return nil }
        if cached.state.position! < one.touch.earliest { return .recent(cached) }
        return earlier(cached, before: one.touch.earliest).map { .earlier($0) }
    }

    /// The learner as of the last cached checkpoint before an event; nil if there is no such checkpoint. The stored
    /// snapshot stays valid.
    private func earlier(_ cached: FoldedLearner, before late: EventPosition) -> FoldedLearner? {
        let checkpoints = cached.checkpoints.filter { $0.position < late }
        guard let last = checkpoints.last, let state = LearnerState(snapshot: last.data, plan: plan) else { return nil }
        var learner = FoldedLearner(
            state: state,
            snapshot: cached.snapshot,
            eventsSinceSnapshot: last.eventsSinceSnapshot,
            subject: cached.subject
        )
        learner.keepCheckpoint(after: checkpoints, plan: plan)
        return learner
    }

    /// The stored states to resume from.
    /// - Parameter others: receives the learners without a stored state.
    private func starts(
        of learners: [TouchedLearner],
        _ others: inout [TouchedLearner],
        in transaction: any StoreTransaction
    ) throws -> [Started] {
        // A new learner has no stored state.
        let asked = learners.filter { $0.events != $0.touch.count && !$0.touch.hasCorrections }
        let kept = asked.isEmpty ? [] : try transaction.keptStates(of: asked.map(\.learner), .snapshotsAndPoints)
        let cached = Dictionary(uniqueKeysWithValues: zip(asked.lazy.map(\.learner), kept))
        var found: [Started] = []
        for one in learners {
            let kept = cached[one.learner]
            if let kept, let start = try start(of: one, from: kept, in: transaction) {
                found.append((one, start))
            } else {
                var one = one
                one.mayHaveSnapshot = kept.map { $0.state != nil } ?? (one.events != one.touch.count)
                others.append(one)
            }
        }
        return found
    }

    private func start(
        of one: TouchedLearner,
        from kept: StoredStates,
        in transaction: any StoreTransaction
    ) throws -> Start? {
        let late = one.touch.earliest.milliseconds
        // If the snapshot precedes the late event, it is used, because no checkpoint is later.
        if kept.points.allSatisfy({ $0.milliseconds <= late }), let bytes = kept.state,
            let state = LearnerState(snapshot: bytes, plan: plan), let position = state.position,
            position < one.touch.earliest
        {
            return .snapshot(state)
        }
        guard kept.points.contains(where: { $0.milliseconds < late }) else { return nil }
        if let bytes = try transaction.checkpoint(of: one.learner, before: late),
            let state = LearnerState(snapshot: bytes, plan: plan), state.position != nil
        {
            return .checkpoint(state)
        }
        return nil
    }

    private func resume(
        _ learners: [Started],
        _ results: inout [Folded],
        in transaction: any StoreTransaction
    ) throws -> [(learner: Int64, state: FoldedLearner)] {
        let read = try transaction.events(
            of: learners.map { EventSpan(of: $0.one.learner, since: $0.start.state.position!.milliseconds) },
            fields: plan.fields
        )
        return try zip(learners, read).map { started, runs in
            let state = try resume(started.one, from: started.start, runs, &results, in: transaction)
            return (started.one.learner, state)
        }
    }

    private func resume(
        _ one: TouchedLearner,
        from start: Start,
        _ runs: [EventRun],
        _ results: inout [Folded],
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        switch start {
        case .recent(let cached):
            return try append(runs, to: cached, one.learner, days: .listed, &results, in: transaction)
        case .earlier(let cached):
            return try append(runs, to: cached, one.learner, days: .all, &results, in: transaction)
        case .snapshot(let state):
            let cached = FoldedLearner(state: state, snapshot: state.point, eventsSinceSnapshot: 0)
            // If an event is late, an earlier fold may have written days that no longer exist. So all days are
            // replaced.
            let isLate = folder.count(runs, from: one.touch.earliest) > one.touch.count
            return try append(runs, to: cached, one.learner, days: isLate ? .all : .listed, &results, in: transaction)
        case .checkpoint(let state):
            return try rewrite(one, runs, from: state, &results, in: transaction)
        }
    }

    /// Folds the events after a snapshot, or after a later state.
    private func append(
        _ runs: [EventRun],
        to cached: FoldedLearner,
        _ learner: Int64,
        days: ReplacedDays,
        _ results: inout [Folded],
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        let folded = cached.eventsSinceSnapshot + folder.resume(cached.state, runs, keepsCheckpoints: true)
        let result = folder.result(folded: folded, days: days)
        let replaced = days == .listed ? cached.projection : nil
        results.append(Folded(learner: learner, projection: result.projection, days: days, replaced: replaced))
        // If no new snapshot is due, the stored snapshot stays valid.
        if result.states.snapshot != nil {
            var writes = LearnerWrites()
            if let point = cached.snapshot { writes.states.append((learner, .snapshotAsCheckpoint(point))) }
            writes.save(result.states, of: learner)
            try transaction.write(writes)
            try transaction.thinCheckpoints(of: learner, end: cached.state.eventCount)
        }
        let snapshot = result.states.snapshot == nil ? (cached.snapshot, folded) : nil
        var new = FoldedLearner(cached.state, result.projection, days, since: snapshot)
        (new.subject, new.measured) = (cached.subject, cached.measured)
        new.keepCheckpoint(after: result.states.snapshot == nil ? cached.checkpoints : [], plan: plan)
        return new
    }

    /// Folds the events after a checkpoint, including a late event. Later stored states become invalid.
    private func rewrite(
        _ one: TouchedLearner,
        _ runs: [EventRun],
        from state: LearnerState,
        _ results: inout [Folded],
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        let (learner, late) = (one.learner, one.touch.earliest.milliseconds)
        folder.resume(state, runs, keepsCheckpoints: true)
        var result = folder.result(folded: 0, days: .all)
        // A learner with a checkpoint must also have a snapshot, even if few events follow.
        result.states.snapshot = state.snapshot(plan: plan)
        results.append(Folded(learner: learner, projection: result.projection, days: .all))
        let wrong = try transaction.checkpoints(of: learner).filter { $0.milliseconds >= late }
        var writes = LearnerWrites(states: [(learner, .noCheckpoints(at: wrong))])
        writes.save(result.states, of: learner)
        try transaction.write(writes)
        try transaction.thinCheckpoints(of: learner, end: state.eventCount)
        return FoldedLearner(state, result.projection, .all, since: nil)
    }

    // MARK: From the first event

    /// Folds learners with few events from their first events.
    func refoldFew(_ learners: [TouchedLearner], in transaction: any StoreTransaction) throws {
        guard !learners.isEmpty else { return }
        let asked = learners.filter { $0.runInMemory == nil }.map(\.learner)
        let read = try transaction.events(of: asked.map { EventSpan(of: $0) }, fields: plan.fields)
        let events = Dictionary(uniqueKeysWithValues: zip(asked, read))
        var results: [Folded] = []
        var writes = LearnerWrites()
        for (number, one) in learners.enumerated() {
            let runs = events[one.learner] ?? [one.runInMemory!]
            let folded = folder.refold(runs, keepsCheckpoints: true)
            let result = folder.result(folded: folded, days: .all)
            results.append(Folded(learner: one.learner, projection: result.projection, days: .all))
            if one.mayHaveSnapshot || result.states.hasAny { writes.keep(result.states, of: one.learner) }
            var new = FoldedLearner(folder.state, result, folded: folded)
            new.keepCheckpoint(after: [], plan: plan)
            states[one.learner] = new
            if results.count >= LearnerUpdater.changesAtOnce || number == learners.count - 1 {
                try write(results, states: writes.states, in: transaction)
                (results, writes) = ([], LearnerWrites())
            }
        }
    }
}
