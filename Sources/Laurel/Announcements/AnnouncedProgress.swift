// SPDX-License-Identifier: Apache-2.0

import LaurelProgress

/// The part of a learner's progress that is compared to find announcements, before or after a transaction.
struct AnnouncedProgress {
    /// Parts of the learner's state that the store's tables do not contain.
    struct Parts {
        var words: Bool
        var milestones: Bool
    }

    /// nil for a learner without events.
    let projection: LearnerProjection?
    private(set) var mastered: Set<MasteredWord> = []
    /// nil for a learner without events, or if no message needs milestones.
    private(set) var milestones: Milestones?

    init(_ projection: LearnerProjection?) { self.projection = projection }

    /// The parts that are wanted and not empty; nil if the state need not be read.
    func parts(of wanted: Parts) -> Parts? {
        guard let projection else { return nil }
        var parts = wanted
        // The overall track, which is the first, counts words of all languages.
        if projection.tracks.first?.numbers.counts.words.mastered ?? 0 == 0 { parts.words = false }
        return parts.words || parts.milestones ? parts : nil
    }

    mutating func read(_ parts: Parts, _ state: LearnerState, _ reader: ProgressReader) {
        if parts.words { mastered = reader.masteredWords(state) }
        if parts.milestones { milestones = reader.milestones(state) }
    }
}
