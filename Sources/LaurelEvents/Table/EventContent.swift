// SPDX-License-Identifier: Apache-2.0

import LaurelWire

// Equality of two events. A duplicate changes nothing; a conflict goes to quarantine.

extension EventTable {
    /// True if two events with the same identity have the same content. The order of keys, the spelling of numbers, and
    /// null attributes do not matter. Two values of `time` are equal if instant and written offset are equal. The case
    /// of `language` does not matter.
    package func hasSameContent(_ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        let present = EventTable.hasVersion | EventTable.hasData
        return milliseconds[row] == other.milliseconds[otherRow] && offsets[row] == other.offsets[otherRow]
            && flags[row] & present == other.flags[otherRow] & present
            && types[type[row]] == other.types[other.type[otherRow]]
            && hasSameLanguage(row, other, otherRow)
            && texts[session[row]] == other.texts[other.session[otherRow]]
            && texts[timezone[row]] == other.texts[other.timezone[otherRow]]
            && hasSameData(row, other, otherRow) && hasSameExtensions(row, other, otherRow)
    }

    private func hasSameLanguage(_ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        texts[language[row]] == other.texts[other.language[otherRow]]
            || languageTag(row) == other.languageTag(otherRow)
    }

    /// The event's language in canonical case, which is also the name of its track; nil if the event has no language.
    package func languageTag(_ row: Int) -> [UInt8]? {
        language[row] == 0 ? nil : texts[language[row]].withUnsafeBufferPointer(canonicalLanguageTag)
    }

    private func hasSameData(_ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        let (values, others) = (values(of: row), other.values(of: otherRow))
        guard values.count == others.count else { return false }
        let inOrder = zip(values, others).allSatisfy { one, two in
            fields[one.field] == other.fields[two.field] && isSame(one, other, two)
        }
        if inOrder { return true }
        let byName = Dictionary(others.map { (other.fields[$0.field], $0) }) { _, last in last }
        return values.allSatisfy { value in
            byName[fields[value.field]].map { isSame(value, other, $0) } ?? false
        }
    }

    private func isSame(_ value: EventValue, _ other: EventTable, _ otherValue: EventValue) -> Bool {
        if value.kind == otherValue.kind {
            switch value.kind {
            case .null, .no, .yes: return true
            case .integer: return value.payload == otherValue.payload
            case .double where value.payload == otherValue.payload: return true
            case .text: return texts[UInt32(value.payload)] == other.texts[UInt32(otherValue.payload)]
            default: break
            }
        }
        return canonical(value) == other.canonical(otherValue)
    }

    private func canonical(_ value: EventValue) -> [UInt8] {
        var written: [UInt8] = []
        encode(value, into: &written)
        return JSONTree(validated: written)?.canonical ?? written
    }

    private func hasSameExtensions(_ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        func canonical(_ table: EventTable, _ index: UInt32) -> [UInt8] {
            guard index != 0, case .object(let members)? = JSONTree(validated: table.texts[index]) else { return [] }
            let present = members.filter { if case .null = $0.value { false } else { true } }
            return present.isEmpty ? [] : JSONTree.object(present).canonical
        }
        let (one, two) = (extensions[row], other.extensions[otherRow])
        return texts[one] == other.texts[two] || canonical(self, one) == canonical(other, two)
    }
}
