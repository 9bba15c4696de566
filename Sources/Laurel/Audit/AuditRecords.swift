// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore
import Synchronization

/// Audit entries as service records. An entry is stored under
///
///     audit/TIME-NUMBER
///
/// with the instant in milliseconds, in a fixed number of digits. Each entry that names a learner has a second record,
/// `audited/LEARNER/TIME-NUMBER`, with the SHA-256 of the id. With it, an erasure finds a learner's entries without
/// reading the whole log. The id is hashed because PostgreSQL limits the length of names.
enum AuditRecords {
    static let entries = "audit/"
    static let learners = "audited/"

    /// The last id. The next id must be greater, even within the same millisecond.
    private static let last = Mutex<(milliseconds: Int64, number: Int)>((0, 0))

    static func newID(at milliseconds: Int64) -> String {
        let number = last.withLock { last in
            last = last.milliseconds == milliseconds ? (milliseconds, last.number + 1) : (milliseconds, 0)
            return last.number
        }
        var generator = SystemRandomNumberGenerator()
        let node = UInt32.random(in: .min ... .max, using: &generator)
        return
            "\(Outbox.key(Date(milliseconds: milliseconds)))-\(padded(String(number), 6))\(padded(String(node, radix: 16), 8))"
    }

    private static func padded(_ text: String, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - text.count)) + text
    }

    static func index(_ learner: [UInt8]) -> String { "\(learners)\(SHA256.hash(learner).hexadecimal)/" }
    static func index(_ entry: AuditEntry) -> String? {
        entry.learner.map { index(Array($0.utf8)) + entry.id }
    }

    static func text(_ entry: AuditEntry) -> String {
        // Encoding an entry never fails.
        String(decoding: (try? LaurelJSON.encode(entry)) ?? Data(), as: UTF8.self)
    }

    static func entry(_ text: String) -> AuditEntry? {
        try? LaurelJSON.decode(AuditEntry.self, from: Data(text.utf8))
    }
}

/// An action to be noted in the audit log, in the transaction that performs it.
package struct AuditNote: Sendable {
    package var actor: AuditActor
    package var action: AuditEntry.Action
    package var target: String?
    package var learner: String?
    package var details: [String: String]

    package init(
        _ action: AuditEntry.Action,
        by actor: AuditActor,
        target: String? = nil,
        learner: String? = nil,
        details: [String: String?] = [:]
    ) {
        (self.action, self.actor, self.target, self.learner) = (action, actor, target, learner)
        self.details = details.compactMapValues(\.self)
    }

    /// The records of a new entry.
    package func records(at milliseconds: Int64 = Date().milliseconds) -> [String: String] {
        let entry = AuditEntry(
            id: AuditRecords.newID(at: milliseconds),
            time: Date(milliseconds: milliseconds),
            actor: actor,
            action: action.rawValue,
            target: target,
            learner: learner,
            details: details
        )
        var records = [AuditRecords.entries + entry.id: AuditRecords.text(entry)]
        if let index = AuditRecords.index(entry) { records[index] = "" }
        return records
    }
}

extension StoreTransaction {
    func write(_ note: AuditNote?) throws {
        guard let note else { return }
        for (name, value) in note.records().sorted(by: { $0.key < $1.key }) {
            try setServiceRecord(name, value)
        }
    }

    /// Removes a learner's id from the entries of the audit log.
    func forgetAuditedLearner(_ learner: [UInt8]) throws {
        let index = AuditRecords.index(learner)
        for name in try serviceRecords(prefix: index).keys.sorted() {
            let entryName = AuditRecords.entries + name.dropFirst(index.count)
            if var entry = try serviceRecord(entryName).flatMap(AuditRecords.entry) {
                entry.learner = nil
                if entry.action == AuditEntry.Action.learnerMerged.rawValue { entry.target = nil }
                try setServiceRecord(entryName, AuditRecords.text(entry))
            }
            try setServiceRecord(name, nil)
        }
    }
}
