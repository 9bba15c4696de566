// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Brings learners' progress up to date after an append, in the same transaction.
///
/// Folded is what follows the latest state that is known from before the first new event: that of the learner's last
/// event, where it is still in memory; the snapshot; a checkpoint. Whoever has none, or gets a correction, is folded from
/// the first event.
final class LearnerUpdater {
    /// What an append did to a learner.
    struct Touch {
        /// Not after any of its events.
        var earliest: EventPosition
        var hasCorrections: Bool
        /// How many events it added.
        var count: Int
        /// Those, where they are at hand in the learner's order.
        var run: KeptRun?
    }

    /// Beside the touch, for most touches have none, and there may be many.
    final class KeptRun: Sendable {
        let events: EventRun

        init(_ events: EventRun) { self.events = events }
    }

    /// How many events may follow a snapshot before the next is taken: about a millisecond of folding.
    static let snapshotInterval = 4096

    /// Events of learners that are folded from the beginning one after the other, by one thread: enough to be worth handing to another core.
    private static let eventsPerShare = 4096
    /// Events held decoded meanwhile, others' in the same blocks included.
    private static let decodedAtOnce = 262_144
    /// States are kept in memory where a write touches so few learners, as many as requests are stored together, and those
    /// folded from the beginning have no more events than are decoded at once.
    private static let fewLearners = 1024
    /// So many events are folded from the beginning by the writing thread; more are worth other cores.
    private static let fewEvents = 8192

    private let store: any EventStore
    let plan: FoldPlan
    private let folder: LearnerFolder
    private let recent: FoldStateCache
    /// Projections of learners whose stored ones are known, to be written together.
    private let changes: any ProjectionBatch
    private static let changesAtOnce = 256
    /// Of the transaction under way.
    private var changed: Set<Int64> = []
    private var states: [Int64: FoldedLearner] = [:]
    private var versions: [VersionStep] = []

    /// - Parameter recent: where states are kept; made for this updater if there are none to be kept.
    init(store: any EventStore, plan: FoldPlan, recent: FoldStateCache = FoldStateCache(limit: 0)) {
        self.store = store
        self.plan = plan
        self.recent = recent
        folder = LearnerFolder(plan: plan)
        changes = store.newBatch()
    }

    /// One that follows other rules from the next transaction on.
    func following(_ plan: FoldPlan) -> LearnerUpdater {
        LearnerUpdater(store: store, plan: plan, recent: recent)
    }

    /// - Complexity: per learner, the events that follow the state folded from; the whole history if there is none.
    func update(_ touched: [Int64: Touch], in transaction: any StoreTransaction) throws {
        versions = transaction.versions
        let isFew = touched.count <= LearnerUpdater.fewLearners
        var fromTheBeginning: [(learner: Int64, touch: Touch)] = []
        changes.removeAll()
        var partition = 0
        for (number, (learner, touch)) in touched.sorted(by: { $0.key < $1.key }).enumerated() {
            let isFull = number > 0 && number.isMultiple(of: LearnerUpdater.changesAtOnce)
            if isFull || Partition.of(learner: learner) != partition { try writeChanges(in: transaction) }
            partition = Partition.of(learner: learner)
            changed.insert(learner)
            if let start = try start(of: learner, touch, in: transaction) {
                let state = try resume(learner, touch, from: start, in: transaction)
                if isFew { states[learner] = state }
            } else {
                fromTheBeginning.append((learner, touch))
            }
        }
        try writeChanges(in: transaction)
        let events = isFew ? try eventCount(of: fromTheBeginning, in: transaction) : .max
        if events <= LearnerUpdater.fewEvents {
            for (learner, touch) in fromTheBeginning { states[learner] = try refold(learner, touch, in: transaction) }
        } else {
            let keepsStates = events <= LearnerUpdater.decodedAtOnce
            for learners in fromTheBeginning.map(\.learner).byPartition {
                try refold(Array(learners), keepsStates: keepsStates, in: transaction)
            }
        }
    }

    private func writeChanges(in transaction: any StoreTransaction) throws {
        try transaction.project(changes)
        changes.removeAll()
    }

    /// To be called when the transaction that was updated last is durable.
    func commit() {
        guard !versions.isEmpty else { return }
        recent.commit(states, changed: changed, versions: versions, plan: plan)
        (changed, states, versions) = ([], [:], [])
    }

    /// A learner's state as the transaction under way leaves it; nil if it was not kept.
    func state(of learner: Int64) -> LearnerState? { states[learner]?.state }

