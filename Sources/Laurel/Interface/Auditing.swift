// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelStore

/// The audit log: administrative actions in the store, with their actors.
extension ProgressEngine {
    /// Entries of the audit log, newest first.
    /// - Parameters:
    ///   - id: the last id of the previous page. Only entries before that entry are returned. nil for the first page.
    ///   - date: return only entries from this instant on; nil for all.
    ///   - limit: the maximum number of entries.
    /// - Complexity: O(entries returned).
    public func auditLog(
        before id: String? = nil,
        since date: Date? = nil,
        limit: Int = 100
    ) throws(EngineError) -> [AuditEntry] {
        try EngineError.translating {
            let records = try store.read { reader in
                try reader.serviceRecords(
                    prefix: AuditRecords.entries,
                    before: id.map { AuditRecords.entries + $0 },
                    limit: max(limit, 0),
                    side: .last
                )
            }
            let entries = records.sorted { $0.key > $1.key }.compactMap { AuditRecords.entry($0.value) }
            guard let date else { return entries }
            return Array(entries.prefix { $0.time >= date })
        }
    }

    /// Writes an audit entry about an action that does not write to the store.
    package func note(_ note: AuditNote) throws(EngineError) {
        try updateServiceRecords(prefixes: []) { _ in note.records() }
    }

    /// Deletes entries of the audit log.
    /// - Parameter date: entries before this instant are deleted.
    /// - Returns: the number of deleted entries.
    @discardableResult
    package func removeAuditEntries(before date: Date) throws(EngineError) -> Int {
        var removed = 0
        while true {
            var found = 0
            try EngineError.translating {
                let versions = try store.writeAll { transaction in
                    let records = try transaction.serviceRecords(
                        prefix: AuditRecords.entries,
                        before: AuditRecords.entries + Outbox.key(date),
                        limit: Self.removedTogether
                    )
                    found = records.count
                    for (name, text) in records.sorted(by: { $0.key < $1.key }) {
                        if let index = AuditRecords.entry(text).flatMap(AuditRecords.index) {
                            try transaction.setServiceRecord(index, nil)
                        }
                        try transaction.setServiceRecord(name, nil)
                    }
                    return transaction.versions
                }
                recent.commit(versions: versions)
            }
            removed += found
            if found < Self.removedTogether { return removed }
        }
    }

    private static let removedTogether = 1000
}
