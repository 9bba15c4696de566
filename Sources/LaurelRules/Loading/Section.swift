/// A mapping of the rules file whose keys were checked.
struct Section {
    let keys: RulesKeys
    let offset: Int
    private let values: [String: YAMLEntry]

    init(_ keys: RulesKeys, _ node: YAMLNode, _ entries: [YAMLEntry]) {
        self.keys = keys
        offset = node.offset
        values = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ key: String) -> YAMLNode? {
        assert(keys.names.contains(key), "\(key) is not in RulesKeys.\(keys)")
        return values[key]?.value
    }

    func has(_ key: String) -> Bool { self[key] != nil }

    func keyOffset(_ key: String) -> Int { values[key]?.keyOffset ?? offset }
}
