// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// The sizes and durations of write transactions while rules are applied. Other writers must wait during these
/// transactions.
package struct ApplyPace: Sendable {
    /// The number of rows written in one transaction, which takes some tenths of a second.
    package var rowsPerTurn = 20_000
    /// The duration in seconds of a transaction in which learners are folded. Such transactions are needed if learners
    /// change faster than they are folded. If such a transaction makes no progress, the next one is twice as long.
    /// Other writers give up after waiting for ten seconds.
    package var secondsPerTurn = 1.0
    package var secondsAtMost = 4.0
    /// The number of events to fold between two checks of the clock.
    package var eventsPerStep = 50_000
    /// The maximum number of events of the learners left for the last transaction, which also replaces the tables. On a
    /// machine that folds slowly, the number is lower.
    package var eventsAtLast = 200_000
    /// The maximum number of rounds before the last transaction begins.
    package var rounds = 100

    package init() {}
}

/// Computes progress under new rules into the shadow tables of a store, while the old tables stay in use. All
/// learners are folded from committed events without a lock, and the results are written in short transactions.
/// Learners who change meanwhile are folded again. One last transaction folds the remaining learners and replaces the
/// tables.
final class ShadowBuild {
    /// The learners to fold.
    enum Scope {
        case everything
        /// Learners with progress towards these achievements, or with a snapshot.
        case thresholds(of: [String])
    }

    private let application: RulesChangeRun
    private let scope: Scope
    private var pace: ApplyPace { application.pace }
    private var store: any EventStore { application.store }
    private var report = RulesApplication(inForce: 0)
    private var progress = ReplayProgress()
    /// For each learner, the events that preserve achievements and XP.
    private var kept: [Int64: [Event]] = [:]
    /// The projections of learners whose profile changes. The shadow does not contain profiles, because they hardly
    /// depend on the rules. Rules only decide which fields of `learner.updated` are administered, and so if
    /// `session.discarded` voids the event.
    private var profiles: [Int64: LearnerProjection] = [:]
    private let changesProfiles: Bool
    private var waiting: [ShadowedLearner] = []
    private var waitingRows = 0

    init(_ application: RulesChangeRun, _ scope: Scope) {
        self.application = application
        self.scope = scope
        changesProfiles = application.old.administeredFields != application.new.administeredFields
        if case .everything = scope { report.method = .replay } else { report.method = .thresholds }
    }

    func run(_ observe: (ReplayProgress) -> Void) throws -> RulesApplication {
        var learners: [Int64]?
        try store.writeAll { transaction in
            try application.unchangedRules(in: transaction)
            try transaction.beginShadow()
            if case .thresholds(let achievements) = scope {
                learners = try transaction.learners(where: .snapshotOrProgress(in: achievements))
            }
        }
        try fold(learners, observe)
        report.learners = progress.learnersDone
        try catchUp(observe)
        try swap()
        return report
    }

    /// Folds learners who have changed meanwhile, round by round. As long as each round halves the work, learners are
    /// folded without blocking writers. Otherwise they are folded in transactions during which writers wait. Writers
    /// run only between two such transactions, so the number of their changes stays limited.
    private func catchUp(_ observe: (ReplayProgress) -> Void) throws {
        var last = Int.max
        var seconds = pace.secondsPerTurn
        var foldable = pace.eventsAtLast
        for _ in 0..<pace.rounds {
            let (learners, events) = try store.read(changed)
            guard events > foldable else { return }
            if events <= last / 2 {
                for some in learners.byPartition {
                    try turn(Partition.of(learner: some[some.startIndex])) { try forget(Array(some), $0) }
                }
                try fold(learners, observe)
            } else {
                if events >= last { seconds = min(2 * seconds, pace.secondsAtMost) }
                var folded = 0
                for some in learners.byPartition {
                    let partition = Partition.of(learner: some[some.startIndex])
                    folded += try turn(partition) { try foldChanged(of: partition, in: $0, for: .seconds(seconds)) }
                }
                foldable = min(pace.eventsAtLast, folded)
                observe(progress)
            }
            last = events
        }
    }

