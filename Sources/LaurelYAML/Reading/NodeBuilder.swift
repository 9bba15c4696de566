// SPDX-License-Identifier: Apache-2.0

/// Builds nodes from a stream of starts, scalars and ends. The builder has its own stack, so deeply nested input cannot
/// exhaust the call stack. The depth is limited. The number of nodes is also limited, because aliases can multiply
/// nodes.
struct NodeBuilder {
    static let maximumDepth = 64
    static let maximumNodes = 100_000

    private struct Open {
        let offset: Int
        let isMapping: Bool
        let anchor: String?
        var items: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        var keys: [String: Int] = [:]
        var pendingKey: (text: String, offset: Int)?
        var size = 1
    }

    private var stack: [Open] = []
    private var anchors: [String: YAMLNode] = [:]
    private var nodeCount = 0
    private var root: YAMLNode?
    private var mistakes: [YAMLError] = []
    private var scalarEnds: [Int: Int] = [:]

    /// The document; nil if the file has no content.
    var document: YAMLDocument? {
        root.map { YAMLDocument(root: $0, mistakes: mistakes, scalarEnds: scalarEnds) }
    }

    mutating func begin(mapping: Bool, at offset: Int, anchor: String?) throws(YAMLError) {
        if let open = stack.last, open.isMapping, open.pendingKey == nil {
            throw YAMLError(offset: offset, message: "a key must be a single value, not a mapping or a list")
        }
        guard stack.count < Self.maximumDepth else {
            throw YAMLError(offset: offset, message: "nested too deeply: at most \(Self.maximumDepth) levels")
        }
        stack.append(Open(offset: offset, isMapping: mapping, anchor: anchor))
    }

    mutating func end() throws(YAMLError) {
        let open = stack.removeLast()
        let content: YAMLNode.Content = open.isMapping ? .mapping(open.entries) : .sequence(open.items)
        try add(YAMLNode(offset: open.offset, content: content, size: open.size), anchor: open.anchor, counting: 1)
    }

    mutating func scalar(_ scalar: YAMLScalar, anchor: String?) throws(YAMLError) {
        let node = YAMLNode(offset: scalar.range.lowerBound, content: .scalar(scalar), size: 1)
        scalarEnds[scalar.range.lowerBound] = scalar.range.upperBound
        try add(node, anchor: anchor, counting: 1)
    }

    mutating func alias(_ name: String, at offset: Int) throws(YAMLError) {
        guard let node = anchors[name] else {
            throw YAMLError(offset: offset, message: "unknown anchor `*\(name)`: `&\(name)` must stand before it")
        }
        try add(node, anchor: nil, counting: node.size)
    }

    private mutating func add(_ node: YAMLNode, anchor: String?, counting newNodes: Int) throws(YAMLError) {
        nodeCount += newNodes
        guard nodeCount <= Self.maximumNodes else {
            throw YAMLError(
                offset: node.offset,
                message: "too large: at most \(Self.maximumNodes) values, aliases unfolded"
            )
        }
        if let anchor { anchors[anchor] = node }
        guard !stack.isEmpty else {
            root = node
            return
        }
        let top = stack.count - 1
        stack[top].size += node.size
        guard stack[top].isMapping else {
            stack[top].items.append(node)
            return
        }
        guard let key = stack[top].pendingKey else {
            guard let text = node.scalar?.text else {
                throw YAMLError(offset: node.offset, message: "a key must be a single value, not \(node.kindName)")
            }
            stack[top].pendingKey = (text, node.offset)
            return
        }
        stack[top].pendingKey = nil
        if stack[top].keys.updateValue(key.offset, forKey: key.text) == nil {
            stack[top].entries.append(YAMLEntry(key: key.text, keyOffset: key.offset, value: node))
        } else {
            mistakes.append(YAMLError(offset: key.offset, message: "duplicate key `\(key.text)`"))
        }
    }
}
