// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LaurelResults
import LaurelStore

/// Rebuilds progress, and compares it with the events.
extension ProgressEngine {
    /// Rebuilds all progress from the events.
    /// - Parameter observe: called now and then with the progress so far, on the calling thread.
    /// - Complexity: O(events), on all cores.
    @discardableResult
    public func replay(
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws(EngineError) -> ReplayReport {
        try EngineError.translating { try rebuild(observe: observe) }
    }

    /// Folds all events into memory and compares the result with the stored progress; writes nothing.
    public func check(observe: (ReplayProgress) -> Void = { _ in }) throws(EngineError) -> ReplayReport {
        try EngineError.translating { try compare(observe: observe) }
    }

    /// A hexadecimal hash over all progress. Equal events and rules give an equal hash. If the stored progress is
    /// valid, the hash is computed from it; otherwise the events are folded.
    public func fingerprint(observe: (ReplayProgress) -> Void = { _ in }) throws(EngineError) -> String {
        try EngineError.translating { try computeFingerprint(observe: observe) }
    }

    /// A warning if this machine's time zones differ from those that the store's progress was computed with; nil if
    /// they are equal, or if the store has no record of them.
    public func timeZoneRemark() throws(EngineError) -> String? {
        try EngineError.translating { try store.read(timeZoneRemark) }
    }

    /// The numbers of learners, events and bytes in the store.
    public func size() throws(EngineError) -> StoreSize {
        try EngineError.translating {
            let statistics = try statistics()
            return StoreSize(
                learners: statistics.learners,
                events: statistics.events,
                tailEvents: statistics.tailEvents,
                blocks: statistics.blocks,
                quarantined: statistics.quarantined,
                bytes: statistics.fileBytes
            )
        }
    }
}

/// Exports, verifies and erases.
extension ProgressEngine {
    /// Exports stored events as NDJSON. Learners come one after another, each with the events in the learner's order. At
    /// the end, a line for each ``LearnerMerge`` follows. An ingest of the export merges these learners again.
    /// - Parameters:
    ///   - learner: the only learner to export; nil for all.
    ///   - pseudonyms: the pseudonyms that replace ids and names; nil to export the events as they were sent.
    ///   - body: called with many whole lines at a time. The bytes are valid until it returns.
    /// - Returns: the number of events; nil for an unknown learner.
    /// - Throws: ``EngineError``, and the error of `body`.
    public func export(
        learner: String? = nil,
        pseudonyms: Pseudonyms? = nil,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int? {
        try EngineError.passing { try exportEvents(of: learner, pseudonyms) { try body(UnsafeRawBufferPointer($0)) } }
    }

    /// Exports the undamaged events of a damaged store as NDJSON, in no particular order.
    /// - Parameters:
    ///   - learner: the only learner to export; nil for all.
    ///   - body: called with each piece, on the calling thread.
    /// - Throws: ``EngineError``, and the error of `body`.
    public func salvage(
        learner: String? = nil,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> SalvageReport {
        try EngineError.passing {
            let salvage = try salvageEvents(of: learner) { try body(UnsafeRawBufferPointer($0)) }
            return SalvageReport(events: salvage.events, losses: salvage.losses.map(SalvageReport.Loss.init))
        }
    }

    /// Verifies every page and block, the indexes, and the counts.
    /// - Parameter observe: called now and then with the number of verified blocks and of all blocks.
    public func verify(observe: (Int, Int) -> Void = { _, _ in }) throws(EngineError) -> VerificationReport {
        try EngineError.translating {
            let found = try store.read { try $0.examine(observe) }
            let problems = found.problems.map(\.description)
            var report = VerificationReport(problems: problems, remarks: found.remarks)
            // In a damaged store the numbers may be unreadable.
            if let size = problems.isEmpty ? try statistics() : try? statistics() {
                (report.learners, report.events, report.blocks) = (size.learners, size.events, size.blocks)
            }
            return report
        }
    }

    /// Deletes all data of a learner, and the ids that were merged into the learner. No trace is left in the files.
    /// - Parameters:
    ///   - learner: the learner's id.
    ///   - actor: the actor for the audit log, which does not contain the learner's id; nil for no entry.
    /// - Returns: true if there was any data.
    public func erase(learner: String, by actor: AuditActor? = nil) throws(EngineError) -> Bool {
        try EngineError.translating {
            try writeAllNames(of: Array(learner.utf8)) { transaction, names in
                try transaction.endCredentials(of: names.map { String(decoding: $0, as: UTF8.self) })
                var hadAny = false
                for name in names {
                    try forgetMessages(about: String(decoding: name, as: UTF8.self), in: transaction)
                    try transaction.forgetAuditedLearner(name)
                    if try transaction.erase(subject: name) { hadAny = true }
                }
                if hadAny { try transaction.write(actor.map { AuditNote(.learnerErased, by: $0) }) }
                return hadAny
            }
        }
    }

    /// Runs `body` in a transaction that holds the partitions of all ids that mean the same learner.
    private func writeAllNames<T>(
        of learner: [UInt8],
        _ body: (any StoreTransaction, _ names: [[UInt8]]) throws -> T
    ) throws -> T {
        while true {
            let names = try store.read { try $0.names(of: learner) }
            let result: T? = try store.write(in: Set(names.map(store.partition)).sorted()) { transaction in
                // Another process may have merged a learner meanwhile. Then other partitions are needed.
                guard try transaction.names(of: learner) == names else { return nil }
                return try body(transaction, names)
            }
            if let result { return result }
        }
    }
}

/// Quarantine: lines that were refused, or that contradict a stored event.
extension ProgressEngine {
    /// Quarantined lines in the order of arrival.
    /// - Parameters:
    ///   - id: returns only lines after the line with this id; by default all.
    ///   - limit: the maximum number of lines.
    public func quarantinedLines(after id: Int = .min, limit: Int = 1000) throws(EngineError) -> [QuarantinedLine] {
        try EngineError.translating {
            try store.read { try $0.quarantined(after: Int64(id), limit: limit) }.map(QuarantinedLine.init)
        }
    }

    /// The number of lines, by reason.
    public func quarantineCounts() throws(EngineError) -> [QuarantineCount] {
        try EngineError.translating {
            try store.read { try $0.quarantineCounts() }.map { QuarantineCount(reason: $0.reason, lines: $0.lines) }
        }
    }

    /// The number of lines in which no learner can be read.
    public func unreadableQuarantinedLines() throws(EngineError) -> Int {
        try EngineError.translating { try store.read { try $0.quarantinedWithoutSubject() } }
    }

    /// Calls `body` with a line as it was received, in several pieces if the line is long.
    /// - Throws: ``EngineError``, and the error of `body`.
    public func quarantinedLine(_ id: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try EngineError.passing {
            try store.read { try $0.forEachPiece(ofQuarantined: Int64(id)) { try body(UnsafeRawBufferPointer($0)) } }
        }
    }

    /// Deletes lines permanently.
    /// - Parameters:
    ///   - ids: the ids of the lines; nil for all.
    ///   - actor: the actor for the audit log; nil for no entry.
    /// - Returns: the number of deleted lines.
    public func dropQuarantined(_ ids: [Int]?, by actor: AuditActor? = nil) throws(EngineError) -> Int {
        try EngineError.translating {
            try store.writeAll { transaction in
                let before = try transaction.statistics().quarantined
                try transaction.dropQuarantined(ids: ids?.map(Int64.init))
                let dropped = before - (try transaction.statistics().quarantined)
                if let actor, dropped > 0 {
                    try transaction.write(
                        AuditNote(.quarantineDropped, by: actor, details: ["lines": "\(dropped)"])
                    )
                }
                return dropped
            }
        }
    }
}

extension SalvageReport.Loss {
    fileprivate init(_ loss: Salvage.Loss) {
        self.init(
            learner: loss.subject.map { String(decoding: $0, as: UTF8.self) },
            counted: loss.counted,
            found: loss.found,
            description: loss.description
        )
    }
}

extension QuarantinedLine {
    fileprivate init(_ record: QuarantineRecord) {
        self.init(
            id: Int(record.id),
            reason: record.reason,
            message: record.message,
            receivedAt: Date(milliseconds: record.receivedAt),
            bytes: record.byteCount
        )
        (file, line) = (record.file, record.line)
        eventId = record.eventID.map { String(decoding: $0, as: UTF8.self) }
        source = record.source.map { String(decoding: $0, as: UTF8.self) }
        learner = record.subject.map { String(decoding: $0, as: UTF8.self) }
    }
}
