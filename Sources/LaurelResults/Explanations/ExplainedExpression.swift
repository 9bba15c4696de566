// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// An expression of the rules, with the values that it was evaluated on.
public struct ExplainedExpression: Sendable, Hashable {
    /// A value of the rules language, or of progress that a test expects.
    public enum Value: Sendable, Hashable {
        /// No value, such as a field that the event lacks, or the CEFR estimate of a track that has no estimate.
        case null
        /// A number. Times and days are numbers in expressions, and texts in progress.
        case number(Double)
        /// True or false: the value of a condition.
        case boolean(Bool)
        /// A text.
        case text(String)

        /// The number; nil for a value of another kind.
        public var number: Double? {
            if case .number(let number) = self { number } else { nil }
        }
    }

    /// A name in the expression, and its value.
    public struct NamedValue: Sendable, Hashable {
        /// The name, as the expression spells it.
        public var name: String
        /// The value of the name.
        public var value: Value

        /// Creates a value, for previews and tests.
        public init(name: String, value: Value) { (self.name, self.value) = (name, value) }
    }

    /// The expression as written in the rules: `(1 - session.errors / session.lines) * 30`.
    public var source: String
    /// The expression with every name replaced by its value: `(1 - 2 / 12) * 30`. Long texts are cut.
    public var substituted: String
    /// The names and their values, each name once, in the order in which they appear in the expression.
    public var values: [NamedValue]
    /// The result.
    public var value: Value

    /// Creates a value, for previews and tests.
    public init(source: String, substituted: String, values: [NamedValue], value: Value) {
        (self.source, self.substituted, self.values, self.value) = (source, substituted, values, value)
    }

    /// True if the expression is a condition that holds.
    public var isTrue: Bool { value == .boolean(true) }
}

extension ExplainedExpression.Value: CustomStringConvertible {
    /// The value as text, as an expression would spell it. Long texts are cut.
    public var description: String {
        switch self {
        case .null: "null"
        case .number(let number): ExpressionLiteral.spell(number)
        case .boolean(let value): value ? "true" : "false"
        case .text(let text): ExpressionLiteral.spell(text)
        }
    }
}

// MARK: JSON

extension ExplainedExpression.Value: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .boolean(let boolean): try container.encode(boolean)
        case .text(let text): try container.encode(text)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

extension ExplainedExpression: Codable {
    private enum CodingKeys: String, CodingKey {
        case source = "expression"
        case substituted, values, value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(substituted, forKey: .substituted)
        var named = container.nestedContainer(keyedBy: AnyKey.self, forKey: .values)
        for element in values { try named.encode(element.value, forKey: AnyKey(element.name)) }
        try container.encode(value, forKey: .value)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        source = try container.decode(String.self, forKey: .source)
        substituted = try container.decode(String.self, forKey: .substituted)
        value = try container.decode(Value.self, forKey: .value)
        let named = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .values)
        // `JSONDecoder` loses the order of members, so it is restored from the expression.
        let order = ExplainedExpression.names(in: source)
        values = try named.allKeys.map {
            NamedValue(name: $0.stringValue, value: try named.decode(Value.self, forKey: $0))
        }.sorted { one, other in
            let (first, second) = (order[one.name] ?? .max, order[other.name] ?? .max)
            return first != second ? first < second : one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
    }

    /// The byte offset at which each name first appears in an expression. Words in quotes are not names.
    /// - Complexity: O(length).
    private static func names(in source: String) -> [String: Int] {
        let bytes = Array(source.utf8)
        var places: [String: Int] = [:]
        var position = 0
        while position < bytes.count {
            let start = position
            if bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
                position += 1
                while position < bytes.count, bytes[position] != bytes[start] {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position += 1
            } else if bytes[start].isNameByte {
                while position < bytes.count, bytes[position].isNameByte { position += 1 }
                let name = String(decoding: bytes[start..<position], as: UTF8.self)
                if places[name] == nil { places[name] = start }
            } else {
                position += 1
            }
        }
        return places
    }
}

extension UInt8 {
    /// True if the byte may be part of a name, such as `session.errors`, or of a number.
    fileprivate var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
