// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore
import Synchronization

extension ProgressEngine {
    /// Rebuilds all progress from the events and writes it.
    /// - Complexity: O(events), on all cores, in bounded memory.
    func rebuild(observe: (ReplayProgress) -> Void) throws -> ReplayReport {
        var (report, fingerprint) = try writeAll(rebuilding: false) { transaction, plan in
            try transaction.setTimeZones(TimeZoneDatabase.shared.version)
            // The learners are read outside this transaction. They do not change meanwhile, because this transaction
            // blocks other writers and writes no events.
            let spare = Mutex<[any ProjectionBatch]>([])
            let newBatch = { @Sendable [store] in spare.withLock { $0.popLast() } ?? store.newBatch() }
            return try store.readTogether { state in
                try ReplayRun(state: state, plan: plan, wants: .results(newBatch)).foldAll(
                    // Dropping the derived state runs while other threads fold.
                    begin: transaction.dropDerivedState,
                    observe: observe
                ) { share in
                    try transaction.write(share.writes)
                    // A cleared batch keeps its memory, so it is reused.
                    guard let batch = share.writes.batch else { return }
                    batch.removeAll()
                    spare.withLock { $0.append(batch) }
                }
            }
        }
        try fingerprint.finish { report.fingerprint = $0 }
        return report
    }

    /// Rebuilds all progress in memory and compares it with the stored progress.
    func compare(observe: (ReplayProgress) -> Void) throws -> ReplayReport {
        var differences: [String] = []
        var isOutdated = false
        var report = try store.readTogether { state in
            let plan = try state.read { reader in
                let plan = try self.plan(for: reader)
                isOutdated = try self.isOutdated(reader)
                if try reader.rulesKey() != plan.key {
                    differences.append("the store's progress was computed under other rules")
                }
                if let remark = try timeZoneRemark(reader) { differences.append(remark) }
                return plan
            }
            let wants: ReplayRun.Purpose = isOutdated ? .fingerprint : .comparison
            return try ReplayRun(state: state, plan: plan, wants: wants).run(observe: observe) { share in
                differences += share.differences
            }
        }
        report.differences = differences
        (report.isCheck, report.isOutdated) = (true, isOutdated)
        return report
    }

    /// A hash over all progress. Equal events and rules give an equal hash in any store, on any machine.
    func computeFingerprint(observe: (ReplayProgress) -> Void) throws -> String {
        try store.readTogether { state in
            let plan = try state.read { try self.plan(for: $0) }
            let run = ReplayRun(state: state, plan: plan, wants: .fingerprint)
            return try run.run(observe: observe) { _ in }.fingerprint
        }
    }
}

typealias LearnerFingerprint = (subject: [UInt8], hash: [UInt8])

/// Combines the fingerprints of all learners on another thread.
typealias Fingerprinting = OrderedPipeline<[LearnerFingerprint], String>

/// The results of a replay for some learners.
struct ReplayedShare: Sendable {
    var events = 0
    var fingerprints: [LearnerFingerprint] = []
    /// The changes to write; empty if the replay only reads.
    var writes = LearnerWrites()
    var overviews: [OverviewRecord] = []
    var differences: [String] = []
}

/// A replay of every learner, on all cores.
///
/// Learners are divided into ranges of ids. Each worker reads through its own connection. The calling thread receives
/// the results, because only this thread may write.
struct ReplayRun {
    enum Purpose: Sendable {
        /// Results to write. The closure creates a batch, which collects learners' rows in the tables of progress.
        case results(@Sendable () -> any ProjectionBatch)
        case comparison, fingerprint
        /// Main numbers at an instant; nil for each learner's latest event.
        case overview(at: Timestamp?)
    }

    let state: any StoreState
    let plan: FoldPlan
    let wants: Purpose

