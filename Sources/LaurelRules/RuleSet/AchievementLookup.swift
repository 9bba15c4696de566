// SPDX-License-Identifier: Apache-2.0

extension RuleSet {
    /// The index of the achievement whose id has the same bytes; nil if there is none.
    package func achievementIndex(_ id: String) -> Int? {
        achievements.firstIndex { $0.id.utf8.elementsEqual(id.utf8) }
    }

    package func achievement(_ id: String) -> AchievementRule? { achievementIndex(id).map { achievements[$0] } }
}
