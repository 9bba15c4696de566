// SPDX-License-Identifier: Apache-2.0

extension Metric {
    /// True if another metric has the same definition, so that its values can be kept.
    package func isDefined(as other: Metric) -> Bool {
        aggregate == other.aggregate && Set(types) == Set(other.types)
            && expression?.definition == other.expression?.definition && filter?.definition == other.filter?.definition
            && key?.definition == other.key?.definition
    }
}

extension AchievementRule {
    /// True if another achievement's best value is also a value of this one.
    package func isMeasured(as other: AchievementRule) -> Bool {
        value.definition == other.value.definition && when?.definition == other.when?.definition
    }
}
