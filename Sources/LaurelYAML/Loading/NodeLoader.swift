import LaurelEvents

/// Reads a file's nodes as what its language calls for, going on after each mistake so that all are reported at once.
package protocol NodeLoader {
    associatedtype Keys: SectionKeys
    var diagnostics: DiagnosticList { get set }
}

// How each kind of value is read. Every function reports what is wrong and then returns nil.

extension NodeLoader {
    package var source: SourceText { diagnostics.source }
    package var isFull: Bool { diagnostics.isFull }

    package mutating func report(
        _ offset: Int,
        _ message: String,
        suggestion: String? = nil,
        _ severity: Diagnostic.Severity = .error
    ) {
        diagnostics.report(offset, message, suggestion: suggestion, severity)
    }

    /// A mapping with known keys; nil where the node is null or none.
    package mutating func section(_ node: YAMLNode?, _ keys: Keys) -> Section<Keys>? {
        guard let entries = mapping(node, keys.phrase), let node else { return nil }
        for entry in entries where !keys.names.contains(entry.key) {
            let nearest = isFull ? nil : nearestName(to: entry.key, among: keys.names)
            let message = "unknown key `\(entry.key)` in \(keys.phrase)\(didYouMean(nearest))"
            report(entry.keyOffset, message, suggestion: nearest)
        }
        return Section(keys, node, entries)
    }

    /// The entries of a mapping with free keys; nil where the node is null or none.
    package mutating func mapping(_ node: YAMLNode?, _ what: String) -> [YAMLEntry]? {
        guard let node, !node.isNull else { return nil }
        if case .mapping(let entries) = node.content { return entries }
        report(node.offset, "\(what) must be a mapping (`key: value`), not \(node.kindName)")
        return nil
    }

    /// A list; empty where the node is null or none.
    package mutating func list(_ node: YAMLNode?, _ what: String) -> [YAMLNode] {
        guard let node, !node.isNull else { return [] }
        if case .sequence(let items) = node.content { return items }
        report(node.offset, "\(what) must be a list, not \(node.kindName)")
        return []
    }

    /// A list, or one value that stands for a list of it.
    package mutating func oneOrMore(_ node: YAMLNode, _ what: String) -> [YAMLNode] {
        switch node.content {
        case .scalar: return [node]
        case .sequence(let items):
            if items.isEmpty { report(node.offset, "\(what) must not be empty") }
            return items
        case .mapping:
            report(node.offset, "\(what) must be one value or a list, not a mapping")
            return []
        }
    }

    package mutating func text(_ node: YAMLNode, _ what: String) -> String? {
        if let scalar = node.scalar { return scalar.text }
        report(node.offset, "\(what) must be text, not \(node.kindName)")
        return nil
    }

    package mutating func nonEmptyText(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        if !text.isEmpty, text.utf8.count <= 128 { return text }
        report(node.offset, "\(what) must have 1 to 128 bytes")
        return nil
    }

    package mutating func number(_ node: YAMLNode, _ what: String) -> Double? {
        if let number = node.scalar.flatMap({ PlainScalar.number($0.text) }) { return number }
        report(node.offset, "\(what) must be a number, not \(found(node))")
        return nil
    }

    package mutating func integer(_ node: YAMLNode, _ what: String, in range: ClosedRange<Int>) -> Int? {
        let number = node.scalar.flatMap { PlainScalar.number($0.text) }
        if let whole = number.flatMap({ Int(exactly: $0) }), range.contains(whole) { return whole }
        let bounds =
            range.upperBound >= 1 << 53
            ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        report(node.offset, "\(what) must be a whole number \(bounds), not \(found(node))")
        return nil
    }

    package mutating func boolean(_ node: YAMLNode, _ what: String) -> Bool? {
        switch node.scalar?.text {
        case "true": return true
        case "false": return false
        default:
            report(node.offset, "\(what) must be true or false, not \(found(node))")
            return nil
        }
    }

    /// The index in `choices` of the one that the node names.
    package mutating func choice(_ node: YAMLNode, _ what: String, of choices: [String]) -> Int? {
        guard let text = text(node, what) else { return nil }
        if let index = choices.firstIndex(of: text) { return index }
        let nearest = nearestName(to: text, among: choices)
        let known = choices.joined(separator: ", ")
        let advice = nearest.map { didYouMean($0) } ?? "; it is one of \(known)"
        report(node.offset, "\(what) cannot be `\(text)`\(advice)", suggestion: nearest)
        return nil
    }

    /// What stands there instead, for messages.
    private func found(_ node: YAMLNode) -> String {
        guard let text = node.scalar?.text else { return node.kindName }
        return text.isEmpty ? "nothing" : "`\(text.count > 40 ? text.prefix(40) + "…" : text)`"
    }

    /// The value of a key that must be there.
    package mutating func required(_ section: Section<Keys>, _ key: String) -> YAMLNode? {
        if let node = section[key] { return node }
        report(section.offset, "\(section.keys.phrase) needs `\(key)`")
        return nil
    }
}