    /// The learners who have changed since they were folded, and the number of their events.
    private func changed(_ reader: any StoreReader) throws -> (learners: [Int64], events: Int) {
        let learners = try reader.learners(where: .changedBesideShadow)
        return (learners, try learners.reduce(0) { try $0 + max(1, reader.learner($1)?.eventCount ?? 0) })
    }

    // MARK: Without a lock

    /// Folds the given learners, or all learners if `learners` is nil. Writes the results in short transactions.
    private func fold(_ learners: [Int64]?, _ observe: (ReplayProgress) -> Void) throws {
        let shares = try self.shares(learners)
        progress.learnersTotal = progress.learnersDone + shares.reduce(0) { $0 + $1.count }
        let application = application
        try shares.mapInParallel { share in
            let folder = ShadowFolder(application)
            return try application.store.read { reader in try share.read(reader, folder) }
        } receive: { (folded: [ShadowedLearner]) in
            for learner in folded { try take(learner) }
            observe(progress)
        }
        try flush()
    }

    private func shares(_ learners: [Int64]?) throws -> [ShadowShare] {
        guard let learners else {
            return try store.read { try ReplayRun.shares(in: $0) }.map(ShadowShare.range)
        }
        return learners.shares(of: max(1, min(64, learners.count / (Threads.processors * 4)))).map(ShadowShare.listed)
    }

    private func take(_ learner: ShadowedLearner) throws {
        try Cancellation.check()
        progress.learnersDone += 1
        progress.events += learner.events
        report.events += learner.events
        // Each share belongs to one partition, and results arrive in the order of the shares.
        let partition = Partition.of(learner: learner.learner)
        if let first = waiting.first, Partition.of(learner: first.learner) != partition { try flush() }
        waiting.append(learner)
        waitingRows += learner.rows
        if waitingRows >= pace.rowsPerTurn { try flush() }
    }

    private func flush() throws {
        guard let first = waiting.first else { return }
        try turn(Partition.of(learner: first.learner)) { transaction in
            for learner in waiting { try write(learner, transaction) }
        }
        waiting = []
        waitingRows = 0
    }

    /// A short write transaction of a partition. Waiting writers run after it.
    private func turn<T>(_ partition: Int, _ body: (any StoreTransaction) throws -> T) throws -> T {
        try store.write(in: partition) { transaction in
            try application.unchangedRules(in: transaction)
            return try body(transaction)
        }
    }

    private func write(_ learner: ShadowedLearner, _ transaction: any StoreTransaction) throws {
        // The learner may have been erased meanwhile. If a new learner has the same number now, the new learner is
        // marked as changed.
        guard try transaction.learner(learner.learner) != nil else { return }
        var projection = learner.result.projection
        if case .thresholds = scope {
            for index in projection.tracks.indices { projection.tracks[index].days = [] }
        }
        var writes = LearnerWrites(in: .shadow, projections: [(learner.learner, projection, .all)])
        writes.keep(learner.result.states, of: learner.learner)
        try transaction.write(writes)
        kept[learner.learner] = learner.kept.isEmpty ? nil : learner.kept
        if changesProfiles {
            let stored = try transaction.projection(of: learner.learner, withDays: false)
            profiles[learner.learner] = stored?.profile == projection.profile ? nil : projection
        }
    }

    private func forget(_ learners: [Int64], _ transaction: any StoreTransaction) throws {
        try transaction.forgetChanges(of: learners)
        for learner in learners { (kept[learner], profiles[learner]) = (nil, nil) }
    }

    // MARK: While writers wait

