// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// The reading position in the object `data` of an ordinary line.
private struct OrdinaryData {
    var at: OrdinaryEvent.Pointer
    var key: UnsafeMutablePointer<KnownKey<PlannedField>>
    /// The keys so far, and the rules whose fields are not null, as bits.
    var keys: UInt64 = 0
    var rules: UInt64 = 0
    var count = 0
}

extension EventDecoder {
    /// Takes the object `data`. If the type is not known yet, the object is only skipped, to be read later.
    @inline(__always)
    mutating func readData(
        _ event: inout OrdinaryEvent,
        _ lines: OrdinaryLines,
        _ table: inout EventTable
    ) -> Bool {
        event.walk.finish(event.shared)
        guard event.at.pointee == UInt8(ascii: "{") else { return false }
        if let plan = event.plan { return readFields(&event, plan, &table) }
        guard let end = OrdinaryEvent.end(ofObject: event.at) else { return false }
        event.data = (event.at, end)
        event.at = end
        return true
    }

    /// Takes the data that precedes the type in the line, if any.
    @inline(__always)
    mutating func readDataBefore(
        _ event: inout OrdinaryEvent,
        _ plan: UnsafeMutablePointer<TypePlan>,
        _ table: inout EventTable
    ) -> Bool {
        if event.has(.data), event.data == nil { return true }
        guard let data = event.data else {
            _ = pending.beginRow(valuesAtMost: 0)
            return plan.pointee.fields == 0
        }
        event.at = data.start
        return readFields(&event, plan, &table) && event.at == data.end
    }

    private mutating func readFields(
        _ event: inout OrdinaryEvent,
        _ plan: UnsafeMutablePointer<TypePlan>,
        _ table: inout EventTable
    ) -> Bool {
        let values = pending.beginRow(valuesAtMost: 64)
        let keys = plan.pointee.keys
        var data = OrdinaryData(at: event.at, key: keys.start)
        repeat {
            data.at += 1
            OrdinaryEvent.skipSpaces(&data.at)
            guard let key = keys.key(at: data.at, after: data.key) ?? meetField(data, plan),
                data.keys & key.pointee.bit == 0
            else {
                if data.count == 0, data.at.pointee == UInt8(ascii: "}") { break }
                return false
            }
            data.key = key
            data.keys |= key.pointee.bit
            if key.pointee.meaning.table != event.table { bind(key, at: data.at, &table, event.table) }
            data.at += key.pointee.size
            OrdinaryEvent.skipSpaces(&data.at)
            guard let value = value(&data, plan, &table) else { return false }
            (values + data.count).initialize(to: value)
            data.count += 1
        } while data.at.pointee == UInt8(ascii: ",")
        guard data.at.pointee == UInt8(ascii: "}"), data.rules & plan.pointee.fields == plan.pointee.fields,
            data.at - event.at < Limits.data
        else { return false }
        event.at = data.at + 1
        event.valueCount = data.count
        return true
    }

    /// Takes and checks the value of the current field.
    @inline(__always)
    private mutating func value(
        _ data: inout OrdinaryData,
        _ plan: UnsafeMutablePointer<TypePlan>,
        _ table: inout EventTable
    ) -> EventValue? {
        let field = data.key.pointee.meaning.field
        guard data.at.pointee == UInt8(ascii: "\"") else {
            guard let scalar = OrdinaryScalar(at: data.at) else { return nil }
            let text = UnsafeBufferPointer(start: data.at, count: scalar.end - data.at)
            data.at = scalar.end
            if scalar.kind == .integer, let rule = data.key.pointee.meaning.rule {
                guard rule.allows(integer: Int64(bitPattern: scalar.payload)) else { return nil }
                data.rules |= data.key.pointee.meaning.ruleBit
                return EventValue(field: field, kind: .integer, payload: scalar.payload)
            }
            return value(of: scalar, text, &data, &table)
        }
        guard let end = OrdinaryEvent.end(ofText: data.at + 1) else { return nil }
        let text = UnsafeBufferPointer(start: data.at + 1, count: end - data.at - 1)
        data.at = end + 1
        guard let rule = data.key.pointee.meaning.rule else {
            return EventValue(field: field, kind: .text, payload: text.isEmpty ? 0 : UInt64(table.intern(text: text)))
        }
        data.rules |= data.key.pointee.meaning.ruleBit
        if rule.check == .oneOf {
            guard let option = option(text, data.key, plan, &table) else { return nil }
            return EventValue(field: field, kind: .text, payload: UInt64(option))
        }
        let index = data.key.pointee.meaning.ruleIndex
        guard rule.check == .text || shapes.all[plan.pointee.shape].allows(text, byRule: index) else { return nil }
        return EventValue(field: field, kind: .text, payload: text.isEmpty ? 0 : UInt64(table.intern(text: text)))
    }

