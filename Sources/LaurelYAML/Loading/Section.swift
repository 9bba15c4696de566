/// The keys that one kind of mapping in a file may hold.
package protocol SectionKeys: Sendable {
    var names: [String] { get }
    /// For messages: "a metric", "`calendar`".
    var phrase: String { get }
}

/// A mapping of a file whose keys were checked.
package struct Section<Keys: SectionKeys> {
    package let keys: Keys
    package let offset: Int
    private let values: [String: YAMLEntry]

    init(_ keys: Keys, _ node: YAMLNode, _ entries: [YAMLEntry]) {
        self.keys = keys
        offset = node.offset
        values = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(_ key: String) -> YAMLNode? {
        assert(keys.names.contains(key), "\(key) is not in \(keys)")
        return values[key]?.value
    }

    package func has(_ key: String) -> Bool { self[key] != nil }

    package func keyOffset(_ key: String) -> Int { values[key]?.keyOffset ?? offset }
}
