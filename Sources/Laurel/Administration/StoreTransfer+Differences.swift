// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelResults
import LaurelStore

/// Differences that prevent the destination from being a copy, other than missing events.
extension StoreTransfer {
    // MARK: The same store

    /// A record written to the destination during the copy. If the source also has the record, both are the same store,
    /// even if their paths differ.
    static let markName = "copy/mark"

    func writeMark() throws { try destination.store.writeAll { try $0.setServiceRecord(Self.markName, mark) } }

    func removeMark() throws { try destination.store.writeAll { try $0.setServiceRecord(Self.markName, nil) } }

    /// - Parameter reader: a reader of the source.
    func checkMark(_ reader: any StoreReader) throws {
        guard try reader.serviceRecord(Self.markName) != mark else {
            throw EngineError(.invalidRequest, "source and destination are the same store")
        }
    }

    // MARK: Learners

    private static let erasedAtOnce = 500

    /// Erases learners from the destination that the source does not have, or has with other events.
    func eraseInDestination(_ subjects: [[UInt8]]) throws {
        guard !subjects.isEmpty else { return }
        guard mayErase else { throw contradiction(subjects) }
        let sorted = subjects.sorted { $0.lexicographicallyPrecedes($1) }
        for start in stride(from: 0, to: sorted.count, by: Self.erasedAtOnce) {
            try Cancellation.check()
            let batch = sorted[start..<min(start + Self.erasedAtOnce, sorted.count)]
            try destination.store.writeAll { transaction in
                try transaction.endCredentials(of: batch.map { String(decoding: $0, as: UTF8.self) })
                for subject in batch {
                    try destination.forgetMessages(about: String(decoding: subject, as: UTF8.self), in: transaction)
                    try transaction.forgetAuditedLearner(subject)
                    try transaction.erase(subject: subject)
                }
            }
        }
        updater = LearnerUpdater(store: destination.store, plan: destination.plan)
        report.erasedLearners += subjects.count
    }

    func contradiction(_ subjects: [[UInt8]]) -> EngineError {
        let first = subjects.min { $0.lexicographicallyPrecedes($1) } ?? []
        let name = "“\(String(decoding: first, as: UTF8.self))”"
        let whose = subjects.count == 1 ? "learner \(name)" : "\(subjects.count) learners, such as \(name)"
        return EngineError(
            .invalidRequest,
            "the destination has events that the source has not, of \(whose); copy into an empty store, or, where they were"
                + " erased in the source since, erase them in the destination, too (laurel copy --erase)"
        )
    }

    // MARK: Remembered copies

    private static let learnersAtOnce = 500

    /// Replaces the destination's copies of apps' stores by the source's. Comparing events does not compare these
    /// copies, which are not part of events.
    func copyRememberedCopies(_ reader: any StoreReader) throws {
        let wanted = try digests(reader)
        let existing = try destination.store.read { try digests($0) }
        let changed = Set(wanted.keys).union(existing.keys).filter { wanted[$0] != existing[$0] }
            .sorted { $0.lexicographicallyPrecedes($1) }
        for start in stride(from: 0, to: changed.count, by: Self.learnersAtOnce) {
            let subjects = changed[start..<min(start + Self.learnersAtOnce, changed.count)]
            let copies = try subjects.map { subject in
                try reader.learner(named: subject).map { try reader.copies(of: $0.id) } ?? []
            }
            try destination.store.writeAll { transaction in
                for (subject, copies) in zip(subjects, copies) {
                    guard let learner = try transaction.learner(named: subject) else { continue }
                    var changes: [String: [UInt8]?] = [:]
                    for old in try transaction.copies(of: learner.id) { changes.updateValue(nil, forKey: old.name) }
                    for copy in copies { changes[copy.name] = copy.data }
                    try transaction.remember(changes, of: learner.id)
                }
            }
        }
    }

    /// For each learner with copies of apps' stores, a digest of these copies.
    private func digests(_ reader: any StoreReader) throws -> [[UInt8]: [UInt8]] {
        var hashes: [Int64: SHA256] = [:]
        try reader.forEachCopy(of: nil) { learner, copy in
            var hash = hashes.removeValue(forKey: learner) ?? SHA256()
            for part in [Array(copy.name.utf8), copy.data] {
                hash.update(Array("\(part.count) ".utf8))
                hash.update(part)
            }
            hashes[learner] = hash
        }
        var digests: [[UInt8]: [UInt8]] = [:]
        for (id, hash) in hashes {
            var hash = hash
            if let learner = try reader.learner(id) { digests[learner.subject] = hash.finish() }
        }
        return digests
    }
}
