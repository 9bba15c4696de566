// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelStore

// An app's store says what is, not what happened: a word that was deleted is just not there any more. So of each store the
// newest copy is remembered, with the ids of the events that it says, and what an older copy said and a newer one does not is
// retracted. Which of two copies is the newer stands in the copies, and a retraction has no place in time that matters. So the
// outcome is the same in whichever order copies come, and however often.
//
// Two stores may say the same event. Where one of them says it no longer, the other's word for it stands under an id of its
// own.

extension ProgressEngine {
    /// Compares a copy, whose events are stored, with the remembered ones.
    /// - Complexity: O(events of the learner), and for each remembered copy O(its rows).
    func settle(_ copy: StoreCopy, now: Int64) throws {
        // What has been compared is forgotten only when all that follows from it is stored; and of two copies that are read at the
        // same time, whichever is remembered last sees the other.
        let partition = store.partition(of: Array(copy.subject.utf8))
        try store.write(in: partition) { transaction in
            guard let learner = try transaction.learner(named: Array(copy.subject.utf8)) else { return }
            try transaction.remember(RememberedCopy(name: copy.name, data: copy.encoded), of: learner.id)
        }
        let others = try remembered(of: copy.subject).filter { $0.source == copy.source && $0 != copy }
        let older = others.filter { copy.follows($0) }
        let newer = others.filter { $0.follows(copy) }
        let gone = older.flatMap { copy.gone(from: $0) } + newer.flatMap { $0.gone(from: copy) }
        let corrections = try CopyCorrections(others + [copy], gone: gone, of: copy, store).events
        if !corrections.isEmpty { _ = try ingest(corrections, now: now) }
        let compared = (older + (newer.isEmpty ? [] : [copy])).map(\.name)
        guard !compared.isEmpty else { return }
        try store.write(in: partition) { transaction in
            guard let learner = try transaction.learner(named: Array(copy.subject.utf8)) else { return }
            try transaction.forgetCopies(named: compared, of: learner.id)
        }
    }

    private func remembered(of subject: String) throws -> [StoreCopy] {
        try store.read { reader in
            guard let learner = try reader.learner(named: Array(subject.utf8)) else { return [] }
            return try reader.copies(of: learner.id).compactMap { StoreCopy(encoded: $0.data, subject: subject) }
        }
    }
}

extension StoreCopy {
    /// Tells it from all that say anything else.
    fileprivate var name: String { encoded.digest }

    /// The id under which a row's word for an event stands, where another store's is retracted. It stands in the same place
    /// among ids, which say which of two versions is the later.
    fileprivate static func ownID(_ claim: Claim) -> String {
        var start = String(decoding: claim.id.utf8.prefix(96), as: UTF8.self)
        // A letter that was cut in two.
        while start.last == "\u{FFFD}" { start.removeLast() }
        return "\(start)~\(Array("\(claim.row)\n\(claim.id)".utf8).digest.prefix(24))"
    }
}

/// What follows from what copies say.
private struct CopyCorrections {
    private(set) var events: [Event] = []
    private let source: String
    /// The stored events that copies say, by id, and when others of their source were.
    private var stored: [String: Event] = [:]
    private var storedIDs: Set<String> = []

    init(_ copies: [StoreCopy], gone: [StoreCopy.Claim], of copy: StoreCopy, _ store: any EventStore) throws {
        source = copy.source
        let claims = copies.flatMap(\.claims)
        try store.read { try read(Set((claims + gone).map(\.id)), of: copy.subject, $0) }
        for claim in gone.sorted(by: { ($0.id, $0.row) < ($1.id, $1.row) }) {
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
    /// 32 hexadecimal digits.
    fileprivate var digest: String {
        var hash = SHA256()
        hash.update(self)
        return hash.finish().prefix(16).hexadecimal
    }
}
