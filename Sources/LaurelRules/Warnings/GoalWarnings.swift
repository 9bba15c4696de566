// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    /// Warns about goals that nobody can complete.
    mutating func warnAboutGoals(_ parts: RuleSet, _ names: NameRanges) {
        warnAboutPools(parts)
        for section in checked.goals {
            let results = examine(section, names)
            warnAboutCondition("when", section, results)
            guard let value = results["value"], let target = results["target"], !target.isReported,
                let scalar = checked.all(in: section).first(where: { $0.key == "target" })?.scalar
            else { continue }
            if let obstacle = obstacle(value, target) { report(scalar.range, obstacle, .warning) }
        }
    }

    /// The sentence that says why no learner can complete a goal; nil if a learner may complete it.
    private func obstacle(_ value: ExaminedExpression, _ target: ExaminedExpression) -> String? {
        guard let highest = target.range.numbers?.high, highest > 0 else {
            return "`target` is never more than 0: nobody completes the goal"
        }
        guard !value.isReported, let least = target.range.numbers?.low else { return nil }
        guard let most = value.range.numbers?.high else {
            return "`value` is always null: \(least.brief) is out of reach"
        }
        return most < least ? "`value` is never more than \(most.brief): \(least.brief) is out of reach" : nil
    }
}
