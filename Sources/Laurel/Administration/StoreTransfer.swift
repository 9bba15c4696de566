// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelStore

/// The selection of service records to copy.
enum CopiedRecords: Equatable {
    case withoutSecrets
    /// Keys, signing keys and webhooks are also copied. The webhooks are turned off, because the source still sends
    /// messages.
    case withSecrets
    /// All records are copied, including waiting messages and recent erasures, for a restored store.
    case all(turningWebhooksOff: Bool)

    var turnsWebhooksOff: Bool { self != .all(turningWebhooksOff: false) }

    /// The prefixes of the names of records that are not copied.
    var excluded: [String] {
        switch self {
        case .withoutSecrets: CopiedRecords.withSecrets.excluded + ServiceRecordName.secrets
        case .withSecrets: ServiceRecordName.passing + [Outbox.prefix, ServiceRecordName.erasures]
        case .all: ServiceRecordName.passing
        }
    }
}

/// Copies one store into another, learner by learner. Events are matched by identity. So an interrupted copy can be
/// continued, and another pass copies the events that the source has stored meanwhile.
final class StoreTransfer {
    /// The approximate number of events in a transaction of the destination. Each transaction folds its learners
    /// once.
    var eventsAtOnce = 100_000
    /// The maximum number of learners in a transaction.
    private static let learnersAtOnce = 20_000
    /// The maximum number of passes before the last pass. During these passes, other processes may write to the source.
    static let mostPasses = 5
    /// The number of remaining learners at which the last pass begins. The last pass reads one state of the source, so
    /// it should be short.
    private static let fewLearners = 1000

    let source: ProgressEngine
    let destination: ProgressEngine
    /// True to delete the destination's learners and refused lines if the source does not have them.
    let mayErase: Bool
    let records: CopiedRecords
    let now: Date
    /// The destination's next commit numbers are larger than this number, and larger than the source's.
    var lastForeignCommit: Int64 = 0
    /// The instant of the copied state. It is taken just before the state is read.
    private(set) var stateTakenAt: Date
    /// The value of this copy's record ``markName``.
    let mark = String(UInt64.random(in: 0 ... .max), radix: 16)
    var report = CopyReport()
    var updater: LearnerUpdater
    /// The number of events of the learners copied in the current pass.
    private var total = 0
    private(set) var sourceEvents = 0
    var comparedEvents = 0

    init(
        from source: ProgressEngine,
        to destination: ProgressEngine,
        erasing: Bool = false,
        records: CopiedRecords = .withoutSecrets,
        now: Date
    ) {
        (self.source, self.destination, mayErase, self.records) = (source, destination, erasing, records)
        (self.now, stateTakenAt) = (now, now)
        updater = LearnerUpdater(store: destination.store, plan: destination.plan)
    }

    func run(_ observe: (CopyProgress) -> Void) throws -> CopyReport {
        try writeMark()
        do {
            try source.store.read { try checkMark($0) }
            try copyEverything(observe)
        } catch {
            // If this fails, the mark stays. The next copy overwrites it.
            try? removeMark()
            throw error
        }
        return report
    }

    private func copyEverything(_ observe: (CopyProgress) -> Void) throws {
        try source.store.read { try copyRules($0) }
        for pass in 1...Self.mostPasses {
            let wanted = try source.store.read { try shares($0) }
            if pass > 1, wanted.count <= Self.fewLearners { break }
            try copy(wanted, observe) { body in try source.store.read(body) }
        }
        // Rounded to whole milliseconds, as in JSON.
        stateTakenAt = Date(milliseconds: Date().milliseconds)
        try source.store.readTogether { state in
            try state.read { try copyRules($0) }
            try copy(try state.read { try shares($0) }, observe) { body in try state.read(body) }
            try copyDifferences(state, observe)
            try state.read { reader in
                try checkMark(reader)
                try copyAttachments(reader)
                try copyQuarantine(reader)
                try copyServiceRecords(reader)
            }
            try recomputeProgress()
            try state.read { try raiseCommitNumbers($0) }
            try compareProgress(state, observe)
        }
    }

