// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

/// The erasures that happened after a backup was taken. They are read from the stores that were used since.
///
/// A store keeps a hash of each erased learner's id for some weeks. The store also notes the erasure in its audit
/// log, without the learner. The hashes are compared with the ids in the backup. So the clocks of the machines need
/// not agree.
struct ErasureHistory {
    private let knownMarks: [String: String]
    private let knownEntries: Set<String>
    /// The records of erasures by their names: see ``ServiceRecordName/erasures``.
    private var marks: [String: String] = [:]
    /// The audit log's entries about erasures, by their names.
    private var entries: [String: String] = [:]

    /// The maximum difference in milliseconds between an erasure's record and its audit entry. Both are written in one
    /// transaction.
    private static let tolerance: Int64 = 2000

    /// - Parameter backup: the backup to restore.
    init(_ backup: ProgressEngine) throws {
        (knownMarks, knownEntries) = try backup.store.read { reader in
            (
                try reader.serviceRecords(prefix: ServiceRecordName.erasures),
                Set(try reader.serviceRecords(prefix: AuditRecords.entries).keys)
            )
        }
    }

    mutating func add(_ former: ProgressEngine) throws { try add(former.store) }

    /// Adds the erasures recorded in a store.
    mutating func add(_ store: any EventStore) throws {
        try store.read { reader in
            for (name, time) in try reader.serviceRecords(prefix: ServiceRecordName.erasures)
            where knownMarks[name] != time {
                marks[name] = max(marks[name] ?? time, time)
            }
            let erased = AuditEntry.Action.learnerErased.rawValue
            for (name, text) in try reader.serviceRecords(prefix: AuditRecords.entries)
            where !knownEntries.contains(name) && AuditRecords.entry(text)?.action == erased {
                entries[name] = text
            }
        }
    }

    /// The instants of erasures without a recorded hash, ascending.
    var unknown: [Date] {
        let times = marks.values.compactMap { Int64($0) }.sorted()
        return entries.values.compactMap { AuditRecords.entry($0)?.time }.sorted().filter { time in
            !times.contains { abs($0 - time.milliseconds) <= Self.tolerance }
        }
    }

    /// Erases again the learners whose erasure is recorded, and stores the records of the erasures.
    /// - Returns: the ids of those learners, ascending.
    func repeatErasures(in engine: ProgressEngine) throws -> [String] {
        guard !marks.isEmpty || !entries.isEmpty else { return [] }
        var erased: [String] = []
        for subject in try subjects(of: engine) where marks[ServiceRecordName.erasure(of: subject)] != nil {
            try Cancellation.check()
            let learner = String(decoding: subject, as: UTF8.self)
            // The former store's entry is copied into the audit log, so this erasure writes no entry.
            if try engine.erase(learner: learner) { erased.append(learner) }
        }
        // The learners erased just now have newer records.
        let others = marks.filter { name, _ in !erased.contains { ServiceRecordName.erasure(of: $0) == name } }
        try engine.setServiceRecords(others.merging(entries) { mark, _ in mark })
        return erased.sorted()
    }

    /// The ids of all learners, including those named only in refused lines.
    private func subjects(of engine: ProgressEngine) throws -> Set<[UInt8]> {
        var subjects: Set<[UInt8]> = []
        try engine.store.read { reader in
            try reader.forEachLearner { subjects.insert($0.subject) }
            try reader.forEachQuarantined { if let subject = $0.subject { subjects.insert(subject) } }
        }
        return subjects
    }
}
