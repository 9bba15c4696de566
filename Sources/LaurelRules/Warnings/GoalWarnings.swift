// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    /// Warns about goals that nobody can complete.
    mutating func warnAboutGoals(_ parts: Parts, _ names: NameRanges) {
        for section in checked.goals {
            let results = examine(section, names)
            warnAboutCondition("when", section, results)
            guard let value = results["value"], let target = results["target"], !target.isReported,
                let scalar = checked.all(in: section).first(where: { $0.key == "target" })?.scalar
            else { continue }
            let (most, least) = (value.range.numbers?.high, target.range.numbers?.low)
            if target.range.numbers?.high ?? 0 <= 0 {
                report(scalar.range, "`target` is never more than 0: nobody completes the goal", .warning)
            } else if !value.isReported, let least, most ?? -.infinity < least {
                let phrase = most.map { "never more than \($0.brief)" } ?? "always null"
                report(scalar.range, "`value` is \(phrase): \(least.brief) is out of reach", .warning)
            }
        }
    }
}