    /// The learners with events that are missing in the destination, by ascending id.
    private func shares(_ reader: any StoreReader) throws -> [LearnerRecord] {
        try copyMerges(reader)
        var existing: [[UInt8]: Int] = [:]
        try destination.store.read { try $0.forEachLearner { existing[$0.subject] = $0.eventCount } }
        var shares: [LearnerRecord] = []
        var wrong: [[UInt8]] = []
        (total, sourceEvents) = (0, 0)
        try reader.forEachLearner { learner in
            var count = existing.removeValue(forKey: learner.subject)
            if let there = count, there > learner.eventCount {
                wrong.append(learner.subject)
                count = nil
            }
            sourceEvents += learner.eventCount
            guard count.map({ $0 < learner.eventCount }) ?? true else { return }
            shares.append(learner)
            total += learner.eventCount
        }
        try eraseInDestination(wrong + existing.keys)
        return shares.sorted { $0.id < $1.id }
    }

    // MARK: Events

    /// - Parameter read: calls its argument with a reader for one state of the source.
    func copy(
        _ learners: [LearnerRecord],
        _ observe: (CopyProgress) -> Void,
        _ read: ((any StoreReader) throws -> Void) throws -> Void
    ) throws {
        var done = 0
        var rest = learners[...]
        while let first = rest.first {
            try Cancellation.check()
            if first.eventCount > eventsAtOnce {
                rest.removeFirst()
                try read { try copyLong(first, $0) }
                done += first.eventCount
            } else {
                var events = 0
                let batch = rest.prefix(Self.learnersAtOnce).prefix { learner in
                    events += learner.eventCount
                    return events <= eventsAtOnce
                }
                rest = rest.dropFirst(batch.count)
                try read { try copy(Array(batch), $0) }
                done += batch.reduce(0) { $0 + $1.eventCount }
            }
            observe(CopyProgress(phase: .copying, events: done, eventsTotal: total))
        }
    }

    /// Copies a learner with many events in parts, so that only one transaction's events are in memory.
    private func copyLong(_ learner: LearnerRecord, _ reader: any StoreReader) throws {
        var staged = TransferredEvents()
        try reader.forEachStretch(of: learner.id, fields: .all) { runs in
            staged.add(runs, of: learner)
            if staged.count >= eventsAtOnce {
                try store(staged)
                staged = TransferredEvents()
            }
        }
        try store(staged)
    }

    private func copy(_ learners: [LearnerRecord], _ reader: any StoreReader) throws {
        var staged = TransferredEvents()
        // Learners without events are copied, too.
        for learner in learners { staged.add([], of: learner) }
        try reader.forEachLearner(of: learners.map(\.id), fields: .all) { staged.add($1, of: $0) }
        try store(staged)
    }

    private func store(_ staged: TransferredEvents) throws {
        guard !staged.isEmpty else { return }
        do {
            report.copiedEvents += try write(staged)
        } catch let contradiction as Contradiction {
            try eraseInDestination([contradiction.subject])
            try store(staged)
        }
    }

    /// Thrown if the destination has an event with the same identity but other content.
    private struct Contradiction: Error {
        var subject: [UInt8]
    }

    private func write(_ staged: TransferredEvents) throws -> Int {
        var stored = 0
        try destination.writeAll { transaction, plan in
            if plan !== updater.plan { updater = updater.following(plan) }
            let ids = try transaction.learnerIDs(for: staged.subjects)
            let result = try transaction.append(staged.table, groups: staged.groups(ids))
            if let row = result.outcomes.firstIndex(of: .conflict) {
                throw Contradiction(subject: Array(staged.table.texts[staged.table.subject[row]]))
            }
            let touched = staged.touched(result.stored)
            try updater.update(touched, in: transaction)
            stored = result.stored.reduce(0) { $0 + $1.rows.count }
        }
        updater.commit()
        return stored
    }
}
