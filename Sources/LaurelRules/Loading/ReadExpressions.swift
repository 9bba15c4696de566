// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    /// Compiles the expression under a key. Returns nil if the key is missing, or after reporting mistakes.
    mutating func expression(
        _ section: Section,
        _ key: String,
        expecting type: ValueType?,
        in scope: NameScope
    ) -> Program? {
        guard let node = section[key] else { return nil }
        guard let scalar = node.scalar else {
            report(node.offset, "`\(key)` must be an expression, not \(node.kindName)")
            return nil
        }
        // A copy, because the closure must not capture `self`.
        var names = self.names
        let result = Compiler.compile(scalar.text, for: "`\(key)`", expecting: type) { names.resolve($0, in: scope) }
        self.names = names
        switch result {
        case .success(let program):
            let expression = CheckedExpression(key: key, program: program, scope: scope, scalar: scalar)
            checked.add(expression, in: section.offset)
            return program
        case .failure(let failure):
            let position = ScalarPosition(scalar, in: source.bytes)
            for error in failure.errors {
                report(position.source(of: error.range), error.message, suggestion: error.suggestion)
            }
            return nil
        }
    }

    /// Compiles the expression under a required key. Reports a missing key.
    mutating func requiredExpression(
        _ section: Section,
        _ key: String,
        expecting type: ValueType?,
        in scope: NameScope
    ) -> Program? {
        required(section, key).flatMap { _ in expression(section, key, expecting: type, in: scope) }
    }

    /// Reads the event types under a key: one type, a list, or `*` for every type. Returns nil if the key is missing,
    /// or after reporting an unknown type.
    mutating func eventTypes(_ section: Section, _ key: String) -> RuleTypes? {
        guard let node = required(section, key) else { return nil }
        var types: [String] = []
        var isRight = true
        let items = oneOrMore(node, "`\(key)`")
        for item in items {
            guard let type = text(item, "`\(key)`") else { continue }
            if type == RuleTypes.everyName {
                if items.count == 1 { return .every }
                report(item.offset, "`*` means every event type, so it stands alone")
                isRight = false
            } else if !isKnown(type: type, at: item.offset) {
                isRight = false
            } else if types.contains(type) {
                report(item.offset, "`\(type)` is listed twice", .warning)
            } else {
                types.append(type)
            }
        }
        return isRight && !types.isEmpty ? RuleTypes(types) : nil
    }

    /// Reports an event type that neither the catalogue nor the file has.
    mutating func isKnown(type: String, at offset: Int) -> Bool {
        guard names.events.fieldsByType[type] == nil else { return true }
        let nearest = isFull ? nil : nearestName(to: type, among: names.events.typeNames)
        let advice = nearest == nil ? ": an app's" : "\(didYouMean(code: nearest)) An app's"
        let message = "unknown event type `\(type)`\(advice) own types are declared under `events:`"
        report(offset, message, suggestion: nearest)
        return false
    }
}
