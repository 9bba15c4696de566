// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// What of a rule set its tests hold in place: a part that can be taken out without any test failing may be wrong
/// without any test failing.
extension ProgressEngine {
    /// The parts that no test notices missing, in the order of the file. All tests must pass with the rules as they are.
    /// - Complexity: O(parts × tests); a part costs the tests up to the first that notices.
    static func uncoveredParts(of rules: RuleSet) -> [RulePart] {
        rules.parts.filter { part in !fails(rules.without(part.kind)) }
    }
}
