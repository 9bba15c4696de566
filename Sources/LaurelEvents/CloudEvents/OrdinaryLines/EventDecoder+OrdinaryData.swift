// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// The reading position in the object `data` of an ordinary line.
private struct OrdinaryData {
    var at: OrdinaryEvent.Pointer
    var key: FieldKey
    /// The keys so far, as bits, and the rules whose fields are not null.
    var keys: UInt64 = 0
    var rules: UInt64 = 0
    var count = 0
}

extension EventDecoder {
    /// Reads the object `data`. If the type is not known yet, the object is skipped and read later.
    @inline(__always)
    mutating func readData(_ event: inout OrdinaryEvent, _ table: inout EventTable) -> Bool {
        finishStretch(&event)
        guard event.at.pointee == UInt8(ascii: "{") else { return false }
        if let plan = event.raw.plan { return readFields(&event, plan, &table) }
        guard let end = OrdinaryEvent.end(ofObject: event.at) else { return false }
        event.data = (event.at, end)
        event.at = end
        return true
    }

    /// The values of a `data` object that precedes the type in the line; nil if the line is not ordinary. The object
    /// was skipped earlier, and is read now, because the type is known.
    @inline(__always)
    mutating func valuesBefore(
        _ event: inout OrdinaryEvent,
        _ plan: Plan,
        _ table: inout EventTable
    ) -> UnsafeMutablePointer<EventValue>? {
        if let values = event.values { return values }
        guard let data = event.data else { return pending.beginRow(valuesAtMost: 0) }
        event.at = data.start
        return readFields(&event, plan, &table) && event.at == data.end ? event.values : nil
    }

    private mutating func readFields(_ event: inout OrdinaryEvent, _ plan: Plan, _ table: inout EventTable) -> Bool {
        let values = pending.beginRow(valuesAtMost: 64)
        let keys = plan.pointee.keys
        var data = OrdinaryData(at: event.at, key: keys.start)
        repeat {
            data.at += 1
            OrdinaryEvent.skipSpaces(&data.at)
            guard let key = keys.key(at: data.at, after: data.key) ?? meetField(&event, data, plan),
                data.keys & key.pointee.bit == 0
            else {
                if data.count == 0, data.at.pointee == UInt8(ascii: "}") { break }
                return false
            }
            data.key = key
            data.keys |= key.pointee.bit
            if key.pointee.meaning.table != event.raw.table {
                let name = RawEvent.Text(
                    start: data.at + 1,
                    count: key.pointee.size - KnownKeys<PlannedField>.punctuation
                )
                bind(key, name, &table, event.raw.table)
            }
            data.at += key.pointee.size
            OrdinaryEvent.skipSpaces(&data.at)
            guard let value = value(&data, &table) else { return false }
            (values + data.count).initialize(to: value)
            data.count += 1
        } while data.at.pointee == UInt8(ascii: ",")
        guard data.at.pointee == UInt8(ascii: "}") else { return false }
        event.raw.dataLength = data.at + 1 - event.at
        event.raw.rules = data.rules
        event.raw.valueCount = data.count
        event.values = values
        event.at = data.at + 1
        return true
    }

    /// Reads and checks the value of the current field.
    @inline(__always)
    private mutating func value(_ data: inout OrdinaryData, _ table: inout EventTable) -> EventValue? {
        let start = data.at
        guard start.pointee == UInt8(ascii: "\"") else {
            guard let scalar = OrdinaryScalar(at: start) else { return nil }
            data.at = scalar.end
            let text = UnsafeBufferPointer(start: start, count: scalar.end - start)
            let raw = RawValue(kind: scalar.kind, payload: scalar.payload, text: text)
            return value(other: raw, of: data.key, &data.rules, &table)
        }
        guard let end = OrdinaryEvent.end(ofText: start + 1) else { return nil }
        data.at = end + 1
        let text = UnsafeBufferPointer(start: start + 1, count: end - start - 1)
        return value(text: text, of: data.key, &data.rules, &table)
    }

    /// Creates a key for a field that occurs for the first time; nil if the key cannot be kept.
    @inline(never)
    private mutating func meetField(_ event: inout OrdinaryEvent, _ data: OrdinaryData, _ plan: Plan) -> FieldKey? {
        guard let name = OrdinaryEvent.name(at: data.at) else { return nil }
        let key = meetField(name, isPlain: true, after: data.key, plan, &event.raw)
        return key.pointee.bit == 0 ? nil : key
    }
}
