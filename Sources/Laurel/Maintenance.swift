import LaurelEvents
import LaurelProgress
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
            let writer = ExportWriter(plan: plan)
            if let subject {
                guard let learner = try reader.learner(named: Array(subject.utf8)) else { return nil }
                try writer.write(learner, try reader.events(of: learner.id), body)
            } else {
                try reader.forEachLearner(ids: try reader.learnerIDs()) { learner, runs in
                    try writer.write(learner, runs, body)
                }
            }
            return writer.events
        }
    }

    /// Checks every block and that indexes and counts agree; returns what is wrong, in sentences.
    package func verify(observe: (Int, Int) -> Void = { _, _ in }) throws -> [String] {
        try store.read { reader in try reader.verify(observe).map(\.description) }
    }

    /// Removes all there is of a learner; no trace is left in the files.
    /// - Returns: whether there was anything.
    package func erase(subject: String) throws -> Bool {
        try store.write { try $0.erase(subject: Array(subject.utf8)) }
    }

    package func quarantineLines(after id: Int64, limit: Int) throws -> [QuarantinedLine] {
        try store.read { try $0.quarantined(after: id, limit: limit) }
    }

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

/// Writes events as CloudEvents JSON lines.
private final class ExportWriter {
    private let folder: LearnerFolder
    private var buffer: [UInt8] = []
    private(set) var events = 0

    init(plan: FoldPlan) { folder = LearnerFolder(plan: plan) }

    func write(
        _ learner: LearnerRecord,
        _ runs: [EventRun],
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        for span in folder.spans(runs) {
            for row in span.rows {
                span.bound.table.encode(row, subject: learner.subject, into: &buffer)
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
