// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Finds the parts of a rule set that its tests do not cover. A part is covered if some test fails without it.
extension ProgressEngine {
    /// The parts that can be removed without any test failing, in the order of the file. All tests must pass with the
    /// unchanged rules.
    /// - Complexity: O(parts × tests); for each part, tests run up to the first failure.
    static func uncoveredParts(of rules: RuleSet) -> [RulePart] {
        // A test that failed without one part is tried first for the next parts, because it usually covers them, too.
        var order = Array(rules.tests.indices)
        return rules.parts.filter { part in
            guard let position = firstFailure(rules.without(part.kind), in: order) else { return true }
            order.insert(order.remove(at: position), at: 0)
            return false
        }
    }
}
