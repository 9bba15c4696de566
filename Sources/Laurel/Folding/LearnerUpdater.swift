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

    /// One of those whom a transaction has touched.
    struct TouchedLearner {
        let learner: Int64
        let touch: Touch
        /// All that there are now; known where the learner is folded from the first one.
        var events = 0
        /// Whether a snapshot may be stored.
        var mayHaveSnapshot = true

        /// All events, where they are at hand.
        var wholeRun: EventRun? { events == touch.count ? touch.run?.events : nil }

        init(_ learner: Int64, _ touch: Touch) { (self.learner, self.touch) = (learner, touch) }
    }

    /// What was found of a learner, to be written with others'.
    struct Folded {
        let learner: Int64
        let projection: LearnerProjection
        let days: ReplacedDays
        /// What is stored, where that is known.
        var replaced: LearnerProjection?
    }

    /// How many events may follow a snapshot before the next is taken: about a millisecond of folding.
    static let snapshotInterval = 4096

    /// Events of learners that are folded from the beginning one after the other, by one thread: enough to be worth handing to another core.
    private static let eventsPerShare = 4096
    /// Events held decoded meanwhile, others' in the same blocks included.
    static let decodedAtOnce = 262_144
    /// States are kept in memory where a write touches so few learners, as many as requests are stored together, and those
    /// folded from the beginning have no more events than are decoded at once.
    private static let fewLearners = 1024
    /// So many events are folded from the beginning by the writing thread; more are worth other cores.
    private static let fewEvents = 8192

    private let store: any EventStore
    let plan: FoldPlan
    let folder: LearnerFolder
    let recent: FoldStateCache
    /// Projections of learners whose stored ones are known, to be written together.
    private let changes: any ProjectionBatch
    static let changesAtOnce = 256
    /// Of the transaction under way.
    var changed: Set<Int64> = []
    var states: [Int64: FoldedLearner] = [:]
    var versions: [VersionStep] = []

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

    /// - Complexity: per learner, the events that follow the state folded from; the whole history if there is none. What the store is
    ///   asked for is asked for many learners together.
    func update(_ touched: [Int64: Touch], in transaction: any StoreTransaction) throws {
        versions = transaction.versions
        let isFew = touched.count <= LearnerUpdater.fewLearners
        var fromTheBeginning: [TouchedLearner] = []
        changes.removeAll()
        var rest = touched.sorted { $0.key < $1.key }.map { TouchedLearner($0.key, $0.value) }[...]
        while !rest.isEmpty {
            let some = rest.prefix(LearnerUpdater.changesAtOnce)
            rest = rest.dropFirst(some.count)
            fromTheBeginning += try goOn(some, keepsStates: isFew, in: transaction)
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

    /// Writes what was folded of some learners, those of each partition together.
    /// - Parameter states: those that are to be kept of them.
    func write(
        _ results: [Folded],
        states: [(learner: Int64, change: LearnerWrites.StateChange)] = [],
        in transaction: any StoreTransaction
    ) throws {
        let states = Dictionary(grouping: states) { Partition.of(learner: $0.learner) }
        let results = Dictionary(grouping: results) { Partition.of(learner: $0.learner) }
        for (partition, results) in results.sorted(by: { $0.key < $1.key }) {
            for result in results.sorted(by: { $0.learner < $1.learner }) {
                if let old = result.replaced {
                    changes.append(result.projection, replacing: old, of: result.learner)
                } else {
                    changes.append(result.projection, days: result.days, of: result.learner)
                }
            }
            try transaction.write(LearnerWrites(changes, states: states[partition] ?? []))
            changes.removeAll()
        }
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
