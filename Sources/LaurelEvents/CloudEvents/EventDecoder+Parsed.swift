// SPDX-License-Identifier: Apache-2.0

import CEventJSON

// The general reader. It reads any JSON of an event, and reports every mistake.

extension EventDecoder {
    /// Appends a record's event to the pending rows.
    /// - Returns: the refusal; nil if the event was appended.
    mutating func take(line: RawEvent.Text, _ table: inout EventTable, _ clock: Int64?) -> Refusal? {
        guard line.count <= Limits.event else {
            return Refusal(code: .tooLong, message: "the event has \(line.count) bytes; it may have 1 MiB at most")
        }
        parser.parse(line)
        do throws(Refusal) {
            if let problem = parser.problem(in: line) { throw Refusal(code: problem.code, message: problem.message) }
            let attributes = Attributes(parser)
            if attributes.hasExtensions, let plain = try EventDecoder.plain(attributes) {
                // The result has no `data_base64`, so the recursion ends here.
                return plain.withUnsafeBufferPointer { take(line: $0, &table, clock) }
            }
            try appendParsed(attributes, &table, clock)
            return nil
        } catch {
            return named(error)
        }
    }

    private mutating func appendParsed(
        _ attributes: Attributes,
        _ table: inout EventTable,
        _ clock: Int64?
    ) throws(Refusal) {
        var event = rawEvent(attributes)
        let values = pending.beginRow(valuesAtMost: parser.data.count)
        do throws(Fault) {
            let time = try check(&event, &table, clock: clock)
            // Every checked event has a plan.
            let plan = event.plan!
            try readFields(&event, plan, values, &table)
            if attributes.hasExtensions { readExtensions(of: attributes, &event) }
            try checkFields(of: &event, plan, values, &table)
            end(&event, plan, at: time, &table)
        } catch {
            throw refusal(of: error, in: event, attributes, values, table)
        }
    }

    private mutating func rawEvent(_ attributes: Attributes) -> RawEvent {
        var event = RawEvent(table: names.table)
        for name in Attributes.Name.allCases {
            guard let member = attributes[name] else { continue }
            event.attributes |= RawEvent.bit(name)
            if name == .data {
                event.dataLength = member.pointee.type == .object ? Int(parser.result.pointee.data_length) : .max
            } else {
                event[name] = member.pointee.attributeText
            }
        }
        event.isIDWithinLine = attributes[.id].map { !$0.pointee.isEscaped } ?? true
        event.plan = names.plans.plan(of: event[.type]) ?? meetType(event[.type])
        event.context = contexts.slot(of: event[.source])
        return event
    }

    private mutating func readFields(
        _ event: inout RawEvent,
        _ plan: Plan,
        _ values: UnsafeMutablePointer<EventValue>,
        _ table: inout EventTable
    ) throws(Fault) {
        let members = parser.data
        let keys = plan.pointee.keys
        var key = keys.start
        for index in members.indices {
            let member = members.baseAddress! + index
            let name = member.pointee.keyBytes
            key =
                keys.key(named: name, after: key)
                ?? meetField(name, isPlain: !member.pointee.hasEscapedKey, after: key, plan, &event)
            if key.pointee.meaning.table != event.table { bind(key, name, &table, event.table) }
            let value =
                member.pointee.type == .string
                ? value(text: member.pointee.textBytes, of: key, &event.rules, &table)
                : value(other: RawValue(member.pointee), of: key, &event.rules, &table)
            guard let value else { throw .field(index) }
            (values + index).initialize(to: value)
        }
        event.valueCount = members.count
    }

    private mutating func readExtensions(of attributes: Attributes, _ event: inout RawEvent) {
        for member in attributes.extensions {
            let name = member.keyBytes
            if let strictNames, !strictNames.knows(UnknownName(.attribute, name)) { event.hasForbiddenName = true }
            let isKnown = KnownNames.isAttribute(name)
            append(extension: member.rawKeyBytes, member.rawBytes, isKnown: isKnown, to: &event)
        }
    }

    /// A refusal with the attributes that could be read before the error.
    private func named(_ refusal: Refusal) -> Refusal {
        var refusal = refusal
        guard refusal.code != .tooLong else { return refusal }
        for member in parser.members where member.type == .string && member.text_length <= 1024 {
            let text = String(decoding: member.textBytes, as: UTF8.self)
            switch member.name {
            case .id: refusal.id = text
            case .source: refusal.source = text
            case .subject: refusal.subject = text
            default: break
            }
        }
        return refusal
    }
}

extension RawValue {
    @inline(__always)
    fileprivate init(_ member: JSONMember) {
        self.init(
            kind: member.type,
            payload: member.payload,
            text: member.textBytes,
            isTextList: member.only_strings != 0
        )
    }
}

extension JSONMember {
    /// The text of an attribute; empty if the value is not a text, or contains NUL.
    fileprivate var attributeText: RawEvent.Text {
        type == .string && !hasNUL ? textBytes : RawEvent.Text(start: nil, count: 0)
    }

    fileprivate var hasEscapedKey: Bool { raw_key_length != key_length + 2 }

    /// True for a string with escapes. An escape is longer than its character.
    fileprivate var isEscaped: Bool { raw_length != text_length + 2 }

    /// True for a string with the character NUL, which can be written only as an escape.
    var hasNUL: Bool { isEscaped && textBytes.contains(0) }
}
