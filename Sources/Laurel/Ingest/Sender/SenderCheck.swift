// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Finds the events of a transaction that their senders may not send.
///
/// The outcome for an event does not depend on other events in the transaction, except for retractions. A retraction
/// is checked against stored events and earlier events of the transaction.
struct SenderCheck {
    /// The refusals by row.
    private(set) var refusals: [Int: Refusal] = [:]
    private let table: EventTable
    private let administered: AdministeredEvents
    private let retraction: UInt32?
    private var retractions: [(row: Int, types: Set<String>)] = []

    /// The prefix of sources that are reserved for Laurel and administrators.
    static let reservedSource = "laurel/"
    static func isReserved(_ source: ArraySlice<UInt8>) -> Bool { source.starts(with: reservedSource.utf8) }

    /// - Parameter administered: the administrator's events of the table.
    init(_ table: EventTable, _ administered: AdministeredEvents) {
        (self.table, self.administered) = (table, administered)
        retraction = table.types(named: [EventKind.eventRetracted.rawValue]).first
    }

    /// Checks events as far as possible without the store.
    /// - Parameters:
    ///   - rows: the rows of one sender, after all rows checked so far.
    ///   - types: the administrator's types that the sender may send.
    mutating func check(_ rows: Range<Int>, types: Set<String>) {
        var (source, isReserved): (UInt32, Bool) = (0, false)
        for row in rows {
            if table.source[row] != source {
                source = table.source[row]
                isReserved = Self.isReserved(table.texts[source])
            }
            if isReserved {
                refuse(
                    row,
                    .forbiddenSource,
                    "source begins with \(Self.reservedSource), which only administrators may send"
                )
            } else if administered.mayHaveAny, let reason = administered.reason(table, row), !types.contains(type(row))
            {
                let what = if case .field(let name) = reason { "data.\(name) of \(type(row))" } else { type(row) }
                refuse(
                    row,
                    .forbiddenType,
                    "\(what) is for administrators: send it with a key of scope decree or admin"
                )
            } else if table.type[row] == retraction {
                retractions.append((row, types))
            }
        }
    }

    /// Checks the retractions.
    /// - Parameter rows: the rows that the transaction would store.
    /// - Complexity: O(events of the learners with retractions).
    mutating func checkRetractions(among rows: [Range<Int>], in reader: any StoreReader) throws {
        guard !retractions.isEmpty else { return }
        let targets = retractions.map { retraction in
            let subject = Array(table.texts[table.subject[retraction.row]])
            return EventIdentity(retractedBy: retraction.row, of: table, subject: subject)
        }
        var sought = SoughtEvents(targets + retractions.map { identity(of: $0.row) }, fields: administered.fields)
        let earlier = sought.rows(of: table, among: rows.joined())
        try sought.find(in: reader)
        for ((row, types), target) in zip(retractions, targets) {
            func standing(_ identity: EventIdentity) -> SoughtEvents.Standing? {
                let before = earlier[identity]?.first { $0 < row && refusals[$0] == nil }
                return sought.stored[identity] ?? before.map { SoughtEvents.Standing(table, $0, administered) }
            }
            // If an event with the retraction's own identity is stored, the retraction is a duplicate or a conflict.
            // Later events do not change that.
            if standing(identity(of: row)) != nil { continue }
            if let problem = problem(target, standing(target), types, source: table.texts[table.source[row]]) {
                refuse(row, .forbiddenRetraction, problem)
            }
        }
    }

    /// - Parameter standing: data about the event to be retracted; nil if it is not stored.
    private func problem(
        _ target: EventIdentity,
        _ standing: SoughtEvents.Standing?,
        _ types: Set<String>,
        source: ArraySlice<UInt8>
    ) -> String? {
        let event = "the event with id \(shown(target.id)) of source \(shown(target.source))"
        guard let standing else {
            let isOwn = target.source.elementsEqual(source)
            return isOwn ? nil : "\(event) is not stored; until then it can be retracted from its own source only"
        }
        guard standing.isAdministered, !types.contains(standing.type) else { return nil }
        return "\(event) is \(standing.type), which only administrators may retract"
    }

    private mutating func refuse(_ row: Int, _ code: Refusal.Code, _ message: String) {
        refusals[row] = table.refusal(of: row, code, message)
    }

    private func type(_ row: Int) -> String { table.types.string(table.type[row]) }

    private func identity(of row: Int) -> EventIdentity { EventIdentity(table, row) }
}

/// The subject, source and id of an event.
struct EventIdentity: Hashable {
    var subject: [UInt8]
    var source: [UInt8]
    var id: [UInt8]
}

extension EventIdentity {
    /// The event that a retraction names.
    init(retractedBy row: Int, of table: EventTable, subject: [UInt8]) {
        self.init(subject: subject, source: [], id: [])
        for value in table.values(of: row) where value.kind == .text {
            switch table.fields.string(value.field) {
            case "source": source = Array(table.texts[UInt32(value.payload)])
            case "id": id = Array(table.texts[UInt32(value.payload)])
            default: break
            }
        }
    }

    init(_ table: EventTable, _ row: Int) {
        self.init(
            subject: Array(table.texts[table.subject[row]]),
            source: Array(table.texts[table.source[row]]),
            id: table.identifier(row)
        )
    }
}

/// Events to look up by their identities.
struct SoughtEvents {
    /// The data that decides if an event may be retracted.
    struct Standing {
        let type: String
        let isAdministered: Bool

        init(_ table: EventTable, _ row: Int, _ administered: AdministeredEvents) {
            type = table.types.string(table.type[row])
            isAdministered = administered.reason(table, row) != nil
        }
    }

    /// The wanted events that are stored, by identity.
    private(set) var stored: [EventIdentity: Standing] = [:]
    private let identities: Set<EventIdentity>
    private let fields: Set<String>
    /// The numbers at the end of the wanted ids. An event whose id ends with another number is skipped quickly.
    private let numbers: Set<UInt64>

    init(_ identities: [EventIdentity], fields: Set<String>) {
        (self.identities, self.fields) = (Set(identities), fields)
        numbers = Set(identities.map { $0.id.withUnsafeBufferPointer { EventIdentifier.split($0).number } })
    }

    /// The rows of a table that have one of the identities, by identity.
    func rows(of table: EventTable, among rows: some Sequence<Int>) -> [EventIdentity: [Int]] {
        var found: [EventIdentity: [Int]] = [:]
        for row in rows where numbers.contains(table.identifiers[row].number) {
            let identity = EventIdentity(table, row)
            if identities.contains(identity) { found[identity, default: []].append(row) }
        }
        return found
    }

    mutating func find(in reader: any StoreReader) throws {
        let subjects = Set(identities.map(\.subject)).sorted { $0.lexicographicallyPrecedes($1) }
        for case let learner? in try reader.learners(.subjects(subjects)) {
            try reader.forEachStretch(of: learner.id, fields: .only(fields)) { runs in
                for run in runs { note(run.table, run.rows, of: learner.subject) }
            }
        }
    }

    private mutating func note(_ table: EventTable, _ rows: Range<Int>, of subject: [UInt8]) {
        var administered: AdministeredEvents?
        for row in rows where numbers.contains(table.identifiers[row].number) {
            let source = Array(table.texts[table.source[row]])
            let identity = EventIdentity(subject: subject, source: source, id: table.identifier(row))
            guard identities.contains(identity) else { continue }
            let known = administered ?? AdministeredEvents(table, fields: fields)
            administered = known
            stored[identity] = Standing(table, row, known)
        }
    }
}
