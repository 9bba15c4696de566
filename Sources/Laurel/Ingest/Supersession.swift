// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelStore
import LaurelWire

/// Finds stored events that must not count, because other events report the same activity.
///
/// A retraction depends only on the set of a learner's events. So it does not matter in which order and in which
/// files the events were read. A superseded event stays superseded, because more events can only add reasons.
struct Supersession {
    private var claims: [Int64: Set<SupersedingClaim>] = [:]
    /// The kinds of the newly stored events, by learner, source and id.
    private var newKinds: [Identity: Int] = [:]

    private struct Identity: Hashable {
        var learner: Int64
        var source: [UInt8]
        var id: [UInt8]
    }

    var isEmpty: Bool { claims.isEmpty }

    /// Records an adapter's statement that a row reports the same activity as other events.
    mutating func note(_ adapted: AdaptedRow, _ table: EventTable, _ row: Int, of learner: Int64, isNew: Bool) {
        guard let claim = adapted.claim else { return }
        claims[learner, default: []].insert(claim)
        guard isNew else { return }
        let source = Array(table.texts[table.source[row]])
        newKinds[Identity(learner: learner, source: source, id: table.identifier(row))] = adapted.kind
    }

    /// The retractions of all superseded events, including events that were retracted before.
    /// - Parameter isNew: called with the kind of each superseded event that was newly stored.
    /// - Complexity: O(events of all learners for whom an adapter has stated superseding rows).
    func retractions(in reader: any StoreReader, isNew: (Int) -> Void) throws -> [AdaptedRecord] {
        var found: [AdaptedRecord] = []
        for (learner, claims) in claims.sorted(by: { $0.key < $1.key }) {
            guard let subject = try reader.learner(learner)?.subject else { continue }
            var accounts = Accounts(claims)
            try reader.forEachStretch(of: learner, fields: .none) { runs in
                for run in runs { for row in run.rows { accounts.add(run.table, row) } }
            }
            for account in accounts.superseded {
                found.append(account.retraction(of: subject))
                let identity = Identity(learner: learner, source: account.source, id: account.id)
                if let kind = newKinds[identity] { isNew(kind) }
            }
        }
        return found
    }
}

/// The events of a learner that may be superseded. An event's id names its occurrence, its group and its rank (see
/// `VersionID`). Only the first event of an occurrence counts, and only the events with the lowest rank of a group.
private struct Accounts {
    private struct Key: Hashable {
        var source: [UInt8]
        var name: [UInt8]
    }

    private let claims: [SupersedingClaim]
    private var versions: [StoredAccount] = []
    private var plain: [StoredAccount] = []
    /// The first event of every occurrence, as an index into `versions`.
    private var first: [Key: Int] = [:]
    /// The lowest rank in every group.
    private var rank: [Key: UInt8] = [:]

    init(_ claims: Set<SupersedingClaim>) { self.claims = Array(claims) }

    mutating func add(_ table: EventTable, _ row: Int) {
        guard !table.types[table.type[row]].elementsEqual("event.retracted".utf8) else { return }
        let account = StoredAccount(table, row)
        guard let version = account.version else {
            plain.append(account)
            return
        }
        let index = versions.count
        versions.append(account)
        let group = Key(source: account.source, name: Array(version.group))
        rank[group] = min(rank[group] ?? .max, version.rank)
        let occurrence = Key(source: account.source, name: Array(version.occurrence))
        guard let known = first[occurrence], !version.isBefore(versions[known].version!) else {
            first[occurrence] = index
            return
        }
    }

    /// The superseded events, in the order of the store.
    var superseded: [StoredAccount] {
        let plainKeys = Set(plain.map { Key(source: $0.source, name: $0.id) })
        return versions.indices.filter { index in
            let (account, version) = (versions[index], versions[index].version!)
            let group = Key(source: account.source, name: Array(version.group))
            return first[Key(source: account.source, name: Array(version.occurrence))] != index
                || rank[group]! < version.rank || version.rank >= VersionID.plainRank && plainKeys.contains(group)
        }.map { versions[$0] } + plain.filter(isReplaced)
    }

    /// True if an event without a version is superseded. Such an event was stored before its format had versions. The
    /// event's id names the group.
    private func isReplaced(_ account: StoredAccount) -> Bool {
        (rank[Key(source: account.source, name: account.id)] ?? .max) < VersionID.plainRank
            || claims.contains { claim in
                guard let replaced = claim.replaced, claim.replacedSource == account.source,
                    (claim.language.map { $0.withUnsafeBufferPointer(canonicalLanguageTag) } ?? []) == account.language
                else { return false }
                return replaced.last == UInt8(ascii: "*")
                    ? account.id.starts(with: replaced.dropLast()) : account.id == replaced
            }
    }
}

/// The data of a stored event that is needed for its retraction.
private struct StoredAccount {
    let id: [UInt8]
    let source: [UInt8]
    let language: [UInt8]
    let version: VersionID?
    private let timezone: [UInt8]
    private let time: String

    init(_ table: EventTable, _ row: Int) {
        func text(_ index: UInt32) -> [UInt8] { index == 0 ? [] : Array(table.texts[index]) }
        id = table.identifier(row)
        source = text(table.source[row])
        language = table.languageTag(row) ?? []
        timezone = text(table.timezone[row])
        time = table.timestamp(row).description
        version = VersionID(id[...])
    }

    /// The event's retraction. It has the time of the event, so there is no instant at which both events count. It
    /// does not name the superseding event. So several superseding events give the same retraction.
    func retraction(of subject: [UInt8]) -> AdaptedRecord {
        var hash = SHA256()
        hash.update(Array("\(source.count):".utf8) + source + id)
        var members: [(key: [UInt8], value: JSONTree)] = [
            (Array("specversion".utf8), .string(Array("1.0".utf8))),
            (Array("id".utf8), .string(Array("superseded-\(hash.finish().prefix(16).hexadecimal)".utf8))),
            (Array("source".utf8), .string(source)), (Array("type".utf8), .string(Array("event.retracted".utf8))),
            (Array("subject".utf8), .string(subject)), (Array("time".utf8), .string(Array(time.utf8))),
        ]
        if !timezone.isEmpty { members.append((Array("timezone".utf8), .string(timezone))) }
        members.append(
            (Array("data".utf8), .object([(Array("source".utf8), .string(source)), (Array("id".utf8), .string(id))]))
        )
        var json: [UInt8] = []
        JSONTree.object(members).write(to: &json)
        return AdaptedRecord(line: 1, original: json[...], outcome: .event(json), kind: AdaptedRecord.noKind)
    }
}
