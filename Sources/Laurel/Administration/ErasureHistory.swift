// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

/// Erasures that a backup does not know of, from the records of the stores that were used since.
///
/// A store keeps a hash of each erased learner's id for some weeks, and notes the erasure in its audit log without the
/// learner. Hashes are compared with the ids in the backup, so the clocks of machines do not matter.
struct ErasureHistory {
    private let knownMarks: [String: String]
    private let knownEntries: Set<String>
    /// Records of erasures by name: see ``ServiceRecordName/erasures``.
    private var marks: [String: String] = [:]
    /// Entries of audit logs by name.
    private var entries: [String: String] = [:]

    /// An entry of the log and the record of the same erasure are written in one transaction.
    private static let tolerance: Int64 = 2000

    /// - Parameter backup: the backup that is restored.
    init(_ backup: ProgressEngine) throws {
        (knownMarks, knownEntries) = try backup.store.read { reader in
            (
                try reader.serviceRecords(prefix: ServiceRecordName.erasures),
                Set(try reader.serviceRecords(prefix: AuditRecords.entries).keys)
            )
        }
    }

    mutating func add(_ former: ProgressEngine) throws { try add(former.store) }

    /// Adds the erasures that a store has noted.
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

    /// The instants of erasures whose learner's hash was not kept, ascending.
    var unknown: [Date] {
        let times = marks.values.compactMap { Int64($0) }.sorted()
        return entries.values.compactMap { AuditRecords.entry($0)?.time }.sorted().filter { time in
            !times.contains { abs($0 - time.milliseconds) <= Self.tolerance }
        }
    }

    /// Erases the learners again whom the store has, and takes over the records of the erasures.
    /// - Returns: the ids of those learners, ascending.
    func repeatErasures(in engine: ProgressEngine) throws -> [String] {
        guard !marks.isEmpty || !entries.isEmpty else { return [] }
        var erased: [String] = []
        for subject in try subjects(of: engine) where marks[ServiceRecordName.erasure(of: subject)] != nil {
            try Cancellation.check()
            let learner = String(decoding: subject, as: UTF8.self)
            // The audit log gets the entry of the former store.
            if try engine.erase(learner: learner) { erased.append(learner) }
        }
        // Those who were just erased have a later record.
        let others = marks.filter { name, _ in !erased.contains { ServiceRecordName.erasure(of: $0) == name } }
        try engine.setServiceRecords(others.merging(entries) { mark, _ in mark })
        return erased.sorted()
    }

    /// The ids of all learners, and those in refused lines.
    private func subjects(of engine: ProgressEngine) throws -> Set<[UInt8]> {
        var subjects: Set<[UInt8]> = []
        try engine.store.read { reader in
            try reader.forEachLearner { subjects.insert($0.subject) }
            try reader.forEachQuarantined { if let subject = $0.subject { subjects.insert(subject) } }
        }
        return subjects
    }
}
