// SPDX-License-Identifier: Apache-2.0

package import LaurelYAML

/// A part of a rule set that can be removed from it.
package struct RulePart: Sendable {
    /// The kinds of parts. Each index is an index into the rule set's list of such rules.
    package enum Kind: Hashable, Sendable {
        case metric(Int)
        case metricFilter(Int)
        case streak, freezes, restDays, freezesAtStart, everyWeek
        case xpRule(Int)
        case xpCondition(Int)
        case dailyCap(Int)
        case refill(Int)
        case levels, cefr
        case limit(Int)
        case season(Int)
        case experiment(Int), experimentFrom(Int), experimentThrough(Int)
        /// A threshold of an achievement, together with all higher thresholds.
        case tier(Int, of: Int)
        case condition(Int)
        case requirements(Int)
        case reward(Int)
        case gift(Int)
        case item(Int)
        case goal(Int), goalCondition(Int), goalReward(Int), goalGift(Int)
        case pool(Int)
        /// The start or end of a goal's period.
        case goalFrom(Int), goalThrough(Int)
        /// The start or end of a period. The first two cases are for an XP rule, the last two for an achievement.
        case xpFrom(Int), xpThrough(Int), from(Int), through(Int)
    }

    package let kind: Kind
    /// The part in messages: "the XP rule `line`".
    package let phrase: String
    package let position: SourcePosition
    /// The byte range in the file.
    let range: Range<Int>
}

extension RuleSet {
    /// The rules without one part. The removed part becomes a metric that stays 0, a rule that awards nothing, a
    /// condition that is always true, or a threshold that no value reaches.
    package func without(_ part: RulePart.Kind) -> RuleSet {
        var parts = self
        switch part {
        case .metric(let index): parts.metrics[index] = metrics[index].filtered(by: .never)
        case .metricFilter(let index): parts.metrics[index] = metrics[index].filtered(by: nil)
        case .streak: parts.streak = nil
        case .freezes:
            parts.streak = streak.map { $0.with(earnEvery: nil, hold: $0.hold, restDays: $0.restDays) }
        case .restDays:
            parts.streak = streak.map { $0.with(earnEvery: $0.earnEvery, hold: $0.hold, restDays: 0) }
        case .freezesAtStart: parts.streak?.freezesAtStart = 0
        case .everyWeek: parts.streak?.isWeekly = false
        case .xpRule(let index): parts.xpRules.remove(at: index)
        case .xpCondition(let index): parts.xpRules[index].when = nil
        case .dailyCap(let index): parts.xpRules[index].dailyCap = nil
        case .refill(let index): parts.currencies[index].refill = nil
        case .levels: parts.levels = LevelCurve(table: [0])
        case .cefr: parts.cefr = nil
        case .limit(let index): parts.plausible.remove(at: index)
        case .season(let index): parts.seasons.remove(at: index)
        case .experiment(let index): parts.experiments[index].variants = []
        case .experimentFrom(let index): parts.experiments[index].period.from = nil
        case .experimentThrough(let index): parts.experiments[index].period.through = nil
        case .tier(let tier, let index): parts.achievements[index].thresholds.reachable(only: tier)
        case .condition(let index): parts.achievements[index].when = nil
        case .requirements(let index): parts.achievements[index].requires = []
        case .reward(let index): parts.achievements[index].xp = TierAmounts([0])
        case .gift(let index): parts.achievements[index].gift = Gift()
        case .item(let index): (parts.items[index].price, parts.items[index].gift) = ([], Gift())
        case .goal(let index): parts.goals.remove(at: index)
        case .pool(let index):
            for goal in goals.indices where goals[goal].pool == index { parts.goals[goal].pool = nil }
        case .goalCondition(let index): parts.goals[index].when = nil
        case .goalReward(let index): parts.goals[index].xp = 0
        case .goalGift(let index): parts.goals[index].gift = Gift()
        case .goalFrom(let index): parts.goals[index].period.from = nil
        case .goalThrough(let index): parts.goals[index].period.through = nil
        case .xpFrom(let index): parts.xpRules[index].period.from = nil
        case .xpThrough(let index): parts.xpRules[index].period.through = nil
        case .from(let index): parts.achievements[index].period.from = nil
        case .through(let index): parts.achievements[index].period.through = nil
        }
        return parts
    }
}

extension [Double] {
    fileprivate mutating func reachable(only count: Int) {
        self = indices.map { $0 < count ? self[$0] : .infinity }
    }
}

extension StreakRule {
    fileprivate func with(earnEvery: Int?, hold: Int, restDays: UInt8) -> StreakRule {
        var rule = StreakRule(when: when, earnEvery: earnEvery, hold: hold, restDays: restDays)
        rule.freezesAtStart = freezesAtStart
        rule.isWeekly = isWeekly
        return rule
    }
}

extension Metric {
    fileprivate func filtered(by filter: Program?) -> Metric {
        Metric(name: name, aggregate: aggregate, types: types, expression: expression, filter: filter, key: key)
    }
}

extension Program {
    /// A condition that is false for every event.
    fileprivate static var never: Program {
        var code = PostfixCode()
        code.add(.number(0))
        return Program(syntax: Syntax(source: "false"), type: .boolean, names: [], code: code)
    }
}
