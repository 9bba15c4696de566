// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    mutating func readMastery(_ node: YAMLNode?) -> MasteryRule {
        var mastery = MasteryRule()
        guard let section = section(node, .mastery) else { return mastery }
        if let learnedAt = section["learned_at"].flatMap({ integer($0, "`learned_at`", in: 0...5) }) {
            mastery.learnedAt = learnedAt
        }
        if let days = section["mastery_days"].flatMap({ readMasteryDays($0) }) { mastery.masteryDays = days }
        let weights = section["parameters"].flatMap { readWeights($0) } ?? MasteryRule.defaultWeights
        let retention = section["desired_retention"].flatMap { readRetention($0) } ?? 0.9
        mastery.countsCalendarDays = section["days"].flatMap { choice($0, "`days`", of: ["hours", "calendar"]) } == 1
        let isFSRS = section["scheduler"].flatMap { choice($0, "`scheduler`", of: ["sm2", "fsrs"]) } == 1
        if isFSRS {
            mastery.scheduler = .fsrs(weights: weights, desiredRetention: retention)
        } else {
            for key in ["parameters", "desired_retention", "mastery_days", "days"] where section.has(key) {
                report(section.keyOffset(key), "`\(key)` has no effect: only `scheduler: fsrs` uses it", .warning)
            }
        }
        return mastery
    }

    private mutating func readMasteryDays(_ node: YAMLNode) -> [Double]? {
        guard let days = ascendingNumbers(node, "`mastery_days`") else { return nil }
        if days.count == 5, days[0] > 0 { return days }
        report(node.offset, "`mastery_days` must be five numbers of days above 0, for mastery 1 to 5")
        return nil
    }

    private mutating func readWeights(_ node: YAMLNode) -> [Double]? {
        let items = list(node, "`parameters`")
        let weights = items.compactMap { number($0, "a parameter") }
        guard weights.count == items.count else { return nil }
        guard weights.count == 21 else {
            report(node.offset, "`parameters` must be the 21 weights of FSRS-6, not \(weights.count)")
            return nil
        }
        for index in [0, 1, 2, 3, 20] where weights[index] <= 0 {
            report(items[index].offset, "w\(index) must be more than 0, not \(weights[index].brief)")
        }
        return weights
    }

    private mutating func readRetention(_ node: YAMLNode) -> Double? {
        guard let retention = number(node, "`desired_retention`") else { return nil }
        if retention > 0, retention < 1 { return retention }
        report(node.offset, "`desired_retention` must lie between 0 and 1, not be \(retention.brief)")
        return nil
    }
}
