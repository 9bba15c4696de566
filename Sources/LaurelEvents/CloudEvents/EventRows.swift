// SPDX-License-Identifier: Apache-2.0

extension EventTable {
    /// Appends events after the same checks as for received events. Any time is allowed.
    package mutating func append(_ events: [Event]) throws(Refusal) {
        var decoder = EventDecoder()
        for event in events {
            let result = event.encoded.withUnsafeBufferPointer { decoder.decode(line: $0, into: &self, clock: nil) }
            if case .refused(let refusal) = result { throw refusal }
        }
    }

    /// The event of a row.
    /// - Parameter subject: the learner's id if the table does not contain it.
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
