// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// The reason why an event was refused.
public struct Refusal: Error, Sendable, Hashable {
    /// The kind of reason; later versions may add more.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let invalidJSON = Code(rawValue: "invalid-json")
        public static let tooLong = Code(rawValue: "too-long")
        public static let duplicateKey = Code(rawValue: "duplicate-key")
        public static let missing = Code(rawValue: "missing")
        public static let invalidAttribute = Code(rawValue: "invalid-attribute")
        public static let invalidField = Code(rawValue: "invalid-field")
        /// An unknown type, attribute or field, in a strict ingest.
        public static let unknownName = Code(rawValue: "unknown-name")
        public static let future = Code(rawValue: "future")
        /// An administrator's event from a sender who is not an administrator.
        public static let forbiddenType = Code(rawValue: "forbidden-type")
        /// A reserved source from a sender who is not an administrator.
        public static let forbiddenSource = Code(rawValue: "forbidden-source")
        /// A retraction that the sender may not make.
        public static let forbiddenRetraction = Code(rawValue: "forbidden-retraction")
        /// A purchase of an item that the rules do not have.
        public static let unknownItem = Code(rawValue: "unknown-item")
        /// A purchase that costs more than the learner has.
        public static let insufficientBalance = Code(rawValue: "insufficient-balance")
        /// A purchase beyond the item's limit.
        public static let limitReached = Code(rawValue: "limit-reached")
        /// A purchase before the learner's latest purchase.
        public static let tooEarly = Code(rawValue: "too-early")
        /// A record of another format that its adapter cannot convert to an event.
        public static let invalidRecord = Code(rawValue: "invalid-record")
        /// A record of another format that the mapping does not mention.
        public static let unmapped = Code(rawValue: "unmapped")
        /// An event of a learner about whom the sender may not report, or a merge that the sender may not make.
        public static let forbiddenLearner = Code(rawValue: "forbidden-learner")
    }

    public var code: Code
    /// A sentence that names the error, its position, and a correct value.
    public var message: String
    /// The event's attributes; nil if they could not be read.
    public var id: String?
    public var source: String?
    public var subject: String?

    public init(code: Code, message: String, id: String? = nil, source: String? = nil, subject: String? = nil) {
        self.code = code
        self.message = message
        self.id = id
        self.source = source
        self.subject = subject
    }
}

extension Refusal: CustomStringConvertible {
    public var description: String { message }
}

/// A text for a message: in quotes, shortened, without control characters.
package func shown(_ text: some Collection<UInt8>, limit: Int = 40) -> String {
    let string = String(decoding: text.prefix(limit * 4), as: UTF8.self)
    var result = "“"
    for (position, scalar) in string.unicodeScalars.enumerated() {
        guard position < limit else { return result + "…”" }
        result.unicodeScalars.append(scalar.value < 32 || scalar.value == 127 ? "\u{FFFD}" : scalar)
    }
    return result + "”"
}

/// A value for a message.
func shown(_ member: JSONMember) -> String {
    switch member.type {
    case .null: "null"
    case .no: "false"
    case .yes: "true"
    case .string: shown(member.textBytes)
    case .integer, .double, .spelled:
        member.text_length <= 30
            ? String(decoding: member.textBytes, as: UTF8.self)
            : String(decoding: member.textBytes.prefix(30), as: UTF8.self) + "…"
    case .array: "a list"
    case .object: "an object"
    }
}
