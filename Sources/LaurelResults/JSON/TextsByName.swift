// SPDX-License-Identifier: Apache-2.0

/// Texts by name, in byte order of the names. In JSON they are an object.
public struct TextsByName: Sendable, Hashable {
    /// A text and its name.
    public struct Element: Sendable, Hashable {
        /// The name, as the rules spell it.
        public var name: String
        /// The text of that name.
        public var value: String

        /// Creates a value, for previews and tests.
        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    private var elements: [Element]

    /// Creates a value, for previews and tests.
    public init(_ elements: [Element] = []) {
        self.elements = elements.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The text of a name; nil if there is none.
    /// - Complexity: O(n).
    public subscript(name: String) -> String? { elements.first { $0.name == name }?.value }
}

extension TextsByName: RandomAccessCollection, ExpressibleByDictionaryLiteral {
    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }
    public subscript(position: Int) -> Element { elements[position] }

    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Element(name: $0.0, value: $0.1) })
    }
}

extension TextsByName: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for element in elements { try container.encode(element.value, forKey: AnyKey(element.name)) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        self.init(
            try container.allKeys.map {
                Element(name: $0.stringValue, value: try container.decode(String.self, forKey: $0))
            }
        )
    }
}
