// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Updates learners' progress after an append, in the same transaction.
///
/// The fold resumes from the latest stored or cached state before the first new event: a cached state, the snapshot,
/// or a checkpoint. A learner without such a state is folded from the first event. So is a learner with a correction
/// among the new events.
final class LearnerUpdater {
    /// The effect of an append on a learner.
    struct Touch {
        /// A position that is not later than any of the new events.
        var earliest: EventPosition
        var hasCorrections: Bool
        /// The number of new events.
        var count: Int
        /// The new events in the learner's order, if they are in memory.
        var run: KeptRun?
    }

    /// New events of a learner. It is a class, so that a touch without such events needs only a pointer.
    final class KeptRun: Sendable {
        let events: EventRun

        init(_ events: EventRun) { self.events = events }
    }

    /// A learner that a transaction has touched.
    struct TouchedLearner {
        let learner: Int64
        let touch: Touch
        /// The number of all events; 0 unless the learner is folded from the first event.
        var events = 0
        /// True if a snapshot may be stored.
        var mayHaveSnapshot = true

        /// All events, if they are in memory.
        var runInMemory: EventRun? { events == touch.count ? touch.run?.events : nil }

        init(_ learner: Int64, _ touch: Touch) { (self.learner, self.touch) = (learner, touch) }
    }

    /// The result of a learner's fold, to be written together with other results.
    struct Folded {
        let learner: Int64
        let projection: LearnerProjection
        let days: ReplacedDays
        /// The learner's rows in the tables of progress before this fold, if they are known.
        var replaced: LearnerProjection?
    }

    /// The number of events between two snapshots. Folding them takes about a millisecond.
    static let snapshotInterval = 4096

    /// The number of events in a share of learners that are folded from the first event. Passing such a share to
    /// another core is worth the cost.
    private static let eventsPerShare = 4096
    /// The maximum number of decoded events in memory, including other learners' events in the same blocks.
    static let decodedAtOnce = 262_144
    /// The maximum number of touched learners in a write for which states are cached. A write for waiting requests has
    /// about as many learners at most. In addition, the learners folded from the first event must have at most
    /// ``decodedAtOnce`` events together.
    private static let fewLearners = 1024
    /// The number of events up to which the writing thread itself folds from the first event. More events are divided
    /// among all cores.
    private static let fewEvents = 8192

    private let store: any EventStore
    let plan: FoldPlan
    let folder: LearnerFolder
    let recent: FoldStateCache
    /// Learners' rows in the tables of progress, to be written together. The batch contains only learners whose stored
    /// rows are known.
    private let changes: any ProjectionBatch
    static let changesAtOnce = 256
    /// The learners changed by the current transaction.
    var changed: Set<Int64> = []
    var states: [Int64: FoldedLearner] = [:]
    var versions: [VersionStep] = []

    /// - Parameter recent: the cache of states; by default a cache that keeps no states.
    init(store: any EventStore, plan: FoldPlan, recent: FoldStateCache = FoldStateCache(limit: 0)) {
        self.store = store
        self.plan = plan
        self.recent = recent
        folder = LearnerFolder(plan: plan)
        changes = store.newBatch()
    }

    /// An updater that uses other rules from the next transaction on.
    func following(_ plan: FoldPlan) -> LearnerUpdater {
        LearnerUpdater(store: store, plan: plan, recent: recent)
    }

