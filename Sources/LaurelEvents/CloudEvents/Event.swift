/// Something a learner did, as a CloudEvent.
public struct Event: Sendable, Hashable {
    /// Unique within `source`; 1–128 bytes.
    public var id: String
    /// The frontend instance (app, device) that produced the event; 1–256 bytes.
    public var source: String
    /// Such as `line.spoken`: see ``Catalogue``, or a type of your own.
    public var type: String
    /// The learner's id; 1–256 bytes.
    public var subject: String
    public var time: Timestamp
    /// BCP 47 tag of the language being learned.
    public var language: String?
    /// The practice session the event belongs to; 1–128 bytes.
    public var session: String?
    /// The IANA time zone of the learner's wall clock.
    public var timezone: String?
    public var data: [String: JSONValue]
    /// Attributes the engine does not know; they come back on export.
    public var extensions: [String: JSONValue]

    public init(
        id: String,
        source: String,
        type: String,
        subject: String,
        time: Timestamp,
        language: String? = nil,
        session: String? = nil,
        timezone: String? = nil,
        data: [String: JSONValue] = [:],
        extensions: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.subject = subject
        self.time = time
        self.language = language
        self.session = session
        self.timezone = timezone
        self.data = data
        self.extensions = extensions
    }
}

extension Event {
    /// The event as one line of CloudEvents JSON.
    public var json: String { String(decoding: encoded, as: UTF8.self) }

    package var encoded: [UInt8] {
        var output: [UInt8] = []
        func put(_ name: StaticString, _ text: String?) {
            guard let text else { return }
            JSONWriter.write(name, to: &output)
            JSONWriter.write(string: text.utf8, to: &output)
        }
        put("{\"specversion\":\"1.0\",\"id\":", id)
        put(",\"source\":", source)
        put(",\"type\":", type)
        put(",\"subject\":", subject)
        put(",\"time\":", time.description)
        put(",\"language\":", language)
        put(",\"session\":", session)
        put(",\"timezone\":", timezone)
        if !data.isEmpty {
            JSONWriter.write(",\"data\":", to: &output)
            JSONValue.object(data).write(to: &output)
        }
        for name in extensions.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            output.append(UInt8(ascii: ","))
            JSONWriter.write(string: name.utf8, to: &output)
            output.append(UInt8(ascii: ":"))
            extensions[name]!.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}

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
