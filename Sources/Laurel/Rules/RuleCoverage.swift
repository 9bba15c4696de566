// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Which parts of a rule set its tests cover. If a part can be removed and no test fails, it may be wrong and no test fails.
extension ProgressEngine {
    /// The parts that no test notices missing, in the order of the file. All tests must pass with the rules as they are.
    /// - Complexity: O(parts × tests); a part costs the tests up to the first that notices.
    static func uncoveredParts(of rules: RuleSet) -> [RulePart] {
        // A test that has noticed a part is tried first for the next ones: it mostly notices its neighbours, too.
        var order = Array(rules.tests.indices)
        return rules.parts.filter { part in
            guard let place = firstFailure(rules.without(part.kind), in: order) else { return true }
            order.insert(order.remove(at: place), at: 0)
            return false
        }
    }
}
