// SPDX-License-Identifier: Apache-2.0

extension Metric {
    /// True if another metric is defined alike: values of the one are values of the other.
    package func isDefined(as other: Metric) -> Bool {
        aggregate == other.aggregate && Set(types) == Set(other.types)
            && expression?.definition == other.expression?.definition && filter?.definition == other.filter?.definition
            && key?.definition == other.key?.definition
    }
}

extension AchievementRule {
    /// True if the best value of another is one of its own.
    package func isMeasured(as other: AchievementRule) -> Bool {
        value.definition == other.value.definition && when?.definition == other.when?.definition
    }
}
