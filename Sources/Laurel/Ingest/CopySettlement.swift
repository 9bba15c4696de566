// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelStore

// An app's own store contains its current state, not its history. A deleted word is simply missing. So the newest
// copy of each store is kept, with the ids of the events that were read from it. Events of an older copy that are
// missing in the newer copy are retracted.
//
// The copies themselves show which of them is newer, and the time of a retraction does not matter. So neither the
// order of copies nor repetitions change the result.
//
// Two stores may report the same event. If one of the stores no longer reports the event, the event is retracted. Then
// the other store's report is stored again under a separate id.

extension ProgressEngine {
    /// Compares a copy with the stored copies. The copy's events must be stored already.
    /// - Complexity: O(events of the learner), plus O(rows) for each kept copy.
    func settle(_ copy: StoreCopy, now: Int64) throws {
        var copy = copy
        copy.subject = try currentID(of: copy.subject)
        // A compared copy is removed only after its retractions are stored. If two copies are read at the same time,
        // the copy stored last is compared with the other one.
        let partition = store.partition(of: Array(copy.subject.utf8))
        try store.write(in: partition) { transaction in
            guard let learner = try transaction.learner(named: Array(copy.subject.utf8)) else { return }
            try transaction.remember(RememberedCopy(name: copy.name, data: copy.encoded), of: learner.id)
        }
        let others = try keptCopies(of: copy.subject).filter { $0.source == copy.source && $0 != copy }
        let older = others.filter { copy.follows($0) }
        let newer = others.filter { $0.follows(copy) }
        let removed = older.flatMap { copy.removed(from: $0) } + newer.flatMap { $0.removed(from: copy) }
        let corrections = try CopyCorrections(others + [copy], removed: removed, of: copy, store).events
        if !corrections.isEmpty { _ = try ingest(corrections, now: now) }
        let compared = (older + (newer.isEmpty ? [] : [copy])).map(\.name)
        guard !compared.isEmpty else { return }
        try store.write(in: partition) { transaction in
            guard let learner = try transaction.learner(named: Array(copy.subject.utf8)) else { return }
            try transaction.forgetCopies(named: compared, of: learner.id)
        }
    }

    private func keptCopies(of subject: String) throws -> [StoreCopy] {
        try store.read { reader in
            guard let learner = try reader.learner(named: Array(subject.utf8)) else { return [] }
            return try reader.copies(of: learner.id).compactMap { StoreCopy(encoded: $0.data, subject: subject) }
        }
    }
}

extension StoreCopy {
    /// The name under which the copy is kept: a digest of its content.
    fileprivate var name: String { encoded.digest }

    /// The id under which a row's event is stored again after another store's retraction. The order of ids decides
    /// which of two versions is later. So the new id must have the same position in the order as the old id.
    fileprivate static func ownID(_ claim: Claim) -> String {
        var start = String(decoding: claim.id.utf8.prefix(96), as: UTF8.self)
        // Removes an incomplete character at the end.
        while start.last == "\u{FFFD}" { start.removeLast() }
        return "\(start)~\(Array("\(claim.row)\n\(claim.id)".utf8).digest.prefix(24))"
    }
}

/// The retractions and repeated events that follow from copies.
private struct CopyCorrections {
    private(set) var events: [Event] = []
    private let source: String
    /// The stored events that the copies contain, by id. `storedIDs` has the ids of all stored events of the source.
    private var stored: [String: Event] = [:]
    private var storedIDs: Set<String> = []

    init(_ copies: [StoreCopy], removed: [StoreCopy.Claim], of copy: StoreCopy, _ store: any EventStore) throws {
        source = copy.source
        let claims = copies.flatMap(\.claims)
        try store.read { try read(Set((claims + removed).map(\.id)), of: copy.subject, $0) }
        for claim in removed.sorted(by: { ($0.id, $0.row) < ($1.id, $1.row) }) {
            guard let event = stored[claim.id] else { continue }
            retract(event)
            var own = event
            own.id = StoreCopy.ownID(claim)
            retract(own)
        }
        for claim in claims {
            guard var event = stored[claim.id], storedIDs.contains(retractionID(event.id)) else { continue }
            event.id = StoreCopy.ownID(claim)
            if !storedIDs.contains(retractionID(event.id)) { add(event) }
        }
    }

    private mutating func read(_ ids: Set<String>, of subject: String, _ reader: any StoreReader) throws {
        guard let learner = try reader.learner(named: Array(subject.utf8)) else { return }
        try reader.forEachStretch(of: learner.id, fields: .all) { runs in
            for run in runs {
                let table = run.table
                for row in run.rows where table.texts[table.source[row]].elementsEqual(source.utf8) {
                    let id = String(decoding: table.identifier(row), as: UTF8.self)
                    storedIDs.insert(id)
                    if ids.contains(id) { stored[id] = table.event(at: row) }
                }
            }
        }
    }

    private func retractionID(_ id: String) -> String { "gone-\(Array(id.utf8).digest)" }

    private mutating func retract(_ event: Event) {
        add(
            Event(
                id: retractionID(event.id),
                source: source,
                type: "event.retracted",
                subject: event.subject,
                time: event.time,
                timezone: event.timezone,
                data: ["source": .string(source), "id": .string(event.id)]
            )
        )
    }

    private mutating func add(_ event: Event) {
        if storedIDs.insert(event.id).inserted { events.append(event) }
    }
}

extension [UInt8] {
    /// The digest as 32 hexadecimal digits.
    fileprivate var digest: String {
        var hash = SHA256()
        hash.update(self)
        return hash.finish().prefix(16).hexadecimal
    }
}
