// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Replaces ids and names of exported events by pseudonyms: see ``Pseudonyms``.
final class Pseudonymiser {
    /// The source and the id of a learner's event.
    private struct Identity: Hashable {
        var source: [UInt8]
        var id: [UInt8]

        static func isBefore(_ one: Identity, _ other: Identity) -> Bool {
            one.source == other.source
                ? one.id.lexicographicallyPrecedes(other.id) : one.source.lexicographicallyPrecedes(other.source)
        }
    }

    /// The treatment of an event type.
    private struct Treatment {
        let type: EventType?
        let kept: Set<String>
    }

    /// The maximum number of cached pseudonyms. Most texts are repeated soon, or never.
    private static let mostCached = 20_000

    private let pseudonyms: Pseudonyms
    private var cache: [[UInt8]: [UInt8]] = [:]
    /// The treatment of each type met so far; nil for a type that is left out.
    private var treatments: [[UInt8]: Treatment?] = [:]
    /// New identities for some events of the present learner. The pseudonyms of these events would change their order.
    private var rearranged: [Identity: Identity] = [:]

    init(_ pseudonyms: Pseudonyms) { self.pseudonyms = pseudonyms }

    /// The pseudonym of a text: half of its keyed hash, as 32 digits. An empty text stays empty.
    func pseudonym(_ text: [UInt8]) -> [UInt8] {
        if text.isEmpty { return [] }
        if let known = cache[text] { return known }
        let pseudonym = Array(pseudonyms.hash.hash(text).prefix(16).hexadecimal.utf8)
        if cache.count >= Self.mostCached { cache.removeAll(keepingCapacity: true) }
        cache[text] = pseudonym
        return pseudonym
    }

    func pseudonym(_ text: String) -> String { String(decoding: pseudonym(Array(text.utf8)), as: UTF8.self) }

    /// Prepares for the events of another learner.
    ///
    /// Events of the same time are ordered by source and id. Their pseudonyms have another order. If the pseudonyms
    /// would change the learner's order, these events get a common source, and new ids that begin with a running
    /// number.
    /// - Parameter runs: all events of the learner, in order.
    func begin(_ runs: [EventRun]) {
        rearranged.removeAll(keepingCapacity: true)
        var simultaneous: [Identity] = []
        var time = Int64.min
        for run in runs {
            let table = run.table
            for row in run.rows {
                if table.milliseconds[row] != time {
                    rearrange(simultaneous)
                    simultaneous.removeAll(keepingCapacity: true)
                    time = table.milliseconds[row]
                }
                simultaneous.append(
                    Identity(source: Array(table.texts[table.source[row]]), id: table.identifier(row))
                )
            }
        }
        rearrange(simultaneous)
    }

    private func rearrange(_ events: [Identity]) {
        guard events.count > 1 else { return }
        let renamed = events.map(hashed)
        guard !zip(renamed, renamed.dropFirst()).allSatisfy(Identity.isBefore) else { return }
        for (number, event) in events.enumerated() {
            let digits = String(1_000_000_000 + number).dropFirst()
            // The source is hashed, too, because several sources may have events with the same id.
            let id = Array("\(digits)-".utf8) + pseudonym(hashed(event).source + hashed(event).id)
            rearranged[event] = Identity(source: Array("same-time".utf8), id: id)
        }
    }

    private func hashed(_ event: Identity) -> Identity {
        Identity(source: pseudonym(event.source), id: pseudonym(event.id))
    }

    private func identity(_ event: Identity) -> Identity { rearranged[event] ?? hashed(event) }

    /// The event with pseudonyms; nil if it is left out.
    func event(_ event: ExportedEvent) -> ExportedEvent? {
        guard let treatment = treatment(of: event.type) else { return nil }
        var event = event
        let identity = identity(Identity(source: event.source, id: event.id))
        (event.source, event.id) = (identity.source, identity.id)
        event.subject = pseudonym(event.subject)
        event.session = event.session.map(pseudonym)
        event.extensions = []
        let target = target(of: event)
        event.data = event.data.compactMap { member in
            let name = String(decoding: member.key, as: UTF8.self)
            if treatment.kept.contains(name) { return member }
            guard let field = treatment.type?.field(named: name) else { return nil }
            let value = field.content == .identity ? target?[name] : value(member.value, field)
            return value.map { (member.key, $0) }
        }
        return event
    }

    private func treatment(of type: [UInt8]) -> Treatment? {
        if let known = treatments[type] { return known }
        let name = String(decoding: type, as: UTF8.self)
        let treatment = pseudonyms.keptFields(of: name).map { Treatment(type: Catalogue.type(named: name), kept: $0) }
        treatments[type] = .some(treatment)
        return treatment
    }

    /// The new source and id of the event that a correction names; nil if it names none.
    private func target(of event: ExportedEvent) -> [String: JSONTree]? {
        let data = JSONTree.object(event.data)
        guard case .string(let source)? = data["source"], case .string(let id)? = data["id"] else { return nil }
        let target = identity(Identity(source: source, id: id))
        return ["source": .string(target.source), "id": .string(target.id)]
    }

    /// The value to export; nil if there is none. A value that does not have its field's type is left out. Such values
    /// are possible if the event was stored before the catalogue had its type.
    private func value(_ value: JSONTree, _ field: Field) -> JSONTree? {
        switch (field.content, value) {
        case (.freeText, _), (.identity, _): nil
        case (_, .null): .null
        case (.name, .string(let text)): .string(pseudonym(text))
        case (.name, .array(let texts)): pseudonyms(texts)
        case (.name, _): nil
        case (.value, _): field.accepts(value) ? value : nil
        }
    }

    private func pseudonyms(_ texts: [JSONTree]) -> JSONTree? {
        .array(
            texts.compactMap { if case .string(let text) = $0 { .string(pseudonym(text)) } else { nil } }
        )
    }
}

extension Field {
    /// True if a value has the field's type. If the field has a list of texts, the value must also be on that list.
    fileprivate func accepts(_ value: JSONTree) -> Bool {
        switch (type, value) {
        case (.number, _): return value.isNumber
        case (.boolean, .yes), (.boolean, .no): return true
        case (.numberList, .array(let numbers)): return numbers.allSatisfy(\.isNumber)
        case (.date, .string(let text)): return LocalDay(parsing: text) != nil
        case (.instant, .string(let text)): return (try? Timestamp(String(decoding: text, as: UTF8.self))) != nil
        case (.text, .string(let text)):
            guard case .oneOf(let names) = constraint else { return true }
            return names.contains(String(decoding: text, as: UTF8.self))
        default: return false
        }
    }
}