    /// Those of a learner as the transaction found them. To be asked for before it appends events of the learner.
    func masteredWordsBefore(_ learner: Int64, in transaction: any StoreTransaction) throws -> Set<MasteredWord> {
        let reader = ProgressReader(plan: plan)
        let version = transaction.versions.step(of: learner).before
        let known = recent.read(learner, at: version, plan: plan) { reader.masteredWords($0.state) }
        return try known ?? reader.masteredWords(folder.latest(learner, in: transaction))
    }

    /// Those of a learner as the transaction leaves them, once it is updated.
    func masteredWords(_ learner: Int64, in transaction: any StoreTransaction) throws -> Set<MasteredWord> {
        ProgressReader(plan: plan).masteredWords(try state(of: learner) ?? folder.latest(learner, in: transaction))
    }

    /// To be called when nothing is updated for a while: it keeps no events alive meanwhile.
    func rest() { folder.forgetTables() }

    private func eventCount(of learners: [(learner: Int64, touch: Touch)], in reader: any StoreReader) throws -> Int {
        try learners.reduce(0) { try $0 + (reader.learner($1.learner)?.eventCount ?? 0) }
    }

    /// Folds every learner from the first event.
    func rebuild(in transaction: any StoreAdministration) throws {
        try transaction.dropDerivedState()
        for ids in try transaction.learnerRanges() {
            try refold(keepsStates: false, in: transaction) { take in
                try transaction.forEachLearner(ids: ids, fields: plan.fields, upTo: LearnerFolder.eventsHeld, take)
            }
        }
    }

    /// - Parameter learners: Ascending, of one partition.
    private func refold(_ learners: [Int64], keepsStates: Bool, in transaction: any StoreTransaction) throws {
        guard !learners.isEmpty else { return }
        try refold(keepsStates: keepsStates, in: transaction) { take in
            try transaction.forEachLearner(of: learners, fields: plan.fields, upTo: LearnerFolder.eventsHeld, take)
        }
    }

    /// Folds learners on all cores while others are being read; what they find is written here, the only place that may
    /// write.
    /// - Parameters:
    ///   - keepsStates: whether the states are kept in memory.
    ///   - read: tells the function it is given of each learner.
    private func refold(
        keepsStates: Bool,
        in transaction: any StoreTransaction,
        _ read: ((LearnerRecord, [EventRun]) throws -> Void) throws -> Void
    ) throws {
        let (plan, store) = (plan, store)
        let feed = OrderedPipeline(limit: LearnerUpdater.decodedAtOnce) { (share: LearnerShare) in
            FoldedShare(share, LearnerFolder(plan: plan, keepsStates: keepsStates), store.newBatch())
        }
        func receive(_ found: FoldedShare) throws {
            try transaction.project(found.projections)
            for (learner, states) in found.saved { try transaction.keep(states, of: learner) }
            self.states.merge(found.kept) { _, new in new }
        }
        var share = LearnerShare()
        try read { learner, runs in
            if learner.eventCount > LearnerFolder.eventsHeld { return try refold(long: learner, transaction) }
            share.append(learner.id, runs)
            guard share.events >= LearnerUpdater.eventsPerShare else { return }
            try feed.put(share, weight: share.weight, receive: receive)
            share = LearnerShare(after: share)
        }
        if !share.learners.isEmpty { try feed.put(share, weight: share.weight, receive: receive) }
        try feed.finish(receive: receive)
    }

    private func refold(long learner: LearnerRecord, _ transaction: any StoreTransaction) throws {
        let folded = try folder.refold(learner, from: transaction, keepsCheckpoints: true)
        try write(folder.result(folded: folded, days: .all), learner.id, days: .all, transaction)
    }

    private func write(
        _ result: LearnerResult,
        _ learner: Int64,
        days: ReplacedDays,
        _ transaction: any StoreTransaction
    ) throws {
        try transaction.project(result.projection, of: learner, days: days)
        try transaction.keep(result.states, of: learner)
    }
}

// MARK: One learner

extension LearnerUpdater {
    /// A state to fold from, and what it was kept as.
    private enum Start {
        /// That of the learner's last event.
        case recent(FoldedLearner)
        case snapshot(LearnerState)
        case checkpoint(LearnerState)
    }

