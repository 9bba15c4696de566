// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

/// An expression without mistakes, and its place in the rules.
struct CheckedExpression {
    let key: String
    let program: Program
    let scope: NameScope
    let scalar: YAMLScalar
}

/// The expressions of a rules file, by their section, in the order of loading.
struct CheckedExpressions {
    /// The expressions by the offset of their section in the file.
    private var bySection: [Int: [CheckedExpression]] = [:]
    /// The offsets of the sections that were read without mistakes.
    var metrics: [Int] = []
    var xpRules: [Int] = []
    var achievements: [Int] = []
    /// The sections whose expressions were examined.
    var examined: Set<Int> = []
    var streak: Int?
    var cefr: Int?

    mutating func add(_ expression: CheckedExpression, in section: Int) {
        // An alias is the same section as its anchor.
        guard !all(in: section).contains(where: { $0.key == expression.key }) else { return }
        bySection[section, default: []].append(expression)
    }

    func all(in section: Int) -> [CheckedExpression] { bySection[section] ?? [] }

    /// The quoted texts in an expression.
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

    /// The event fields that an expression reads for events of any type.
    var fieldsOfAnyType: Set<String> {
        let open = bySection.values.joined().filter { $0.scope.eventTypes == nil }
        let names = open.flatMap(\.program.usedSlots).map(\.name)
        return Set(names.filter { $0.hasPrefix("event.") }.map { String($0.dropFirst("event.".count)) })
    }
}
