// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    private static let fieldTypes = ["number", "text", "boolean"]

    /// The event types that the catalogue does not know, and fields that it does not know of its own types.
    mutating func readEvents(_ node: YAMLNode?) -> [String: [String: FieldType]] {
        var types: [String: [String: FieldType]] = [:]
        for entry in mapping(node, "`events`") ?? [] {
            if Catalogue.type(named: entry.key) == nil, !isEventType(entry.key) {
                let form = "lower-case letters and digits, parts joined by . _ or -, like `quest.finished`"
                report(entry.keyOffset, "`\(entry.key)` cannot be an event type: \(form)")
            }
            declaredTypeOffsets.append((entry.key, entry.keyOffset))
            types[entry.key] = readFields(entry.value, of: entry.key)
        }
        return types
    }

    private mutating func readFields(_ node: YAMLNode, of type: String) -> [String: FieldType] {
        var fields: [String: FieldType] = [:]
        for entry in mapping(node, "`\(type)`") ?? [] {
            let what = "`\(entry.key)`"
            if !isFieldName(entry.key) {
                report(
                    entry.keyOffset,
                    "\(what) cannot be named in expressions: use letters, digits and _, no digit first"
                )
            } else if Catalogue.type(named: type)?.field(named: entry.key) != nil {
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

    /// `[a-z][a-z0-9]*([._-][a-z0-9]+)*`, at most 64 bytes.
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

    private func isFieldName(_ name: String) -> Bool {
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