    /// Folds learners who have changed, until the transaction's time is over.
    /// - Parameter partition: the only partition; nil for all.
    /// - Returns: the number of events folded.
    @discardableResult
    private func foldChanged(
        of partition: Int? = nil,
        in transaction: any StoreTransaction,
        for time: Duration? = nil
    ) throws -> Int {
        let start = ContinuousClock.now
        let before = report.events
        var left = try transaction.learners(where: .changedBesideShadow)[...]
        if let partition { left = left.filter { Partition.of(learner: $0) == partition }[...] }
        while !left.isEmpty {
            var events = 0
            let step = try left.prefix { learner in
                guard events < pace.eventsPerStep else { return false }
                events += try transaction.learner(learner)?.eventCount ?? 0
                return true
            }
            try fold(Array(step), in: transaction)
            left = left[step.endIndex...]
            if let time, ContinuousClock.now - start >= time { break }
        }
        return report.events - before
    }

    private func fold(_ chosen: [Int64], in transaction: any StoreTransaction) throws {
        try forget(chosen, transaction)
        let application = application
        // This transaction has written only to the shadow tables. So readers on other threads see the same events.
        try shares(chosen).mapInParallel { share in
            let folder = ShadowFolder(application)
            return try application.store.read { reader in try share.read(reader, folder) }
        } receive: { (folded: [ShadowedLearner]) in
            for learner in folded {
                report.events += learner.events
                try write(learner, transaction)
            }
        }
    }

    // MARK: Swapping

    private func swap() throws {
        try store.writeAll { transaction in
            try application.unchangedRules(in: transaction)
            try foldChanged(in: transaction)
            try record(in: transaction)
            try writeProfiles(in: transaction)
            report.version = try application.setRules(in: transaction)
            switch scope {
            case .everything:
                try transaction.adoptShadow(.everything)
                try transaction.setTimeZones(TimeZoneDatabase.shared.version)
            case .thresholds:
                try transaction.setHidden(application.comparison.hidden)
                try transaction.adoptShadow(.listedLearnersWithoutDays)
            }
        }
    }

    /// Writes the profiles that change. The call also writes to the old progress tables, but the shadow tables replace
    /// these.
    private func writeProfiles(in transaction: any StoreTransaction) throws {
        let changed = try profiles.keys.sorted().filter { try transaction.learner($0) != nil }
        guard !changed.isEmpty else { return }
        try transaction.write(LearnerWrites(projections: changed.map { ($0, profiles[$0]!, .all) }))
    }

    /// Stores the events that preserve achievements and XP. The shadow already counts them.
    private func record(in transaction: any StoreTransaction) throws {
        let learners = kept.keys.sorted()
        guard !learners.isEmpty else { return }
        var groups: [LearnerRows] = []
        var events: [Event] = []
        for learner in learners {
            groups.append(
                LearnerRows(learner: learner, rows: Array(events.count..<events.count + kept[learner]!.count))
            )
            events += kept[learner]!
        }
        let result = try transaction.append(EventTable(keeping: events), groups: groups)
        let stored = zip(events, result.outcomes).filter { $1 == .stored }.map(\.0.type)
        report.declared = stored.count { $0 == EventKind.xpDeclared.rawValue }
        report.granted = stored.count - report.declared
    }
}

/// Learners that are folded together.
enum ShadowShare: Sendable {
    case range(Range<Int64>)
    case listed([Int64])

    var count: Int {
        switch self {
        case .range(let ids): ids.count
        case .listed(let ids): ids.count
        }
    }

    func read(_ reader: any StoreReader, _ folder: ShadowFolder) throws -> [ShadowedLearner] {
        var folded: [ShadowedLearner] = []
        switch self {
        case .range(let ids):
            try reader.forEachLearner(ids: ids, fields: folder.fields) { folded.append(try folder.fold($0, $1)) }
        case .listed(let ids):
            // Learners erased meanwhile are missing.
            try reader.forEachLearner(of: ids, fields: folder.fields) { folded.append(try folder.fold($0, $1)) }
        }
        return folded
    }
}

extension ShadowedLearner {
    fileprivate var rows: Int {
        result.projection.tracks.reduce(0) { $0 + 1 + $1.achievements.count + $1.days.count }
    }
}
