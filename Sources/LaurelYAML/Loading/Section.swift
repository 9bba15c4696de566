// SPDX-License-Identifier: Apache-2.0

/// The keys that a kind of mapping can have.
package protocol SectionKeys {
    var names: [String] { get }
    /// The name of such a mapping in messages.
    var phrase: String { get }
}

/// A mapping in a file. Its keys were already checked.
package struct Section {
    package let keys: any SectionKeys
    package let offset: Int
    private var values: [String: YAMLEntry]
    private var setAside: Set<String> = []

    init(_ keys: any SectionKeys, _ node: YAMLNode, _ entries: [YAMLEntry]) {
        self.keys = keys
        offset = node.offset
        values = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(_ key: String) -> YAMLNode? {
        assert(keys.names.contains(key), "\(key) is not among the keys of \(keys)")
        return values[key]?.value
    }

    /// True if the mapping has the key, but its entry was removed after a mistake was reported.
    package func isSetAside(_ key: String) -> Bool { setAside.contains(key) }

    /// Removes an entry whose mistake was reported. Then the entry is not read, and is not reported as missing.
    mutating func setAside(_ key: String) {
        values[key] = nil
        setAside.insert(key)
    }

    package func has(_ key: String) -> Bool { self[key] != nil }

    package func keyOffset(_ key: String) -> Int { values[key]?.keyOffset ?? offset }
}
