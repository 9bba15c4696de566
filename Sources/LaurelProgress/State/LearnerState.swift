package import LaurelEvents

/// What `learner.updated` has said; per property the latest wins.
struct Profile: Sendable, Equatable {
    var displayName: String?
    var nativeLanguage: String?
    var dailyGoalMinutes = 15
    var cohort: String?
}

/// Everything the fold knows of a learner: a pure function of the learner's events and the rules.
package final class LearnerState {
    var profile = Profile()
    var voids = Voids()
    package internal(set) var vocabularies: [Vocabulary] = []
    /// The overall track first; then languages in the order they were met.
    var tracks: [TrackState]
    /// The last event that was folded or passed over as void; nil before any.
    package var position: EventPosition?

    package init(plan: FoldPlan) {
        tracks = [TrackState(language: nil, plan: plan)]
    }

    /// How many tiers of an achievement are unlocked in each track; tracks without any are left out.
    package func heldTiers(of achievement: Int) -> [(language: [UInt8]?, tier: Int)] {
        tracks.map { ($0.language, $0.achievements[achievement].tier) }.filter { $0.1 > 0 }
    }

    func track(language: [UInt8]) -> TrackState? { tracks.first { $0.language == language } }
}

/// Where in a learner's order an event stands.
package struct EventPosition: Sendable, Equatable, Comparable {
    package var milliseconds: Int64
    package var source: [UInt8]
    package var id: [UInt8]

    package init(_ table: EventTable, _ row: Int) {
        milliseconds = table.milliseconds[row]
        source = Array(table.texts[table.source[row]])
        id = table.identifier(row)
    }

    init(milliseconds: Int64, source: [UInt8], id: [UInt8]) {
        self.milliseconds = milliseconds
        self.source = source
        self.id = id
    }

    package static func < (one: EventPosition, other: EventPosition) -> Bool {
        if one.milliseconds != other.milliseconds { return one.milliseconds < other.milliseconds }
        if one.source != other.source { return one.source.lexicographicallyPrecedes(other.source) }
        return one.id.lexicographicallyPrecedes(other.id)
    }
}
