// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

extension StoreReader {
    /// Visits every quarantined line by ascending id, without its bytes.
    func forEachQuarantined(_ body: (QuarantineRecord) throws -> Void) throws {
        var last = Int64.min
        while true {
            let lines = try quarantined(after: last, limit: 500)
            guard let end = lines.last else { return }
            last = end.id
            for line in lines { try body(line) }
        }
    }
}

/// Copies the parts of a store other than events: rules, service records, quarantine and commit numbers.
extension StoreTransfer {
    private static let linesAtOnce = 500
    private static let bytesAtOnce = 16 << 20

    // MARK: Rules

    /// Applies the source's rules to the destination, in the same order and with the same times.
    func copyRules(_ reader: any StoreReader) throws {
        let (history, inForce) = (try reader.rulesHistory(), try reader.rules())
        let (existing, existingInForce) = try destination.store.read { (try $0.rulesHistory(), try $0.rules()) }
        guard history.starts(with: existing) else {
            throw EngineError(
                .invalidRequest,
                "the destination has rules that the source has not: \(existing.map(\.name).joined(separator: ", "));"
                    + " copy into an empty store"
            )
        }
        guard history != existing || inForce != existingInForce else { return }
        try destination.store.writeAll { transaction in
            for record in history.dropFirst(existing.count) { try transaction.setRules(record) }
            let withdrawn = try transaction.rules().filter { !inForce.contains($0) }
            for day in withdrawn.compactMap(\.from) { try transaction.withdrawRules(from: day) }
            guard try transaction.rules() == inForce else {
                throw EngineError(.corrupt, "the source's history of rules does not lead to those that are in force")
            }
            // Version 0 marks the progress as computed under other rules. Such progress is not read, and the next
            // write recomputes it.
            if try transaction.statistics().learners > 0 { try transaction.setFoldVersion(0) }
        }
        report.copiedRules += history.count - existing.count
        try destination.adoptRules(inForce)
    }

    // MARK: The service

    /// Replaces the destination's service records by the selected records of the source. If both stores will be used,
    /// no waiting messages are copied, and the copied webhooks are turned off. So no webhook gets a message twice.
    func copyServiceRecords(_ reader: any StoreReader) throws {
        let all = try reader.serviceRecords(prefix: "")
        var wanted = all.filter { isCopied($0.key) }
        report.secretsLeft =
            records == .withoutSecrets
            ? all.keys.count { name in ServiceRecordName.secrets.contains { name.hasPrefix($0) } }
            : 0
        // An interrupted copy in the other direction may have left its mark in the source.
        wanted[Self.markName] = nil
        let existing = try destination.store.read { try $0.serviceRecords(prefix: "") }
        var changes: [String: String?] = [:]
        for (name, value) in wanted where !name.hasPrefix(ProgressEngine.webhooks) && existing[name] != value {
            changes[name] = value
        }
        for (name, value) in wanted where name.hasPrefix(ProgressEngine.webhooks) {
            report.webhooks += 1
            if !records.turnsWebhooksOff {
                changes[name] = value
            } else if existing[name] == nil {
                changes[name] = try disabled(value)
            }
        }
        for name in existing.keys where wanted[name] == nil && isCopied(name) && !isOwnHistory(name, wanted) {
            changes.updateValue(nil, forKey: name)
        }
        guard !changes.isEmpty else { return }
        try destination.store.writeAll { transaction in
            for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
                try transaction.setServiceRecord(name, value)
            }
        }
    }

    private func isCopied(_ name: String) -> Bool {
        !records.excluded.contains { name.hasPrefix($0) }
    }

    /// True if a record belongs to the destination's own history: its audit log and its erasures.
    private func isOwnHistory(_ name: String, _ wanted: [String: String]) -> Bool {
        if name.hasPrefix(AuditRecords.learners) {
            return wanted[AuditRecords.entries + (name.split(separator: "/").last ?? "")] == nil
        }
        return name.hasPrefix(AuditRecords.entries) || name.hasPrefix(ServiceRecordName.erasures)
    }

    private func disabled(_ record: String) throws -> String {
        var webhook = try LaurelJSON.decode(Webhook.self, from: Data(record.utf8))
        webhook.disabledAt = webhook.disabledAt ?? now
        return String(decoding: try LaurelJSON.encode(webhook), as: UTF8.self)
    }

    // MARK: Quarantine

    /// A quarantined line without its id, because ids differ between stores.
    private struct LineKey: Hashable {
        var reason: String
        var message: String
        var file: String?
        var line: Int?
        var receivedAt: Int64
        var texts: [[UInt8]?]
        var byteCount: Int

        init(_ record: QuarantineRecord) {
            (reason, message, file, line) = (record.reason, record.message, record.file, record.line)
            (receivedAt, byteCount) = (record.receivedAt, record.byteCount)
            texts = [record.eventID, record.source, record.subject]
        }
    }

    func copyQuarantine(_ reader: any StoreReader) throws {
        var existing: [LineKey: [Int64]] = [:]
        try destination.store.read { copy in
            try copy.forEachQuarantined { existing[LineKey($0), default: []].append($0.id) }
        }
        var waiting: [QuarantineRecord] = []
        var bytes = 0
        try reader.forEachQuarantined { line in
            if existing[LineKey(line)]?.popLast() != nil { return }
            waiting.append(line)
            bytes += line.byteCount
            if waiting.count >= Self.linesAtOnce || bytes >= Self.bytesAtOnce {
                try keep(waiting, from: reader)
                (waiting, bytes) = ([], 0)
            }
        }
        try keep(waiting, from: reader)
        let gone = existing.values.flatMap(\.self).sorted()
        guard mayErase, !gone.isEmpty else { return }
        try destination.store.writeAll { try $0.dropQuarantined(ids: gone) }
        report.droppedLines += gone.count
    }

    private func keep(_ lines: [QuarantineRecord], from reader: any StoreReader) throws {
        guard !lines.isEmpty else { return }
        var kept = 0
        try destination.store.writeAll { transaction in
            kept = 0
            for line in lines {
                var pieces: [[UInt8]] = []
                try reader.forEachPiece(ofQuarantined: line.id) { pieces.append(Array($0)) }
                var rest = pieces[...]
                if try transaction.quarantine(line, nextPiece: { rest.popFirst() }) != nil { kept += 1 }
            }
        }
        report.copiedLines += kept
        report.linesWithoutRoom += lines.count - kept
    }

    // MARK: Commits

    /// Makes the destination's next commit numbers larger than the source's. A commit number must identify one state.
    /// So the source's ETags and change positions must not be valid in the destination.
    func raiseCommitNumbers(_ reader: any StoreReader) throws {
        let last = max(lastForeignCommit, try reader.changes(since: [], limit: 0).commits.max() ?? 0)
        try destination.store.writeAll { try $0.numberCommits(above: last) }
    }
}