    /// The approximate number of events in a share. A share's results stay in memory until they are written.
    private static let eventsPerShare = 262_144
    /// The approximate number of events in the smallest shares. If two shares need the same block, it is decoded twice.
    /// So smaller shares would cost more time than they save.
    private static let eventsPerLastShare = 32_768
    /// The fixed cost of folding a learner, as a number of events.
    private static let eventsPerLearner = 100

    /// Ranges of learners to replay. They are so small that all cores work until the end, and that their results fit
    /// into memory. They are so large that passing them to another thread costs little.
    static func shares(in reader: any StoreReader) throws -> [Range<Int64>] {
        let learners = try reader.learnerRanges().reduce(0) { $0 + $1.count }
        return try reader.learnerShares(of: try sizes(of: learners, in: reader).most)
    }

    /// The minimum and the maximum number of learners in a share.
    private static func sizes(of learners: Int, in reader: any StoreReader) throws -> (least: Int, most: Int) {
        let events = max(1, try reader.statistics().events / max(1, learners))
        let most = max(1, min(2048, learners / (Threads.processors * 4), eventsPerShare / events))
        return (max(1, min(most, eventsPerLastShare / (events + eventsPerLearner))), most)
    }

    /// Does the same as ``shares(in:)``, but a share may cover several partitions with few learners. The ids of each
    /// partition follow those of the previous partition. Towards the end, shares become smaller, so that no core waits
    /// long for the last share.
    /// - Returns: the ranges, with the approximate number of learners in each.
    private static func sharesOverPartitions(
        in reader: any StoreReader
    ) throws -> [(ids: Range<Int64>, learners: Int)] {
        let ranges = try reader.learnerRanges()
        var (left, room) = (ranges.reduce(0) { $0 + $1.count }, 0)
        let (least, most) = try sizes(of: left, in: reader)
        var shares: [(ids: Range<Int64>, learners: Int)] = []
        for range in ranges {
            var ids = range
            while !ids.isEmpty {
                if room == 0 {
                    room = max(least, min(most, left / (Threads.processors * 2)))
                    shares.append((ids.prefix(0), 0))
                }
                let (taken, last) = (ids.prefix(room), shares.count - 1)
                shares[last] = (shares[last].ids.lowerBound..<taken.upperBound, shares[last].learners + taken.count)
                (ids, left, room) = (taken.upperBound..<range.upperBound, left - taken.count, room - taken.count)
            }
        }
        return shares
    }

    func run(
        observe: (ReplayProgress) -> Void,
        receive: (ReplayedShare) throws -> Void
    ) throws -> ReplayReport {
        var (report, fingerprint) = try foldAll(observe: observe, receive: receive)
        try fingerprint.finish { report.fingerprint = $0 }
        return report
    }

    /// - Parameter begin: called once, before the first result is received.
    /// - Returns: the report without its fingerprint, and the computation of the fingerprint. The results can be
    ///   written while that computation runs.
    func foldAll(
        begin: () throws -> Void = {},
        observe: (ReplayProgress) -> Void,
        receive: (ReplayedShare) throws -> Void
    ) throws -> (report: ReplayReport, fingerprint: Fingerprinting) {
        let clock = ContinuousClock()
        let start = clock.now
        let shares = try state.read { try ReplayRun.sharesOverPartitions(in: $0) }
        var report = ReplayReport()
        var progress = ReplayProgress()
        progress.learnersTotal = shares.reduce(0) { $0 + $1.learners }
        var fingerprints: [LearnerFingerprint] = []
        // Writing is slower than folding on all cores. So results are written as early as possible.
        try shares.map(\.ids).mapInParallel(ahead: 2, transform: replay, begin: begin) { share in
            try Cancellation.check()
            fingerprints += share.fingerprints
            report.learners += share.fingerprints.count
            report.events += share.events
            progress.learnersDone = report.learners
            progress.events = report.events
            try receive(share)
            observe(progress)
        }
        let fingerprint = Fingerprinting(workers: 1, limit: 1, transform: ReplayRun.combine)
        try fingerprint.put(fingerprints) { _ in }
        let elapsed = start.duration(to: clock.now).components
        report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
        return (report, fingerprint)
    }

