package import LaurelProgress

extension LearnerProjection {
    /// As the store gives it back: without achievements on which nothing happened yet.
    package var normalised: LearnerProjection {
        var copy = self
        for index in copy.tracks.indices {
            copy.tracks[index].achievements.removeAll { $0.tier == 0 && $0.progress == 0 && $0.unlockedAt == nil }
        }
        return copy
    }
}
