// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelResults
import LaurelStore

/// Differences between the stores other than missing events.
extension StoreTransfer {
    // MARK: The same store

    /// The name of a record that is written to the destination during the copy. If the source then has the record, too,
    /// source and destination are the same store, even if their paths differ.
    static let markName = "copy/mark"

    func writeMark() throws { try destination.store.writeAll { try $0.setServiceRecord(Self.markName, mark) } }

    func removeMark() throws { try destination.store.writeAll { try $0.setServiceRecord(Self.markName, nil) } }

    /// Checks that the source is not the destination under another path.
    /// - Parameter reader: a reader of the source.
    func checkMark(_ reader: any StoreReader) throws {
        guard try reader.serviceRecord(Self.markName) != mark else {
            throw EngineError(.invalidRequest, "source and destination are the same store")
        }
    }

    // MARK: Learners

    private static let erasedAtOnce = 500

    /// Erases learners in the destination. The source does not have these learners, or it has other events of them.
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

    // MARK: Attachments

    private static let learnersAtOnce = 500

    /// Data of a learner that is not in events: copies of apps' stores, and notes. Comparing events does not compare
    /// this data.
    private struct Attachments {
        var copies: [RememberedCopy] = []
        var notes: [NoteRecord] = []

        init() {}

        init(of learner: Int64, _ reader: any StoreReader) throws {
            (copies, notes) = (try reader.copies(of: learner), try reader.notes(of: learner))
        }
    }

    /// Makes the destination's notes, and its copies of apps' stores, equal to those of the source.
    func copyAttachments(_ reader: any StoreReader) throws {
        let wanted = try digests(reader)
        let existing = try destination.store.read { try digests($0) }
        let changed = Set(wanted.keys).union(existing.keys).filter { wanted[$0] != existing[$0] }
            .sorted { $0.lexicographicallyPrecedes($1) }
        for start in stride(from: 0, to: changed.count, by: Self.learnersAtOnce) {
            let subjects = changed[start..<min(start + Self.learnersAtOnce, changed.count)]
            let attachments = try subjects.map { subject in
                try reader.learner(named: subject).map { try Attachments(of: $0.id, reader) } ?? Attachments()
            }
            try destination.store.writeAll { transaction in
                for (subject, new) in zip(subjects, attachments) {
                    guard let learner = try transaction.learner(named: subject) else { continue }
                    let old = try Attachments(of: learner.id, transaction)
                    var changes: [String: [UInt8]?] = [:]
                    for copy in old.copies { changes.updateValue(nil, forKey: copy.name) }
                    for copy in new.copies { changes[copy.name] = copy.data }
                    try transaction.remember(changes, of: learner.id)
                    try transaction.deleteNotes(old.notes.map(\.id), of: learner.id)
                    try transaction.write(new.notes, of: learner.id)
                }
            }
        }
    }

    /// For each learner with attachments, a digest of the attachments.
    private func digests(_ reader: any StoreReader) throws -> [[UInt8]: [UInt8]] {
        var hashes: [Int64: SHA256] = [:]
        func add(_ parts: [[UInt8]], to learner: Int64) {
            var hash = hashes.removeValue(forKey: learner) ?? SHA256()
            for part in parts {
                hash.update(Array("\(part.count) ".utf8))
                hash.update(part)
            }
            hashes[learner] = hash
        }
        try reader.forEachCopy(of: nil) { add([Array($1.name.utf8), $1.data], to: $0) }
        try reader.forEachNote(of: nil) { learner, note in
            add(["note", note.id, "\(note.milliseconds)", note.author, note.text].map { Array($0.utf8) }, to: learner)
        }
        var digests: [[UInt8]: [UInt8]] = [:]
        for (id, hash) in hashes {
            var hash = hash
            if let learner = try reader.learner(id) { digests[learner.subject] = hash.finish() }
        }
        return digests
    }
}
