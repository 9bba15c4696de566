// SPDX-License-Identifier: Apache-2.0

extension EventDecoder {
    /// Checks an event like one that was sent, and appends it.
    package mutating func decode(_ event: Event, into table: inout EventTable, clock: Int64) -> Result {
        event.encoded.withUnsafeBufferPointer { decode(line: $0, into: &table, clock: clock) }
    }
}

extension EventTable {
    /// Appends an event that passes the same checks as one that was sent. For many, use one ``EventDecoder``.
    package mutating func append(_ event: Event, clock: Int64) throws(Refusal) {
        var decoder = EventDecoder()
        if case .refused(let refusal) = decoder.decode(event, into: &self, clock: clock) { throw refusal }
    }

    /// The event of a row.
    /// - Parameter subject: the learner's id where the table does not hold it.
    package func event(at row: Int, subject: String? = nil) -> Event {
        func optional(_ index: UInt32) -> String? { index == 0 ? nil : texts.string(index) }
        var extensions: [String: JSONValue] = [:]
        if self.extensions[row] != 0, case .object(let members)? = JSONValue(validated: texts[self.extensions[row]]) {
            extensions = members
        }
        var data: [String: JSONValue] = [:]
        for value in values(of: row) { data[fields.string(value.field)] = json(value) }
        return Event(
            id: String(decoding: identifier(row), as: UTF8.self),
            source: texts.string(source[row]),
            type: types.string(type[row]),
            subject: subject ?? texts.string(self.subject[row]),
            time: timestamp(row),
            language: optional(language[row]),
            session: optional(session[row]),
            timezone: optional(timezone[row]),
            data: data,
            extensions: extensions
        )
    }

    package func json(_ value: EventValue) -> JSONValue {
        switch value.kind {
        case .null: .null
        case .no: .boolean(false)
        case .yes: .boolean(true)
        case .integer: .integer(Int64(bitPattern: value.payload))
        case .double: .double(Double(bitPattern: value.payload))
        case .text: .string(texts.string(UInt32(value.payload)))
        case .json: JSONValue(validated: texts[UInt32(value.payload)]) ?? .null
        case .spelled: .number(texts.string(UInt32(value.payload)))
        }
    }
}
