import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// The shadow of a store being filled: everyone is folded from committed events without any lock, what comes of it is
/// written in short turns, and those who changed meanwhile are folded again. Only the last of them, and the swap, are one
/// transaction.
final class ShadowBuild {
    /// Who is folded.
    enum Scope {
        case everything
        /// Those who have progress in these achievements, or a snapshot.
        case thresholds(of: [String])
    }

    /// Rows written in a turn: some tenths of a second.
    private static let rowsPerTurn = 20_000
    /// Events of the learners left for the last transaction, and after how many rounds it comes anyway: writers that
    /// change more than this in every round are not caught up with in any other way.
    private static let eventsAtLast = 200_000
    private static let rounds = 8

    private let application: RulesApplication
    private let scope: Scope
    private var store: any EventStore { application.store }
    private var report = ApplyReport()
    private var progress = ReplayProgress()
    private var grants: [Int64: [Event]] = [:]
    private var waiting: [ShadowedLearner] = []
    private var waitingRows = 0

    init(_ application: RulesApplication, _ scope: Scope) {
        self.application = application
        self.scope = scope
        if case .everything = scope { report.method = .replay } else { report.method = .thresholds }
    }

    func run(_ observe: (ReplayProgress) -> Void) throws -> ApplyReport {
        var learners: [Int64]?
        try store.write { transaction in
            try application.rulesThatStand(in: transaction)
            try transaction.beginShadow()
            if case .thresholds(let achievements) = scope {
                learners = try transaction.learners(withSnapshotOrProgressIn: achievements)
            }
        }
        try fold(learners, observe)
        report.learners = progress.learnersDone
        for _ in 0..<ShadowBuild.rounds {
            let changed = try turn(takeChanged)
            if changed.isEmpty { break }
            try fold(changed, observe)
            guard try eventsOfChanged() > ShadowBuild.eventsAtLast else { break }
        }
        try swap()
        return report
    }

    // MARK: Without a lock

    /// Folds learners, all of them where none are named, and writes them in turns.
    private func fold(_ learners: [Int64]?, _ observe: (ReplayProgress) -> Void) throws {
        let shares = try self.shares(learners)
        progress.learnersTotal = progress.learnersDone + shares.reduce(0) { $0 + $1.count }
        let application = application
        try ParallelMap.run(shares) { share in
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
            return ReplayRun.shares(of: try store.read { try $0.learnerIDs() }).map(ShadowShare.range)
        }
        let size = 64
        return stride(from: 0, to: learners.count, by: size).map {
            .listed(Array(learners[$0..<min($0 + size, learners.count)]))
        }
    }

    private func take(_ learner: ShadowedLearner) throws {
        progress.learnersDone += 1
        progress.events += learner.events
        report.events += learner.events
        waiting.append(learner)
        waitingRows += learner.rows
        if waitingRows >= ShadowBuild.rowsPerTurn { try flush() }
    }

    private func flush() throws {
        guard !waiting.isEmpty else { return }
        try turn { transaction in
            for learner in waiting { try write(learner, transaction) }
        }
        waiting = []
        waitingRows = 0
    }

    /// A short write; writers who wait come next.
    private func turn<T>(_ body: (any StoreTransaction) throws -> T) throws -> T {
        try store.write { transaction in
            try application.rulesThatStand(in: transaction)
            return try body(transaction)
        }
    }

    private func write(_ learner: ShadowedLearner, _ transaction: any StoreTransaction) throws {
        // Erased since; should the number be another learner's by now, that one is noted as changed.
        guard try transaction.learner(learner.learner) != nil else { return }
        var projection = learner.result.projection
        if case .thresholds = scope {
            for index in projection.tracks.indices { projection.tracks[index].days = [] }
        }
        try transaction.project(projection, of: learner.learner, days: .all, in: .shadow)
        try transaction.saveSnapshot(learner.result.snapshot, of: learner.learner, in: .shadow)
        grants[learner.learner] = learner.grants.isEmpty ? nil : learner.grants
    }

    /// How much there is to fold of those who changed since the last round.
    private func eventsOfChanged() throws -> Int {
        try turn { transaction in
            try transaction.changedLearners().reduce(0) { try $0 + (transaction.learner($1)?.eventCount ?? 0) }
        }
    }

    private func takeChanged(_ transaction: any StoreTransaction) throws -> [Int64] {
        let changed = try transaction.takeChangedLearners()
        for learner in changed { grants[learner] = nil }
        return changed
    }

    // MARK: At last

    private func swap() throws {
        try store.write { transaction in
            try application.rulesThatStand(in: transaction)
            try foldChanged(in: transaction)
            try record(in: transaction)
            report.version = try application.setRules(in: transaction)
            switch scope {
            case .everything: try transaction.adoptShadow(.everything)
            case .thresholds:
                try transaction.setHidden(application.comparison.hidden)
                try transaction.adoptShadow(.listedLearnersWithoutDays)
            }
        }
    }

    private func foldChanged(in transaction: any StoreTransaction) throws {
        let changed = try takeChanged(transaction)
        let application = application
        // Nothing has been written in this transaction but the shadow, so readers see the same events.
        try ParallelMap.run(try shares(changed)) { share in
            let folder = ShadowFolder(application)
            return try application.store.read { reader in try share.read(reader, folder) }
        } receive: { (folded: [ShadowedLearner]) in
            for learner in folded {
                report.events += learner.events
                try write(learner, transaction)
            }
        }
    }

    /// Stores the grants; the shadow has them counted already.
    private func record(in transaction: any StoreTransaction) throws {
        let learners = grants.keys.sorted()
        guard !learners.isEmpty else { return }
        var groups: [LearnerRows] = []
        var events: [Event] = []
        for learner in learners {
            groups.append(
                LearnerRows(learner: learner, rows: Array(events.count..<events.count + grants[learner]!.count))
            )
            events += grants[learner]!
        }
        let result = try transaction.append(EventTable(encoding: events), groups: groups)
        report.granted = result.outcomes.count { $0 == .stored }
    }
}

/// Learners to be folded together.
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
            try reader.forEachLearner(ids: ids, fields: folder.fields) { folded.append(folder.fold($0, $1)) }
        case .listed(let ids):
            for id in ids {
                // Who was erased meanwhile has nothing to be folded.
                guard let learner = try reader.learner(id) else { continue }
                let runs = try reader.events(of: id, since: nil, until: nil, fields: folder.fields)
                folded.append(folder.fold(learner, runs))
            }
        }
        return folded
    }
}

extension ShadowedLearner {
    fileprivate var rows: Int {
        result.projection.tracks.reduce(0) { $0 + 1 + $1.achievements.count + $1.days.count }
    }
}
