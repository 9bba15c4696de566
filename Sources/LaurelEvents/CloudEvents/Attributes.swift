import CSimdjson

/// The limits of the wire format, in bytes.
package enum Limits {
    package static let id = 128
    package static let source = 256
    package static let subject = 256
    package static let session = 128
    package static let type = 64
    package static let language = 128
    package static let data = 64 * 1024
    /// One event, as written.
    package static let event = 1024 * 1024
    /// How far ahead of the ingest clock an event may be, in milliseconds.
    package static let ahead: Int64 = 24 * 3_600_000
}

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

/// `[a-z][a-z0-9]*([._-][a-z0-9]+)*`
func isTypeName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, isLower(first) else { return false }
    var afterSeparator = false
    for byte in text {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            if afterSeparator { return false }
            afterSeparator = true
        default:
            guard isLower(byte) || isDigit(byte) else { return false }
            afterSeparator = false
        }
    }
    return !afterSeparator
}

/// The shape of a BCP 47 tag: subtags of 1 to 8 letters or digits joined by hyphens, the first of letters only.
func isLanguageTag(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (length, isFirst) = (0, true)
    for byte in text {
        if byte == UInt8(ascii: "-") {
            guard length > 0 else { return false }
            (length, isFirst) = (0, false)
        } else {
            guard isLower(byte | 0x20) || (!isFirst && isDigit(byte)), length < 8 else { return false }
            length += 1
        }
    }
    return length > 0
}

@inline(__always)
private func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
