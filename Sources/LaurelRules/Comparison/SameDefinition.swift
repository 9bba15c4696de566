// SPDX-License-Identifier: Apache-2.0

extension Metric {
    /// True if another metric has the same definition. When the rules change, this metric then continues with the other
    /// metric's values.
    package func isDefined(as other: Metric) -> Bool {
        aggregate == other.aggregate && types.areSame(as: other.types)
            && expression?.definition == other.expression?.definition && filter?.definition == other.filter?.definition
            && key?.definition == other.key?.definition
    }
}

extension AchievementRule {
    /// True if the best value of another achievement is also valid for this achievement.
    package func isMeasured(as other: AchievementRule) -> Bool {
        value.definition == other.value.definition && when?.definition == other.when?.definition
    }
}
