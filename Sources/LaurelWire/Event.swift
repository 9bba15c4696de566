// SPDX-License-Identifier: Apache-2.0

/// An action of a learner, as a CloudEvent.
public struct Event: Sendable, Hashable {
    /// The id, unique within `source`; 1–128 bytes.
    public var id: String
    /// The frontend instance (app, device) that produced the event; 1–256 bytes.
    public var source: String
    /// The type, such as `line.spoken`: see ``Catalogue``, or a type of your own.
    public var type: String
    /// The learner's id; 1–256 bytes.
    public var subject: String
    /// The time of the event, with its offset as written.
    public var time: Timestamp
    /// The BCP 47 tag of the language being learned; nil for none.
    public var language: String?
    /// The id of the practice session, 1–128 bytes; nil outside sessions.
    public var session: String?
    /// The IANA time zone of the learner's clock; nil if the event does not give it.
    public var timezone: String?
    /// The fields of the type, and further fields that the rules read.
    public var data: [String: JSONValue]
    /// Further attributes, which the engine does not use. They are stored and exported.
    public var extensions: [String: JSONValue]

    /// Creates an event. ``id`` and ``source`` together identify a learner's event.
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
