// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

extension LearnerProjection {
    /// The projection as read back from the store: without achievements that have not begun, and without groups.
    package var normalised: LearnerProjection {
        var copy = self
        copy.joinedGroups = []
        for index in copy.tracks.indices {
            copy.tracks[index].achievements.removeAll { !$0.hasBegun }
        }
        return copy
    }
}

extension AchievementProjection {
    /// True if there is a tier or any progress.
    var hasBegun: Bool { tier != 0 || progress != 0 || unlockedAt != nil }
}
