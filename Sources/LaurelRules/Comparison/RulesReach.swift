// SPDX-License-Identifier: Apache-2.0

/// Properties of rules that hold for all possible events: metrics that are never read, and rules that never act.
struct RulesReach {
    /// The metrics that XP, the streak, the CEFR estimate or achievements depend on, directly or through other metrics.
    let readMetrics: Set<String>
    /// For each XP rule and award that never awards anything, the reason. The key is the rule's id in comparisons.
    let idleXPRules: [String: String]
    /// For each achievement that no value ever unlocks, the reason. The key is the achievement's id.
    let unreachable: [String: String]

    init(_ rules: RuleSet) {
        readMetrics = RulesReach.readMetrics(rules)
        idleXPRules = rules.xpRules.reduce(into: [:]) { $0[rules.comparedID(of: $1)] = $1.reasonForNothing }
        unreachable = RulesReach.unreachable(rules)
    }

    private static func readMetrics(_ rules: RuleSet) -> Set<String> {
        var programs: [Program?] = [rules.streak?.when, rules.cefr?.score]
        programs += rules.xpRules.flatMap { [$0.when, $0.award] }
        programs += rules.achievements.flatMap { [$0.when, $0.value] }
        programs += rules.goals.flatMap { [$0.when, $0.value, $0.target] }
        var read: Set<String> = []
        // A metric can read only metrics above it in the file.
        for metric in rules.metrics.reversed() {
            if programs.contains(where: { $0?.reads(metric: metric.name) ?? false }) {
                read.insert(metric.name)
                programs += [metric.expression, metric.filter, metric.key]
            }
        }
        return read
    }

    private static func unreachable(_ rules: RuleSet) -> [String: String] {
        var reasons = rules.achievements.map { $0.reasonForNothing(levels: rules.levels) }
        // `requires` has no cycles, so one round per achievement is enough.
        for _ in rules.achievements {
            for (index, rule) in rules.achievements.enumerated() where reasons[index] == nil {
                if let required = rule.requires.first(where: { reasons[$0] != nil }) {
                    reasons[index] = "it requires `\(rules.achievements[required].id)`, which is out of reach"
                }
            }
        }
        return zip(rules.achievements, reasons).reduce(into: [:]) { $0[$1.0.id] = $1.1 }
    }
}

extension XPRule {
    fileprivate var reasonForNothing: String? {
        if let when, when.neverHolds { return "its `when` never holds" }
        if let constant = award.constantNumber, !(constant >= 1 || currency != nil && constant <= -1) {
            return "it awards nothing"
        }
        if let dailyCap, dailyCap < 1, currency == nil { return "its `daily_cap` is 0" }
        return nil
    }
}

extension AchievementRule {
    fileprivate func reasonForNothing(levels: LevelCurve) -> String? {
        if let when, when.neverHolds { return "its `when` never holds" }
        guard let first = thresholds.first else { return nil }
        if let constant = value.constantNumber, !(constant >= first) { return "its value never reaches it" }
        if value.isName, value.usedSlots[0].name == "level", let last = levels.lastLevel, Double(last) < first {
            return "there are only \(last) levels"
        }
        return nil
    }
}

extension Program {
    fileprivate var neverHolds: Bool { constantNumber.map { $0 != 1 } ?? false }

    fileprivate func reads(metric name: String) -> Bool {
        usedSlots.contains { slot in
            let parts = slot.name.split(separator: ".", maxSplits: 1)
            return parts.count == 2 && parts[1] == name && FrameLayout.Window.allCases.contains { $0.name == parts[0] }
        }
    }
}
