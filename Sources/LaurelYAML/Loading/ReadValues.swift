// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

// Functions that read one kind of value each. If the value is wrong, they report the mistake and return nil.

extension FileLoader {
    /// Reads a mapping with known keys; nil if the node is null or missing.
    package mutating func section(_ node: YAMLNode?, _ keys: Keys) -> Section? {
        guard let entries = mapping(node, keys.phrase), let node else { return nil }
        let torn = tornValues(entries, keys)
        var section = Section(keys, node, entries)
        for part in torn {
            reportTorn(entries[part])
            section.setAside(entries[part.lowerBound].key)
        }
        let absent = keys.names.filter { !section.has($0) }
        for (index, entry) in entries.enumerated() where !keys.names.contains(entry.key) {
            guard !torn.contains(where: { $0.contains(index) }) else { continue }
            // Keys that the mapping already has are suggested only if no other key is similar.
            let nearest =
                isFull
                ? nil : nearestName(to: entry.key, among: absent) ?? nearestName(to: entry.key, among: keys.names)
            if let nearest, !section.has(nearest) { section.setAside(nearest) }
            let known = "; it may have " + keys.names.joined(separator: ", ")
            let message = "unknown key `\(entry.key)` in \(keys.phrase)\(nearest.map { didYouMean(code: $0) } ?? known)"
            report(entry.keyOffset, message, suggestion: nearest)
        }
        return section
    }

    /// Reads the entries of a mapping whose keys are not restricted. Returns nil if the node is null or missing.
    package mutating func mapping(_ node: YAMLNode?, _ what: String) -> [YAMLEntry]? {
        guard let node, !node.isNull else { return nil }
        if case .mapping(let entries) = node.content { return entries }
        report(node.offset, "\(what) must be a mapping (`key: value`), not \(node.kindName)")
        return nil
    }

    /// Reads a list. Returns an empty list if the node is null or missing.
    package mutating func list(_ node: YAMLNode?, _ what: String) -> [YAMLNode] {
        guard let node, !node.isNull else { return [] }
        if case .sequence(let items) = node.content { return items }
        report(node.offset, "\(what) must be a list, not \(node.kindName)")
        return []
    }

    /// Reads a list, or a single value as a list of one.
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

    /// The index in `choices` of the text that the node contains. Reports any other text.
    package mutating func choice(_ node: YAMLNode, _ what: String, of choices: [String]) -> Int? {
        guard let text = text(node, what) else { return nil }
        if let index = choices.firstIndex(of: text) { return index }
        let nearest = nearestName(to: text, among: choices)
        let known = choices.joined(separator: ", ")
        let advice = nearest.map { didYouMean(code: $0) } ?? "; it is one of \(known)"
        report(node.offset, "\(what) cannot be `\(text)`\(advice)", suggestion: nearest)
        return nil
    }

    /// The kind of the node, or its text, for messages.
    private func found(_ node: YAMLNode) -> String {
        guard let text = node.scalar?.text else { return node.kindName }
        return text.isEmpty ? "nothing" : "`\(text.count > 40 ? text.prefix(40) + "…" : text)`"
    }

    /// Checks that the file's `version` is 1, the only version so far.
    package mutating func readVersion(_ section: Section, of what: String) {
        guard let node = section["version"] else {
            guard !section.isSetAside("version") else { return }
            report(section.offset, "`version` is missing: write `version: 1`")
            return
        }
        guard let version = integer(node, "`version`", in: 0...Int.max), version != 1 else { return }
        report(node.offset, "version \(version) of \(what) is unknown; this is version 1")
    }

    /// The value of a required key. Reports a missing key.
    package mutating func required(_ section: Section, _ key: String) -> YAMLNode? {
        if let node = section[key] { return node }
        requireAll(section, [key])
        return nil
    }

    /// Reports which of some required keys are missing, in one message.
    package mutating func requireAll(_ section: Section, _ keys: [String]) {
        let missing = keys.filter { !section.has($0) && !section.isSetAside($0) }.map { "`\($0)`" }
        guard let last = missing.last else { return }
        let list = missing.count == 1 ? last : missing.dropLast().joined(separator: ", ") + " and \(last)"
        report(section.offset, "\(section.keys.phrase) needs \(list)")
    }
}
