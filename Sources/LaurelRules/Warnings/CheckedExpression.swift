// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

/// An expression that has no mistakes, with its place in the rules.
struct CheckedExpression {
    let key: String
    let program: Program
    let scope: NameScope
    let scalar: YAMLScalar
}

/// The expressions of a rules file, grouped by section. Within a section, they are in the order of loading.
struct CheckedExpressions {
    /// The expressions, by the byte offset of their section in the file.
    private var bySection: [Int: [CheckedExpression]] = [:]
    /// The offsets of the sections that were read without mistakes.
    var metrics: [Int] = []
    var xpRules: [Int] = []
    var achievements: [Int] = []
    var goals: [Int] = []
    /// The offsets of the sections whose expressions were already examined.
    var examined: Set<Int> = []
    var streak: Int?
    var cefr: Int?

    mutating func add(_ expression: CheckedExpression, in section: Int) {
        // A YAML alias has the same offset as its anchor, so its expressions are already in the list.
        guard !all(in: section).contains(where: { $0.key == expression.key }) else { return }
        bySection[section, default: []].append(expression)
    }

    func all(in section: Int) -> [CheckedExpression] { bySection[section] ?? [] }

    /// The text literals in an expression.
    var texts: Set<String> {
        var texts: Set<String> = []
        for node in bySection.values.joined().flatMap(\.program.syntax.nodes) {
            switch node.kind {
            case .text(let text): texts.insert(text)
            case .membership(let list):
                for case .text(let text) in list { texts.insert(text) }
            default: continue
            }
        }
        return texts
    }

    /// The event fields that an expression reads at events of any type.
    var fieldsOfAnyType: Set<String> {
        let open = bySection.values.joined().filter { $0.scope.eventTypes == nil }
        let names = open.flatMap(\.program.usedSlots).map(\.name)
        return Set(names.filter { $0.hasPrefix("event.") }.map { String($0.dropFirst("event.".count)) })
    }
}
