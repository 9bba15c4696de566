// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Numbers by name.
public typealias NumbersByName = ValuesByName<Double>
/// Texts by name.
public typealias TextsByName = ValuesByName<String>
/// Instants by name.
public typealias InstantsByName = ValuesByName<Date>

/// Values by name, in a meaningful order. In JSON they are an object.
///
/// Two lists are equal if the same names have the same values. Their order is ignored, because decoding loses it.
public struct ValuesByName<Value: Codable & Sendable & Hashable>: Sendable, Hashable {
    /// A value and its name.
    public struct Element: Sendable, Hashable {
        /// The name, as the rules spell it.
        public var name: String
        /// The value of that name.
        public var value: Value

        /// Creates a value, for previews and tests.
        public init(name: String, value: Value) { (self.name, self.value) = (name, value) }
    }

    private var elements: [Element]

    /// Creates a value, for previews and tests.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// The value of a name; nil if there is none.
    /// - Complexity: O(n).
    public subscript(name: String) -> Value? { elements.first { $0.name == name }?.value }

    private var inByteOrder: [Element] { elements.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }

    /// True if both have the same names with the same values, in any order.
    /// - Complexity: O(n) in equal order, else O(n log n).
    public static func == (one: ValuesByName, other: ValuesByName) -> Bool {
        one.elements == other.elements
            || (one.elements.count == other.elements.count && one.inByteOrder == other.inByteOrder)
    }

    /// Hashes in byte order of the names, so that equal values have equal hashes.
    /// - Complexity: O(n log n).
    public func hash(into hasher: inout Hasher) { hasher.combine(inByteOrder) }
}

extension ValuesByName: RandomAccessCollection, ExpressibleByDictionaryLiteral {
    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }
    public subscript(position: Int) -> Element { elements[position] }

    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements.map { Element(name: $0.0, value: $0.1) })
    }
}

extension ValuesByName: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for element in elements { try container.encode(element.value, forKey: AnyKey(element.name)) }
    }

    /// Puts the names in byte order, because `JSONDecoder` does not keep the order of members.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        elements = try container.allKeys.map {
            Element(name: $0.stringValue, value: try container.decode(Value.self, forKey: $0))
        }
        elements = inByteOrder
    }

    /// The same values, in byte order of their names.
    package var sortedByName: ValuesByName { ValuesByName(inByteOrder) }
}

/// A key that is data, such as the name of a metric.
package struct AnyKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ text: String) { stringValue = text }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