    /// The latest state from before the new events; nil if there is none.
    private func start(of learner: Int64, _ touch: Touch, in transaction: any StoreTransaction) throws -> Start? {
        guard !touch.hasCorrections else {
            states[learner] = nil
            return nil
        }
        let known =
            states.removeValue(forKey: learner)
            ?? recent.take(learner, at: versions.step(of: learner).before, plan: plan)
        if let known, known.state.position! < touch.earliest { return .recent(known) }
        let late = touch.earliest.milliseconds
        // The snapshot is of a later point than any checkpoint.
        if try transaction.checkpoints(of: learner).allSatisfy({ $0.milliseconds <= late }),
            let bytes = try transaction.snapshot(of: learner), let state = LearnerState(snapshot: bytes, plan: plan),
            let position = state.position, position < touch.earliest
        {
            return .snapshot(state)
        }
        if let bytes = try transaction.checkpoint(of: learner, before: late),
            let state = LearnerState(snapshot: bytes, plan: plan), state.position != nil
        {
            return .checkpoint(state)
        }
        return nil
    }

    private func resume(
        _ learner: Int64,
        _ touch: Touch,
        from start: Start,
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        switch start {
        case .recent(let known):
            let runs = try touch.run.map { [$0.events] } ?? events(of: learner, after: known.state, in: transaction)
            return try append(runs, to: known, learner, days: .listed, in: transaction)
        case .snapshot(let state):
            let known = FoldedLearner(state: state, snapshot: state.place, eventsSinceSnapshot: 0)
            let runs = try events(of: learner, after: state, in: transaction)
            // What was folded after a late event may have left its mark on days that now have none.
            let isLate = folder.count(runs, from: touch.earliest) > touch.count
            return try append(runs, to: known, learner, days: isLate ? .all : .listed, in: transaction)
        case .checkpoint(let state):
            return try rewrite(learner, touch, from: state, in: transaction)
        }
    }

    private func events(
        of learner: Int64,
        after state: LearnerState,
        in transaction: any StoreTransaction
    ) throws -> [EventRun] {
        try transaction.events(of: learner, since: state.position!.milliseconds, until: nil, fields: plan.fields)
    }

    /// Folds what follows a snapshot, or a state from after it.
    private func append(
        _ runs: [EventRun],
        to known: FoldedLearner,
        _ learner: Int64,
        days: ReplacedDays,
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        let folded = known.eventsSinceSnapshot + folder.resume(known.state, runs, keepsCheckpoints: true)
        let result = folder.result(folded: folded, days: days)
        if days == .listed, let old = known.projection {
            changes.append(result.projection, replacing: old, of: learner)
        } else {
            try transaction.project(result.projection, of: learner, days: days)
        }
        // Where none is due, the older one still holds.
        if result.states.snapshot != nil {
            if let place = known.snapshot { try transaction.saveSnapshotAsCheckpoint(of: learner, at: place) }
            try transaction.save(result.states, of: learner)
            try transaction.thinCheckpoints(of: learner, end: known.state.eventCount)
        }
        let snapshot = result.states.snapshot == nil ? (known.snapshot, folded) : nil
        var new = FoldedLearner(known.state, result.projection, days, since: snapshot)
        (new.subject, new.measured) = (known.subject, known.measured)
        return new
    }

    /// Folds what follows a checkpoint, an event that came late among it; later states hold no more.
    private func rewrite(
        _ learner: Int64,
        _ touch: Touch,
        from state: LearnerState,
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        let late = touch.earliest.milliseconds
        let runs = try events(of: learner, after: state, in: transaction)
        folder.resume(state, runs, keepsCheckpoints: true)
        var result = folder.result(folded: 0, days: .all)
        // However little follows: with a checkpoint there is a snapshot.
        result.states.snapshot = state.snapshot(plan: plan)
        try transaction.project(result.projection, of: learner, days: .all)
        let wrong = try transaction.checkpoints(of: learner).filter { $0.milliseconds >= late }
        try transaction.dropCheckpoints(of: learner, at: wrong)
        try transaction.save(result.states, of: learner)
        try transaction.thinCheckpoints(of: learner, end: state.eventCount)
        return FoldedLearner(state, result.projection, .all, since: nil)
    }

    /// Folds from the first event.
    private func refold(
        _ learner: Int64,
        _ touch: Touch,
        in transaction: any StoreTransaction
    ) throws -> FoldedLearner {
        let isNew = try transaction.learner(learner)?.eventCount == touch.count
        let runs: [EventRun]
        if isNew, let run = touch.run {
            runs = [run.events]
        } else {
            runs = try transaction.events(of: learner, since: nil, until: nil, fields: plan.fields)
        }
        let folded = folder.refold(runs, keepsCheckpoints: true)
        let result = folder.result(folded: folded, days: .all)
        try write(result, learner, days: .all, transaction)
        return FoldedLearner(folder.state, result, folded: folded)
    }
}
