// SPDX-License-Identifier: Apache-2.0

/// The results that must be recomputed when one rule set replaces another. A result is reused only if it provably
/// stays the same.
package enum RulesImpact: Sendable, Equatable {
    /// No state changes. The rule sets can differ only in the achievements that they hide.
    case listings
    /// Only the thresholds of the named achievements differ, and no other result depends on them. The progress towards
    /// these achievements changes for learners whose progress is above 0. For all other learners it stays 0.
    case thresholds([String])
    case everything

    init(_ old: RuleSet, _ new: RuleSet) {
        if old.foldedContent == new.foldedContent {
            self = .listings
            return
        }
        let changed = new.achievements.map(\.id).filter { id in
            guard let one = old.achievements.first(where: { $0.id == id }),
                let other = new.achievements.first(where: { $0.id == id })
            else { return false }
            return one.thresholds != other.thresholds && old.isAlone(one) && new.isAlone(other)
        }
        let rest = Set(changed)
        let isAll = old.foldedContent(withoutThresholdsOf: rest) == new.foldedContent(withoutThresholdsOf: rest)
        self = !changed.isEmpty && isAll ? .thresholds(changed) : .everything
    }
}

extension RuleSet {
    /// True if no other result depends on the achievement, and its value is a whole number. If the progress in such
    /// an achievement is 0, its value was never above 0.
    fileprivate func isAlone(_ rule: AchievementRule) -> Bool {
        let isRequired = achievements.contains { $0.requires.contains { achievements[$0].id == rule.id } }
        return rule.xp.isZero && rule.gift.isEmpty && !isRequired && countsWholeThings(rule.value)
    }

    /// True if the expression is only the name of a whole number. A fraction could be so small that its share of a
    /// threshold is computed as 0.
    private func countsWholeThings(_ value: Program) -> Bool {
        guard value.isName else { return false }
        let name = value.usedSlots[0].name
        if FrameLayout.TrackName.always.contains(where: { $0.text == name }) { return true }
        guard case .track = value.usedSlots[0].slot, !name.hasPrefix(FrameLayout.TrackName.balancePrefix),
            !name.hasPrefix(FrameLayout.TrackName.goalPrefix)
        else {
            return false
        }
        let metric = metrics.first { name.hasSuffix(".\($0.name)") }
        guard let metric else { return name.hasSuffix(".xp") }
        return metric.aggregate.isWhole
    }
}
