internal import LaurelEvents

/// Whether two events say the same, however they were spelled: what tells a duplicate from a conflict.
///
/// Times are equal by instant and written offset; numbers by value; objects whatever the order of their keys; `data`
/// that is absent or empty alike, `specversion` written or not. An explicit null in `data` is not an absent field; among
/// the extensions it is.
enum EventEquality {
    /// - Precondition: the rows have the same identity.
    static func sameContent(_ one: EventTable, _ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        guard one.milliseconds[row] == other.milliseconds[otherRow], one.offsets[row] == other.offsets[otherRow],
            one.types[one.type[row]] == other.types[other.type[otherRow]],
            sameText(one, one.language[row], other, other.language[otherRow]),
            sameText(one, one.session[row], other, other.session[otherRow]),
            sameText(one, one.timezone[row], other, other.timezone[otherRow])
        else { return false }
        return sameExtensions(one, one.extensions[row], other, other.extensions[otherRow])
            && sameData(one, row, other, otherRow)
    }

    private static func sameText(_ one: EventTable, _ index: UInt32, _ other: EventTable, _ otherIndex: UInt32) -> Bool
    {
        (index == 0) == (otherIndex == 0) && one.texts[index] == other.texts[otherIndex]
    }

    private static func sameExtensions(
        _ one: EventTable,
        _ index: UInt32,
        _ other: EventTable,
        _ otherIndex: UInt32
    ) -> Bool {
        if index == otherIndex, index == 0 { return true }
        let (text, otherText) = (one.texts[index], other.texts[otherIndex])
        if index != 0, otherIndex != 0, text == otherText { return true }
        return JSONValue(parsing: text).membersWithoutNulls == JSONValue(parsing: otherText).membersWithoutNulls
    }

    private static func sameData(_ one: EventTable, _ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        let (values, otherValues) = (one.values(of: row), other.values(of: otherRow))
        guard values.count == otherValues.count else { return false }
        // Usually both have the same fields in the same order.
        let pairs = zip(values, otherValues)
        if pairs.allSatisfy({ one.fields[$0.field] == other.fields[$1.field] }) {
            return pairs.allSatisfy { sameValue(one, $0, other, $1) }
        }
        var byName: [[UInt8]: EventValue] = [:]
        for value in otherValues { byName[Array(other.fields[value.field])] = value }
        return values.allSatisfy { value in
            guard let match = byName.removeValue(forKey: Array(one.fields[value.field])) else { return false }
            return sameValue(one, value, other, match)
        }
    }

    private static func sameValue(
        _ one: EventTable,
        _ value: EventValue,
        _ other: EventTable,
        _ otherValue: EventValue
    ) -> Bool {
        switch (value.kind, otherValue.kind) {
        case (.null, .null), (.no, .no), (.yes, .yes): return true
        case (.integer, .integer): return value.payload == otherValue.payload
        case (.text, .text):
            return text(one, value) == text(other, otherValue)
        case (.json, .json):
            let (text, otherText) = (text(one, value), text(other, otherValue))
            return text == otherText || JSONValue(parsing: text) == JSONValue(parsing: otherText)
        default:
            guard let number = decimal(one, value), let otherNumber = decimal(other, otherValue) else { return false }
            return number == otherNumber
        }
    }

    private static func text(_ table: EventTable, _ value: EventValue) -> ArraySlice<UInt8> {
        table.texts[UInt32(truncatingIfNeeded: value.payload)]
    }

    private static func decimal(_ table: EventTable, _ value: EventValue) -> DecimalNumber? {
        switch value.kind {
        case .integer: DecimalNumber(spelled: String(Int64(bitPattern: value.payload)).utf8)
        case .double: DecimalNumber(spelled: Double(bitPattern: value.payload).description.utf8)
        case .spelled: DecimalNumber(spelled: text(table, value))
        case .null, .no, .yes, .text, .json: nil
        }
    }
}
