// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelResults
import LaurelStore

/// Exports events.
extension ProgressEngine {
    /// Exports stored events as NDJSON. Learners come one after another, each with the events in the learner's order. At
    /// the end, a line for each merge follows.
    /// - Parameters:
    ///   - id: the only learner to export; nil for all.
    ///   - pseudonyms: the pseudonyms that replace ids and names; nil to export the events as they were sent.
    /// - Returns: the number of events; nil for an unknown learner.
    func exportEvents(
        of id: String?,
        _ pseudonyms: Pseudonyms?,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws -> Int? {
        try store.read { reader in
            let writer = ExportWriter(pseudonyms)
            if let id {
                guard let learner = try reader.learner(named: Array(id.utf8)) else { return nil }
                try writer.write(learner, try reader.events(of: learner.id), body)
                let names = try reader.names(of: learner.subject).dropFirst()
                try writer.write(try reader.merges(of: Array(names)).sorted(by: MergeRecord.isBefore), body)
            } else {
                for ids in try reader.learnerRanges() {
                    try reader.forEachLearner(ids: ids) { learner, runs in
                        try Cancellation.check()
                        try writer.write(learner, runs, body)
                    }
                }
                try reader.forEachMerge { try writer.write([$0], body) }
            }
            return writer.events
        }
    }

    /// Exports the undamaged events of a damaged store as NDJSON, in no particular order.
    /// - Parameter id: the only learner to export; nil for all.
    func salvageEvents(
        of id: String?,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws -> Salvage {
        try store.read { reader in
            let writer = ExportWriter(nil)
            let id = id.map { Array($0.utf8) }
            var salvage = try reader.salvage { learner, run in
                if id == nil || id == learner.subject { try writer.write(learner, [run], body) }
            }
            salvage.events = writer.events
            if let id { salvage.losses.removeAll { $0.subject != nil && $0.subject != id } }
            return salvage
        }
    }
}

/// Checks the time zone data. Other time zone data may give other local days.
extension ProgressEngine {
    /// A warning if this machine's time zones differ from those that the store's progress was computed with; nil if
    /// they are equal, or if the store has no record of them.
    func timeZoneRemark(_ reader: any StoreReader) throws -> String? {
        let here = TimeZoneDatabase.shared.version
        guard let stored = try reader.timeZones(), stored != here else { return nil }
        return "the store's progress was computed with time zones \(stored), and here are \(here): days may differ;"
            + " `laurel replay` computes it anew with those that are here"
    }
}

/// Writes events as CloudEvents JSON lines.
private final class ExportWriter {
    private let pseudonyms: Pseudonymiser?
    private var buffer: [UInt8] = []
    private(set) var events = 0

    init(_ pseudonyms: Pseudonyms?) { self.pseudonyms = pseudonyms.map(Pseudonymiser.init) }

    func write(
        _ learner: LearnerRecord,
        _ runs: [EventRun],
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        let runs = runs.inLearnerOrder
        pseudonyms?.begin(runs)
        for run in runs {
            let table = run.table
            for row in run.rows {
                guard append(table, row, of: learner) else { continue }
                buffer.append(UInt8(ascii: "\n"))
                events += 1
                if buffer.count >= 1 << 18 { try flush(body) }
            }
        }
        try flush(body)
    }

    /// Appends an event to the buffer.
    /// - Returns: false if the event is left out.
    private func append(_ table: EventTable, _ row: Int, of learner: LearnerRecord) -> Bool {
        guard let pseudonyms else {
            table.encode(row, subject: learner.subject, into: &buffer)
            return true
        }
        guard let event = pseudonyms.event(ExportedEvent(table, row, subject: learner.subject)) else { return false }
        event.write(to: &buffer)
        return true
    }

    func write(_ merges: [MergeRecord], _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        for merge in merges {
            var merge = LearnerMerge(merge)
            if let pseudonyms {
                (merge.merged, merge.into) = (pseudonyms.pseudonym(merge.merged), pseudonyms.pseudonym(merge.into))
            }
            buffer += try LaurelJSON.encode(merge)
            buffer.append(UInt8(ascii: "\n"))
        }
        try flush(body)
    }

    private func flush(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try buffer.withUnsafeBufferPointer(body)
        buffer.removeAll(keepingCapacity: true)
    }
}
