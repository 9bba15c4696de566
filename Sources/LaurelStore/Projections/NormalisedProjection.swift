// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

extension LearnerProjection {
    /// As the store gives it back: without achievements on which nothing happened yet.
    package var normalised: LearnerProjection {
        var copy = self
        for index in copy.tracks.indices {
            copy.tracks[index].achievements.removeAll { !$0.hasBegun }
        }
        return copy
    }
}

extension AchievementProjection {
    /// Whether anything happened on it.
    var hasBegun: Bool { tier != 0 || progress != 0 || unlockedAt != nil }
}
