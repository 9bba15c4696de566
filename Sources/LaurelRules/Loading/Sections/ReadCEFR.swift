// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    mutating func readCEFR(_ node: YAMLNode?) -> CEFRRule? {
        guard let section = section(node, .cefr) else { return nil }
        let score = requiredExpression(section, "score", expecting: .number, in: NameScope(.cefr))
        guard let node = required(section, "bands"), let bands = self.section(node, .bands) else { return nil }
        requireAll(bands, CEFRRule.levels)
        var starts: [Double] = []
        for level in CEFRRule.levels {
            guard let node = bands[level], let start = number(node, "`\(level)`") else { continue }
            if level == "A1", start != 0 {
                report(node.offset, "A1 starts at 0, not at \(start.brief)")
            } else if let last = starts.last, start <= last {
                report(
                    node.offset,
                    "bands must ascend: \(level) starts at \(start.brief), the one before at \(last.brief)"
                )
            }
            starts.append(start)
        }
        note(.cefr, "the CEFR estimate", section.keyOffset("score"))
        checked.cefr = section.offset
        guard let score, starts.count == CEFRRule.levels.count else { return nil }
        return CEFRRule(score: score, bands: starts)
    }
}
