import CSimdjson

/// Where in the list of members the attributes stand that the engine knows; the others are extensions.
struct Attributes {
    enum Name: UInt8, CaseIterable {
        case id, source, type, subject, time, version, language, session, timezone, data
    }

    /// Index of the member plus one; 0 where the attribute is absent or null.
    private var positions: InlineArray<10, UInt32> = .init(repeating: 0)
    private let members: UnsafeBufferPointer<JSONMember>
    /// Whether there are members that the table has no column for.
    private(set) var hasExtensions = false

    init(_ members: UnsafeBufferPointer<JSONMember>) {
        self.members = members
        for index in members.indices {
            if let name = Attributes.name(members[index].keyBytes), members[index].type != .null {
                positions[Int(name.rawValue)] = UInt32(index + 1)
            } else {
                hasExtensions = true
            }
        }
    }

    @inline(__always)
    subscript(name: Name) -> JSONMember? {
        let position = positions[Int(name.rawValue)]
        return position == 0 ? nil : members[Int(position) - 1]
    }

    @inline(__always)
    static func name(_ key: UnsafeBufferPointer<UInt8>) -> Name? {
        switch key.count {
        case 2: key.isEqual(to: "id") ? .id : nil
        case 4:
            key.isEqual(to: "type") ? .type : key.isEqual(to: "time") ? .time : key.isEqual(to: "data") ? .data : nil
        case 6: key.isEqual(to: "source") ? .source : nil
        case 7: key.isEqual(to: "subject") ? .subject : key.isEqual(to: "session") ? .session : nil
        case 8: key.isEqual(to: "language") ? .language : key.isEqual(to: "timezone") ? .timezone : nil
        case 11: key.isEqual(to: "specversion") ? .version : nil
        default: nil
        }
    }

    /// The members without a column, and the known ones that are null, as one JSON object.
    func writeExtensions(to output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        output.append(UInt8(ascii: "{"))
        for member in members where Attributes.name(member.keyBytes) == nil || member.type == .null {
            if output.count > 1 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: member.rawKeyBytes)
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: member.rawBytes)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension Attributes {
    /// A text attribute that must be there.
    @inline(__always)
    func required(_ name: Name, atMost limit: Int) throws(Refusal) -> UnsafeBufferPointer<UInt8> {
        guard let text = try optional(name, atMost: limit) else {
            throw Refusal(code: .missing, message: "\(name) is missing; every event needs it")
        }
        return text
    }

    /// A text attribute of 1 to `limit` bytes; nil where it is absent.
    @inline(__always)
    func optional(_ name: Name, atMost limit: Int) throws(Refusal) -> UnsafeBufferPointer<UInt8>? {
        guard let member = self[name] else { return nil }
        guard member.type == .string, 1...limit ~= Int(member.text_length) else {
            throw Attributes.refusal(name, member, atMost: limit)
        }
        return member.textBytes
    }

    private static func refusal(_ name: Name, _ member: JSONMember, atMost limit: Int) -> Refusal {
        let found =
            switch (member.type, member.text_length) {
            case (.string, 0): "is empty"
            case (.string, let length): "has \(length) bytes"
            default: "is \(shown(member))"
            }
        return Refusal(
            code: .invalidAttribute,
            message: "\(name) \(found); it must be text of 1 to \(limit) bytes (UTF-8)"
        )
    }
}