    @Sendable
    private func replay(_ ids: Range<Int64>) throws -> ReplayedShare {
        let folder = LearnerFolder(plan: plan, keepsStates: false)
        let fingerprinter = Fingerprinter()
        let progressReader = ProgressReader(plan: plan)
        var share = ReplayedShare()
        if case .results(let newBatch) = wants { share.writes.batch = newBatch() }
        try state.read { reader in
            try reader.forEachLearner(ids: ids, fields: plan.fields, upTo: eventsHeld) { learner, runs in
                let comparison = isComparing ? try StoredComparison(learner, reader, plan) : nil
                let events = try fold(learner, runs, folder, reader, comparison)
                share.events += events
                share.fingerprints.append((learner.subject, fingerprinter.fingerprint(of: folder.state)))
                switch wants {
                case .fingerprint: break
                case .overview(let instant):
                    if let instant { folder.fold.switchVersion(asOf: instant) }
                    share.overviews.append(OverviewRecord(learner, folder.state, plan, at: instant))
                case .results:
                    let result = folder.result(folded: events, days: .all)
                    share.writes.batch?.append(result.projection, of: learner.id)
                    // Without a new snapshot, nothing is saved, because no earlier states have to be replaced.
                    if result.states.snapshot != nil { share.writes.save(result.states, of: learner.id) }
                case .comparison:
                    share.differences += try comparison?.differences(progressReader.projection(folder.state)) ?? []
                }
            }
        }
        return share
    }

    /// - Returns: the number of events that were folded or skipped as void.
    private func fold(
        _ learner: LearnerRecord,
        _ runs: [EventRun],
        _ folder: LearnerFolder,
        _ reader: any StoreReader,
        _ comparison: StoredComparison?
    ) throws -> Int {
        if let comparison {
            return try folder.refold(learner, runs, from: reader, stoppingAt: comparison.positions) { index in
                try comparison.reach(index, folder.state)
            }
        }
        return learner.eventCount > eventsHeld
            ? try folder.refold(learner, from: reader, keepsCheckpoints: isWriting)
            : folder.refold(runs, until: instant, keepsCheckpoints: isWriting)
    }

    /// The maximum number of a learner's events in memory. Longer histories are read in parts, unless only some of
    /// their events are folded.
    private var eventsHeld: Int {
        if case .overview = wants { .max } else { LearnerFolder.eventsHeld }
    }

    private var isComparing: Bool {
        if case .comparison = wants { true } else { false }
    }

    private var isWriting: Bool {
        if case .results = wants { true } else { false }
    }

    /// The instant up to which events are folded, in milliseconds since 1970.
    private var instant: Int64 {
        if case .overview(let instant?) = wants { instant.milliseconds } else { .max }
    }

    func overviews() throws -> [OverviewRecord] {
        var overviews: [OverviewRecord] = []
        _ = try run(observe: { _ in }) { overviews += $0.overviews }
        return overviews.sorted { $0.learner.subject.lexicographicallyPrecedes($1.learner.subject) }
    }

    @Sendable
    private static func combine(_ fingerprints: [LearnerFingerprint]) -> String {
        var subjects = TextTable()
        for (subject, _) in fingerprints { _ = subject.withUnsafeBufferPointer { subjects.append($0) } }
        var hash = SHA256()
        // Hashes many learners at once, because starting a hash takes longer than hashing a few bytes.
        var bytes: [UInt8] = []
        for index in subjects.sorted(fingerprints.indices.map { UInt32($0 + 1) }) {
            let (subject, learner) = fingerprints[Int(index) - 1]
            withUnsafeBytes(of: UInt64(subject.count).littleEndian) { bytes += $0 }
            bytes += subject
            bytes += learner
            guard bytes.count >= 1 << 14 else { continue }
            hash.update(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        hash.update(bytes)
        return hash.finish().hexadecimal
    }
}
