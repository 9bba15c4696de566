// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

/// A digest of all events of a learner, independent of their order. Equal digests mean equal events.
struct EventDigest: Equatable, Sendable {
    private(set) var count = 0
    /// The sum of the events' hashes.
    private var sums: SIMD2<UInt64> = .zero

    /// - Parameter line: the event as an exported line.
    mutating func add(_ line: [UInt8]) {
        count += 1
        SHA256.hash(line).withUnsafeBytes { sums &+= $0.loadUnaligned(as: SIMD2<UInt64>.self) }
    }
}

/// Compares the destination with the source.
extension StoreTransfer {
    /// The number of learners that one thread compares at a time.
    private static let learnersCompared = 512

    // MARK: Events

    /// Copies again the learners whose events differ in the destination. It is not enough to compare counts: a learner
    /// may have been erased in the source, and have practised again since.
    func copyDifferences(_ state: any StoreState, _ observe: (CopyProgress) -> Void) throws {
        for _ in 1...Self.mostPasses {
            let differing = try differences(state, observe)
            guard !differing.isEmpty else { return }
            try copy(differing, observe) { body in try state.read(body) }
        }
        throw EngineError(
            .corrupt,
            "the destination's events do not become the source's; `laurel verify` tells which of the stores is damaged"
        )
    }

    /// The source's learners with events that the destination lacks. If the destination has events that the source does
    /// not have, the method first erases the learners of these events in the destination.
    private func differences(_ state: any StoreState, _ observe: (CopyProgress) -> Void) throws -> [LearnerRecord] {
        var found: [[UInt8]: EventDigest] = [:]
        try destination.store.readTogether { try forEachDigest($0, observe) { found[$0.subject] = $1 } }
        var differing: [LearnerRecord] = []
        var wrong: [[UInt8]] = []
        (report.learners, report.events) = (0, 0)
        try forEachDigest(state, observe) { learner, digest in
            report.learners += 1
            report.events += digest.count
            let there = found.removeValue(forKey: learner.subject)
            guard there != digest else { return }
            differing.append(learner)
            // A learner with fewer events is not erased, because only some events may be missing.
            if let there, there.count >= digest.count { wrong.append(learner.subject) }
        }
        try eraseInDestination(wrong + found.keys)
        return differing.sorted { $0.id < $1.id }
    }

    private func forEachDigest(
        _ state: any StoreState,
        _ observe: (CopyProgress) -> Void,
        _ body: (LearnerRecord, EventDigest) -> Void
    ) throws {
        var ids: [Int64] = []
        try state.read { try $0.forEachLearner { ids.append($0.id) } }
        var events = 0
        try ids.sorted().shares(of: Self.learnersCompared).mapInParallel { ids in
            try state.read { try Self.digests(ids, $0) }
        } receive: { share in
            try Cancellation.check()
            for (learner, digest) in share {
                body(learner, digest)
                events += digest.count
            }
            reportCompared(events, observe)
        }
        reportCompared(events, observe, isOver: true)
    }

    private static func digests(
        _ ids: [Int64],
        _ reader: any StoreReader
    ) throws -> [(learner: LearnerRecord, digest: EventDigest)] {
        var digests: [(learner: LearnerRecord, digest: EventDigest)] = []
        var line: [UInt8] = []
        func add(_ runs: [EventRun], _ learner: LearnerRecord, _ digest: inout EventDigest) {
            for run in runs {
                let table = run.table
                for row in run.rows {
                    line.removeAll(keepingCapacity: true)
                    table.encode(row, subject: learner.subject, into: &line)
                    digest.add(line)
                }
            }
        }
        try reader.forEachLearner(of: ids, fields: .all, upTo: LearnerFolder.eventsHeld) { learner, runs in
            var digest = EventDigest()
            add(runs, learner, &digest)
            if learner.eventCount > LearnerFolder.eventsHeld {
                try reader.forEachStretch(of: learner.id, fields: .all) { add($0, learner, &digest) }
            }
            digests.append((learner, digest))
        }
        return digests
    }

    // MARK: Progress

    /// Recomputes the destination's progress if it was computed under other rules than the copied ones.
    func recomputeProgress() throws {
        if try destination.store.read({ try destination.isOutdated($0) }) { try destination.writeAll { _, _ in } }
    }

    func compareProgress(_ state: any StoreState, _ observe: (CopyProgress) -> Void) throws {
        let plan = try state.read { try source.plan(for: $0) }
        let run = ReplayRun(state: state, plan: plan, wants: .fingerprint)
        report.fingerprint = try run.run(observe: { reportCompared($0.events, observe) }, receive: { _ in }).fingerprint
        reportCompared(report.events, observe, isOver: true)
        let copy = try destination.computeFingerprint { reportCompared($0.events, observe) }
        guard copy == report.fingerprint else {
            throw EngineError(
                .corrupt,
                "the copy's fingerprint is \(copy), the source's \(report.fingerprint), though their events are the same;"
                    + " `laurel replay --check` tells whose progress is wrong"
            )
        }
    }

    /// - Parameters:
    ///   - events: the number of events compared in the current pass.
    ///   - isOver: true if the pass is complete.
    private func reportCompared(_ events: Int, _ observe: (CopyProgress) -> Void, isOver: Bool = false) {
        // First the events of both stores are compared, then their progress.
        let done = comparedEvents + events
        observe(CopyProgress(phase: .comparing, events: done, eventsTotal: max(4 * sourceEvents, done)))
        if isOver { comparedEvents = done }
    }
}
