// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    private static let fieldTypes = ["number", "text", "boolean"]

    /// Reads the declared event types: types that are not in the catalogue, and additional fields of the catalogue's
    /// types.
    /// - Parameter isNew: true to report a declared field that the catalogue already has. Use false for rules in a
    ///   store, which may be older than the catalogue's field. The field's type in the catalogue then applies.
    mutating func readEvents(_ node: YAMLNode?, isNew: Bool) -> [String: [String: FieldType]] {
        var types: [String: [String: FieldType]] = [:]
        for entry in mapping(node, "`events`") ?? [] {
            if Catalogue.type(named: entry.key) == nil, !isEventType(entry.key) {
                let form = "lower-case letters and digits, parts joined by . _ or -, like `quest.finished`"
                report(entry.keyOffset, "`\(entry.key)` cannot be an event type: \(form)")
            }
            declaredTypeOffsets.append((entry.key, entry.keyOffset))
            types[entry.key] = readFields(entry.value, of: entry.key, isNew: isNew)
        }
        return types
    }

    /// Reads the fields of `learner.updated` that only administrators may send, in byte order.
    mutating func readAdministered(_ node: YAMLNode?, _ declared: [String: [String: FieldType]]) -> [String] {
        let type = AdministeredEvents.profileType
        let known = Catalogue.type(named: type)!.fields.map(\.name) + declared[type, default: [:]].keys.sorted()
        var names: Set<String> = []
        for item in list(node, "`administered`") {
            guard let name = text(item, "an administered field") else { continue }
            if !known.contains(name) {
                let nearest = nearestName(to: name, among: known)
                let advice =
                    nearest.map { didYouMean(code: $0) } ?? "; declare it: `events: {\(type): {\(name): text}}`"
                report(item.offset, "`\(type)` has no field `\(name)`\(advice)", suggestion: nearest)
            } else if AdministeredEvents.profileFields.contains(name) {
                report(item.offset, "`\(name)` is for administrators under any rules: leave it out", .warning)
            } else if !names.insert(name).inserted {
                report(item.offset, "`\(name)` is listed twice", .warning)
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func readFields(_ node: YAMLNode, of type: String, isNew: Bool) -> [String: FieldType] {
        var fields: [String: FieldType] = [:]
        for entry in mapping(node, "`\(type)`") ?? [] {
            let what = "`\(entry.key)`"
            if !isFieldName(entry.key) {
                report(
                    entry.keyOffset,
                    "\(what) cannot be named in expressions: \(Self.nameForm)"
                )
            } else if isNew, Catalogue.type(named: type)?.field(named: entry.key) != nil {
                let message = "`\(type)` is a type of Laurel's own and has \(what) already: leave it out"
                report(entry.keyOffset, message)
            } else if ["type", "session", "language"].contains(entry.key) {
                let message = "the field \(what) cannot be read: `event.\(entry.key)` is the attribute of every event"
                report(entry.keyOffset, message, .warning)
            }
            guard let index = choice(entry.value, "the type of \(what)", of: Self.fieldTypes) else { continue }
            fields[entry.key] = FieldType(rawValue: Self.fieldTypes[index])
        }
        return fields
    }

    /// True if the name has the form `[a-z][a-z0-9]*([._-][a-z0-9]+)*` and at most 64 bytes.
    private func isEventType(_ name: String) -> Bool {
        var afterSeparator = true
        for (index, byte) in name.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): afterSeparator = false
            case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: afterSeparator = false
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                guard !afterSeparator else { return false }
                afterSeparator = true
            default: return false
            }
        }
        return !afterSeparator && name.utf8.count <= 64
    }

    /// True if the name has the form `[A-Za-z_][A-Za-z0-9_]*`.
    func isFieldName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
