import LaurelEvents
package import LaurelStore

/// Export, checks, erasure and quarantine.
extension ProgressEngine {
    /// Gives stored events back as NDJSON, learner by learner, each in their order.
    /// - Parameter subject: only this learner's; nil for everyone's.
    /// - Returns: how many events, or nil for an unknown learner.
    package func export(
        subject: String?,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws -> Int? {
        try store.read { reader in
            let writer = ExportWriter()
            if let subject {
                guard let learner = try reader.learner(named: Array(subject.utf8)) else { return nil }
                try writer.write(learner, try reader.events(of: learner.id), body)
            } else {
                try reader.forEachLearner(ids: try reader.learnerIDs()) { learner, runs in
                    try Cancellation.check()
                    try writer.write(learner, runs, body)
                }
            }
            return writer.events
        }
    }

    /// Gives back what is sound of a damaged store's events as NDJSON, in no order.
    /// - Parameter subject: only this learner's; nil for everyone's.
    package func salvage(
        subject: String?,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws -> Salvage {
        try store.read { reader in
            let writer = ExportWriter()
            let subject = subject.map { Array($0.utf8) }
            var salvage = try reader.salvage { learner, run in
                if subject == nil || subject == learner.subject { try writer.write(learner, [run], body) }
            }
            salvage.events = writer.events
            if let subject { salvage.losses.removeAll { $0.subject != nil && $0.subject != subject } }
            return salvage
        }
    }

    /// Checks every page and block, and that indexes and counts agree.
    /// - Returns: what is wrong, and what is not but should be known, in sentences.
    package func verify(
        observe: (Int, Int) -> Void = { _, _ in }
    ) throws -> (problems: [String], remarks: [String]) {
        try store.read { reader in
            (try reader.verify(observe).map(\.description), (try? reader.remarks()) ?? [])
        }
    }

    /// Removes all there is of a learner; no trace is left in the files.
    /// - Returns: whether there was anything.
    package func erase(subject: String) throws -> Bool {
        try store.write { try $0.erase(subject: Array(subject.utf8)) }
    }

    package func quarantineLines(after id: Int64, limit: Int) throws -> [QuarantinedLine] {
        try store.read { try $0.quarantined(after: id, limit: limit) }
    }

    /// How many lines are in quarantine of which nobody knows whom they name.
    package func quarantinedOfNobody() throws -> Int { try store.read { try $0.quarantinedOfNobody() } }

    package func quarantineCounts() throws -> [QuarantineCount] { try store.read { try $0.quarantineCounts() } }

    package func forEachPiece(
        ofQuarantined id: Int64,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        try store.read { try $0.forEachPiece(ofQuarantined: id, body) }
    }

    /// - Parameter ids: nil for all.
    /// - Returns: how many lines were dropped.
    package func dropQuarantined(ids: [Int64]?) throws -> Int {
        try store.write { transaction in
            let before = try transaction.statistics().quarantined
            if let ids { try transaction.dropQuarantined(ids: ids) } else { try transaction.dropAllQuarantined() }
            return before - (try transaction.statistics().quarantined)
        }
    }
}

/// Time zone data: other data make other days.
extension ProgressEngine {
    /// What to know where this machine's time zones are not those that the store's progress was computed with; nil where
    /// they are, or where that is not known.
    package func timeZoneRemark() throws -> String? { try store.read(timeZoneRemark) }

    func timeZoneRemark(_ reader: any StoreReader) throws -> String? {
        let here = TimeZoneDatabase.shared.version
        guard let stored = try reader.timeZones(), stored != here else { return nil }
        return "the store's progress was computed with time zones \(stored), and here are \(here): days may differ;"
            + " `laurel replay` computes it anew with those that are here"
    }
}

/// Writes events as CloudEvents JSON lines.
private final class ExportWriter {
    private var buffer: [UInt8] = []
    private(set) var events = 0

    func write(
        _ learner: LearnerRecord,
        _ runs: [EventRun],
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        for run in runs.inLearnerOrder {
            let table = run.table
            for row in run.rows {
                table.encode(row, subject: learner.subject, into: &buffer)
                buffer.append(UInt8(ascii: "\n"))
                events += 1
                if buffer.count >= 1 << 18 { try flush(body) }
            }
        }
        try flush(body)
    }

    private func flush(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try buffer.withUnsafeBufferPointer(body)
        buffer.removeAll(keepingCapacity: true)
    }
}
