// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// The attributes known to the engine, as the parser found them. Other members are extensions.
struct Attributes {
    /// The known attributes, in the parser's order.
    enum Name: UInt8, CaseIterable {
        case id, source, type, subject, time, version, language, session, timezone, data

        /// The attribute's name in JSON.
        var key: String {
            switch self {
            case .id: "id"
            case .source: "source"
            case .type: "type"
            case .subject: "subject"
            case .time: "time"
            case .version: "specversion"
            case .language: "language"
            case .session: "session"
            case .timezone: "timezone"
            case .data: "data"
            }
        }

        /// The maximum length of the attribute's text in bytes.
        var limit: Int {
            switch self {
            case .id: Limits.id
            case .source: Limits.source
            case .type: Limits.type
            case .subject: Limits.subject
            case .language: Limits.language
            case .session: Limits.session
            default: 1024
            }
        }
    }

    private let result: UnsafePointer<laurel_json_result>

    /// Wraps the parser's latest result, which is valid until the next parse.
    @inline(__always)
    init(_ parser: JSONParser) { result = parser.result }

    /// The member of an attribute; nil if absent or null.
    @inline(__always)
    subscript(name: Name) -> UnsafePointer<JSONMember>? { laurel_json_find(result, name.rawValue) }

    /// True if some members have no column in the table.
    @inline(__always)
    var hasExtensions: Bool { result.pointee.has_others != 0 }

    /// All members, in the order written.
    var all: UnsafeBufferPointer<JSONMember> {
        UnsafeBufferPointer(start: result.pointee.members, count: Int(result.pointee.member_count))
    }

    /// The members without a column, and the known ones that are null.
    var extensions: some Sequence<JSONMember> { all.lazy.filter { $0.name == nil || $0.type == .null } }

    /// Writes ``extensions`` as one JSON object.
    func writeExtensions(to output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        output.append(UInt8(ascii: "{"))
        for member in extensions {
            if output.count > 1 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: member.rawKeyBytes)
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: member.rawBytes)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension JSONMember {
    /// The attribute of a member; nil for an extension.
    var name: Attributes.Name? { Attributes.Name(rawValue: attribute) }
}

extension Attributes {
    /// The text of a required attribute.
    @inline(__always)
    func required(_ name: Name, atMost limit: Int) throws(Refusal) -> UnsafeBufferPointer<UInt8> {
        guard let text = try optional(name, atMost: limit) else {
            throw Refusal(code: .missing, message: "\(name) is missing; every event needs it")
        }
        return text
    }

    /// A text attribute of 1 to `limit` bytes; nil if it is absent.
    @inline(__always)
    func optional(_ name: Name, atMost limit: Int) throws(Refusal) -> UnsafeBufferPointer<UInt8>? {
        guard let member = self[name] else { return nil }
        guard member.pointee.type == .string, 1...limit ~= Int(member.pointee.text_length) else {
            throw Attributes.refusal(name, member.pointee, atMost: limit)
        }
        // Only an escape spells NUL, and an escape is longer than its character.
        if member.pointee.raw_length != member.pointee.text_length + 2, member.pointee.textBytes.contains(0) {
            throw Refusal(code: .invalidAttribute, message: "\(name) has the character NUL (\\u0000); leave it out")
        }
        return member.pointee.textBytes
    }

    @inline(never)
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
