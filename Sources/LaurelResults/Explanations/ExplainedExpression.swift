// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// An expression of the rules with the values that it was evaluated on.
public struct ExplainedExpression: Sendable, Hashable {
    /// What an expression, or a name in it, stands for.
    public enum Value: Sendable, Hashable {
        /// Nothing, such as a field that an event lacks.
        case null
        /// A number; times and days are numbers, too.
        case number(Double)
        /// Whether something holds.
        case boolean(Bool)
        /// Text.
        case text(String)

        /// nil for what is no number.
        public var number: Double? {
            if case .number(let number) = self { number } else { nil }
        }
    }

    /// A name that the expression reads, and what it stood for.
    public struct NamedValue: Sendable, Hashable {
        /// As the expression spells it.
        public var name: String
        /// What it stood for.
        public var value: Value

        /// Creates one, for previews and tests.
        public init(name: String, value: Value) { (self.name, self.value) = (name, value) }
    }

    /// As written in the rules: `(1 - session.errors / session.lines) * 30`.
    public var source: String
    /// As written, with every name replaced by its value: `(1 - 2 / 12) * 30`. Long texts are cut.
    public var substituted: String
    /// In the order in which the expression names them, each once.
    public var values: [NamedValue]
    /// What it came to.
    public var value: Value

    /// Creates one, for previews and tests.
    public init(source: String, substituted: String, values: [NamedValue], value: Value) {
        (self.source, self.substituted, self.values, self.value) = (source, substituted, values, value)
    }

    /// Whether it is a condition that held.
    public var isTrue: Bool { value == .boolean(true) }
}

extension ExplainedExpression.Value: CustomStringConvertible {
    /// As an expression writes it; long texts are cut.
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
        // `JSONDecoder` does not tell the document's order; the expression does.
        let order = ExplainedExpression.names(in: source)
        values = try named.allKeys.map {
            NamedValue(name: $0.stringValue, value: try named.decode(Value.self, forKey: $0))
        }.sorted { one, other in
            let (first, second) = (order[one.name] ?? .max, order[other.name] ?? .max)
            return first != second ? first < second : one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
    }

    /// Where each name of an expression first stands; words within quotes are none.
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
            } else if bytes[start].isOfName {
                while position < bytes.count, bytes[position].isOfName { position += 1 }
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
    /// Whether it may stand in a name, such as `session.errors`, or in a number.
    fileprivate var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