    /// Takes a value that is not a text and mostly not a natural number.
    @inline(never)
    private func value(
        of scalar: OrdinaryScalar,
        _ text: UnsafeBufferPointer<UInt8>,
        _ data: inout OrdinaryData,
        _ table: inout EventTable
    ) -> EventValue? {
        let (field, rule) = (data.key.pointee.meaning.field, data.key.pointee.meaning.rule)
        func ruled(_ kind: EventValue.Kind, _ payload: UInt64 = 0, _ holds: (FieldRule) -> Bool) -> EventValue? {
            if let rule {
                guard holds(rule) else { return nil }
                data.rules |= data.key.pointee.meaning.ruleBit
            }
            return EventValue(field: field, kind: kind, payload: payload)
        }
        switch scalar.kind {
        case .null: return EventValue(field: field, kind: .null)
        case .no: return ruled(.no) { $0.check == .boolean }
        case .yes: return ruled(.yes) { $0.check == .boolean }
        case .integer: return ruled(.integer, scalar.payload) { $0.allows(integer: Int64(bitPattern: scalar.payload)) }
        case .double:
            return ruled(.double, scalar.payload) { $0.allows(Double(bitPattern: scalar.payload), isSpelled: false) }
        default:
            return ruled(.spelled, UInt64(table.intern(text: text))) { rule in
                EventValue.double(spelled: text).map { rule.allows($0, isSpelled: true) } ?? false
            }
        }
    }

    /// The index of one of the allowed texts; nil if the text is not allowed.
    @inline(__always)
    private func option(
        _ text: UnsafeBufferPointer<UInt8>,
        _ key: UnsafeMutablePointer<KnownKey<PlannedField>>,
        _ plan: UnsafeMutablePointer<TypePlan>,
        _ table: inout EventTable
    ) -> UInt32? {
        guard !text.isEmpty else { return nil }
        let slot = PlannedField.slot(of: text)
        let recent = key.pointee.meaning.options[slot]
        if table.texts.equals(recent, text) { return recent }
        guard shapes.all[plan.pointee.shape].allows(text, byRule: key.pointee.meaning.ruleIndex) else { return nil }
        key.pointee.meaning.options[slot] = table.intern(text: text)
        return key.pointee.meaning.options[slot]
    }

    /// Adds a field that occurs for the first time; nil if it cannot be kept.
    @inline(never)
    private mutating func meetField(
        _ data: OrdinaryData,
        _ plan: UnsafeMutablePointer<TypePlan>
    ) -> UnsafeMutablePointer<KnownKey<PlannedField>>? {
        guard let token = OrdinaryEvent.token(at: data.at) else { return nil }
        let name = UnsafeBufferPointer(rebasing: token[1..<token.count - 2])
        if let strictNames {
            let type = String(decoding: plan.pointee.name, as: UTF8.self)
            guard strictNames.knows(UnknownName(.field(of: type), name)) else { return nil }
        }
        let key = plan.pointee.keys.add(token, shapes.all[plan.pointee.shape].plan(of: name))
        if let key { data.key.pointee.next = key }
        return key
    }

    @inline(never)
    private func bind(
        _ key: UnsafeMutablePointer<KnownKey<PlannedField>>,
        at pointer: OrdinaryEvent.Pointer,
        _ table: inout EventTable,
        _ number: UInt32
    ) {
        let name = UnsafeBufferPointer(start: pointer + 1, count: key.pointee.size - 3)
        if !table.fields.equals(key.pointee.meaning.field, name) {
            key.pointee.meaning.field = table.intern(field: name)
        }
        key.pointee.meaning.options = InlineArray(repeating: 0)
        key.pointee.meaning.table = number
    }
}
