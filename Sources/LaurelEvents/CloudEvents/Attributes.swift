// SPDX-License-Identifier: Apache-2.0

import CEventJSON

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

    /// The members that have no column, and known members that are null.
    var extensions: some Sequence<JSONMember> { all.lazy.filter { $0.name == nil || $0.type == .null } }
}

extension JSONMember {
    /// The attribute of a member; nil for an extension.
    var name: Attributes.Name? { Attributes.Name(rawValue: attribute) }
}
