// SPDX-License-Identifier: Apache-2.0

import CEventJSON

// Ordinary lines are read in one pass. In an ordinary line, attributes are texts, and `data` is an object of texts,
// numbers, true, false and null. Nothing is escaped, and spaces occur only before keys and values. The general reader
// reads all other lines, and all lines with errors, from the beginning.
// A control character follows each line, such as the line feed in a file. A search ends at a control character, so it
// needs no other bound. Each read starts in the line or at the control character, and reads at most 16 bytes.

extension EventDecoder {
    /// Appends the event of a line to the pending rows.
    /// - Returns: true if the line is ordinary and the event is valid; otherwise no row is added.
    mutating func appendOrdinary(
        _ line: UnsafeBufferPointer<UInt8>,
        _ names: NameCache,
        _ table: inout EventTable,
        clock: Int64?
    ) -> Bool {
        let end = line.baseAddress! + line.count
        var event = OrdinaryEvent(line, table: names.table, names.attributes.start)
        guard event.at.pointee == UInt8(ascii: "{") else { return false }
        repeat {
            event.at += 1
            OrdinaryEvent.skipSpaces(&event.at)
            guard let key = names.attributes.key(at: event.at, after: event.key) ?? meetKey(event, names),
                event.raw.attributes & key.pointee.bit == 0
            else { return false }
            event.key = key
            event.raw.attributes |= key.pointee.bit
            event.at += key.pointee.size
            OrdinaryEvent.skipSpaces(&event.at)
            guard readValue(&event, names, &table) else { return false }
        } while event.at.pointee == UInt8(ascii: ",")
        guard event.at.pointee == UInt8(ascii: "}"), event.at + 1 == end else { return false }
        return endOrdinary(&event, &table, clock: clock)
    }

    /// Reads the current attribute's value. If the line repeats the source's previous line, also reads the stretch
    /// after the value.
    @inline(__always)
    private mutating func readValue(_ event: inout OrdinaryEvent, _ names: NameCache, _ table: inout EventTable) -> Bool
    {
        guard let name = event.key.pointee.meaning.attribute else { return readExtension(&event) }
        if name == .data { return readData(&event, &table) }
        guard event.at.pointee == UInt8(ascii: "\""), let end = OrdinaryEvent.end(ofText: event.at + 1) else {
            return false
        }
        let text = UnsafeBufferPointer(start: event.at + 1, count: end - event.at - 1)
        event.raw[name] = text
        event.at = end + 1
        switch name {
        case .source:
            let context = contexts.slot(of: text)
            event.raw.context = context
            event.stretches = contexts.madeStretches() + contexts.offset(of: context) * AttributeStretch.kinds
            readStretch(behind: .source, &event)
        case .type:
            event.raw.plan = names.plans.plan(of: text) ?? meetType(text)
            guard event.raw.plan != nil else { return false }
            readStretch(behind: .type, &event)
        case .id: readStretch(behind: .id, &event)
        case .time: readStretch(behind: .time, &event)
        default:
            guard event.walk.target != nil else { return true }
            event.walk.attributes |= RawEvent.bit(name)
            event.walk.end = event.at
            event.walk.last = event.key
        }
        return true
    }

    /// Reads the next attributes at once if their bytes repeat the source's previous line. Otherwise keeps the next
    /// attributes as a new stretch.
    @inline(__always)
    private func readStretch(behind name: Attributes.Name, _ event: inout OrdinaryEvent) {
        finishStretch(&event)
        guard let stretches = event.stretches else { return }
        let stretch = stretches + AttributeStretch.kind(behind: name)
        event.walk.target = stretch
        event.walk.start = event.at
        event.walk.attributes = 0
        guard stretch.pointee.matches(at: event.at), event.raw.attributes & stretch.pointee.attributes == 0 else {
            return
        }
        event.at += stretch.pointee.count
        event.raw.attributes |= stretch.pointee.attributes
        event.raw.valid |= stretch.pointee.attributes
        event.raw.shared.add(stretch.pointee.shared)
        event.key = stretch.pointee.last!
        event.walk.attributes = stretch.pointee.attributes
    }

    /// Ends the stretch that is being read. Call it before the line is read further.
    @inline(__always)
    func finishStretch(_ event: inout OrdinaryEvent) {
        if let end = event.walk.end, let start = event.walk.start, end - start >= 16 {
            contexts.walks[event.walks] = event.walk
            event.walks += 1
        }
        (event.walk.target, event.walk.end) = (nil, nil)
    }

    /// Checks the event, and appends it.
    @inline(__always)
    private mutating func endOrdinary(_ event: inout OrdinaryEvent, _ table: inout EventTable, clock: Int64?) -> Bool {
        finishStretch(&event)
        guard let plan = event.raw.plan, let values = valuesBefore(&event, plan, &table) else { return false }
        do throws(Fault) {
            let time = try check(&event.raw, &table, clock: clock)
            try checkFields(of: &event.raw, plan, values, &table)
            end(&event.raw, plan, at: time, &table)
        } catch {
            return false
        }
        for index in 0..<event.walks { contexts.walks[index].remember(event.raw.shared) }
        return true
    }

    /// Creates a key that occurs for the first time; nil if the key cannot be kept.
    @inline(never)
    private func meetKey(_ event: OrdinaryEvent, _ names: NameCache) -> KnownKeys<AttributeKey>.Pointer? {
        guard let name = OrdinaryEvent.name(at: event.at) else { return nil }
        if let strictNames, !strictNames.knows(UnknownName(.attribute, name)) { return nil }
        let key = names.attributes.add(name, AttributeKey(attribute: nil, isKnown: KnownNames.isAttribute(name)))
        if let key { event.key.pointee.next = key }
        return key
    }

    @inline(never)
    private mutating func readExtension(_ event: inout OrdinaryEvent) -> Bool {
        finishStretch(&event)
        let end: OrdinaryEvent.Pointer
        if event.at.pointee == UInt8(ascii: "\"") {
            guard let quote = OrdinaryEvent.end(ofText: event.at + 1) else { return false }
            end = quote + 1
        } else {
            guard let scalar = OrdinaryScalar(at: event.at) else { return false }
            end = scalar.end
        }
        append(
            extension: event.key.pointee.quotedName,
            UnsafeBufferPointer(start: event.at, count: end - event.at),
            isKnown: event.key.pointee.meaning.isKnown,
            to: &event.raw
        )
        event.at = end
        return true
    }
}