    /// Updates the touched learners. Queries to the store are combined for many learners.
    /// - Complexity: for each learner, O(events after the state to start from); O(history) without such a state.
    func update(_ touched: [Int64: Touch], in transaction: any StoreTransaction) throws {
        versions = transaction.versions
        let isFew = touched.count <= LearnerUpdater.fewLearners
        var fromTheBeginning: [TouchedLearner] = []
        changes.removeAll()
        var rest = touched.sorted { $0.key < $1.key }.map { TouchedLearner($0.key, $0.value) }[...]
        while !rest.isEmpty {
            let some = rest.prefix(LearnerUpdater.changesAtOnce)
            rest = rest.dropFirst(some.count)
            fromTheBeginning += try resumeFromKeptState(some, keepsStates: isFew, in: transaction)
        }
        let events = isFew ? fromTheBeginning.reduce(0) { $0 + $1.events } : .max
        if events <= LearnerUpdater.fewEvents {
            try refoldFew(fromTheBeginning, in: transaction)
        } else {
            let keepsStates = events <= LearnerUpdater.decodedAtOnce
            for learners in fromTheBeginning.map(\.learner).byPartition {
                try refold(Array(learners), keepsStates: keepsStates, in: transaction)
            }
        }
    }

    /// Writes the results of some learners.
    /// - Parameter states: the states to keep for the learners.
    func write(
        _ results: [Folded],
        states: [(learner: Int64, change: LearnerWrites.StateChange)] = [],
        in transaction: any StoreTransaction
    ) throws {
        for result in results.sorted(by: { $0.learner < $1.learner }) {
            if let old = result.replaced {
                changes.append(result.projection, replacing: old, of: result.learner)
            } else {
                changes.append(result.projection, days: result.days, of: result.learner)
            }
        }
        try transaction.write(LearnerWrites(changes, states: states))
        changes.removeAll()
    }

    /// Moves the states to the cache. Call it when the last updated transaction is durable.
    func commit() {
        guard !versions.isEmpty else { return }
        recent.commit(states, changed: changed, versions: versions, plan: plan)
        (changed, states, versions) = ([], [:], [])
    }

    /// A learner's state at the end of the current transaction; nil if the state was not kept.
    func state(of learner: Int64) -> LearnerState? { states[learner]?.state }

    /// Reads the learner's state before the transaction. Call it before events of the learner are appended.
    func readBefore<T>(
        _ learner: Int64,
        in transaction: any StoreTransaction,
        _ body: (ProgressReader, LearnerState) -> T
    ) throws -> T {
        let reader = ProgressReader(plan: plan)
        let version = transaction.versions.step(of: learner).before
        let known = recent.read(learner, at: version, plan: plan) { body(reader, $0.state) }
        return try known ?? body(reader, folder.latest(learner, in: transaction))
    }

    /// Reads the learner's state after the update in this transaction.
    func readAfter<T>(
        _ learner: Int64,
        in transaction: any StoreTransaction,
        _ body: (ProgressReader, LearnerState) -> T
    ) throws -> T {
        body(ProgressReader(plan: plan), try state(of: learner) ?? folder.latest(learner, in: transaction))
    }

    /// Releases cached tables. Call it when no update will follow soon, so that their events do not stay in memory.
    func rest() { folder.forgetTables() }

    /// Folds every learner from the first event.
    func rebuild(in transaction: any StoreAdministration) throws {
        try transaction.dropDerivedState()
        for ids in try transaction.learnerRanges() {
            try refold(keepsStates: false, in: transaction) { take in
                try transaction.forEachLearner(ids: ids, fields: plan.fields, upTo: LearnerFolder.eventsHeld, take)
            }
        }
    }

    /// - Parameter learners: ascending, of one partition.
    private func refold(_ learners: [Int64], keepsStates: Bool, in transaction: any StoreTransaction) throws {
        guard !learners.isEmpty else { return }
        try refold(keepsStates: keepsStates, in: transaction) { take in
            try transaction.forEachLearner(of: learners, fields: plan.fields, upTo: LearnerFolder.eventsHeld, take)
        }
    }

    /// Folds learners on all cores while further learners are read. The results are written on this thread, since no
    /// other thread may write.
    /// - Parameters:
    ///   - keepsStates: true to keep the states in memory.
    ///   - read: calls its argument with each learner.
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
            try transaction.write(found.writes)
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
        let result = folder.result(folded: folded, days: .all)
        var writes = LearnerWrites(projections: [(learner.id, result.projection, .all)])
        writes.keep(result.states, of: learner.id)
        try transaction.write(writes)
    }
}
