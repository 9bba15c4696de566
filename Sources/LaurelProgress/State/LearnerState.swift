// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// The profile from `learner.updated`. The latest value of each property wins.
struct Profile: Sendable, Equatable {
    var displayName: String?
    var nativeLanguage: String?
    var dailyGoalMinutes = 15
    /// False if the learner is left out of leaderboards.
    var isOnLeaderboards = true
    var cohort: String?
    /// The values of ``VersionPlan/learnerFields``.
    var fields: [LearnerFieldValue] = []

    init(_ plan: VersionPlan) { fields = Array(repeating: .null, count: plan.learnerFields.count) }
}

/// Everything that the fold stores about a learner. The state depends only on the learner's events and the rules.
///
/// No property is read or written while another access is changing it. Run-time exclusivity checks are therefore off.
/// For learners with few events, the checks would take longer than folding the events.
package final class LearnerState {
    @exclusivity(unchecked) var profile: Profile
    @exclusivity(unchecked) var voids = Voids()
    /// The balances, in the order of the currencies in the rules.
    @exclusivity(unchecked) var balances: [Balance]
    /// The number of bought items, in the order of the items in the rules.
    @exclusivity(unchecked) var purchases: [Int]
    /// The time of the latest purchase of a known item, in milliseconds since 1970; nil before the first.
    @exclusivity(unchecked) var purchasedAt: Int64?
    /// The completions of goals, in the order of the goals in the rules.
    @exclusivity(unchecked) var goals: [GoalState]
    /// The FSRS parameters that were fitted to the learner's reviews.
    @exclusivity(unchecked) var fitted = FittedParameters()
    /// The latest events of the types that rules limit, and the events whose flags were cleared.
    @exclusivity(unchecked) var plausibility: Plausibility
    @exclusivity(unchecked) package internal(set) var memberships = Memberships()
    @exclusivity(unchecked) package internal(set) var leagues = LeagueResults()
    @exclusivity(unchecked) package internal(set) var vocabularies: [Vocabulary] = []
    /// The learner's id as of the latest folded events, if the rules have goals; otherwise empty. Pools use this id to
    /// choose goals. The id is not part of the encoded state.
    @exclusivity(unchecked) var subject = ""
    /// The tracks: the overall track first, then languages in the order of their first event.
    @exclusivity(unchecked) var tracks: [TrackState]
    /// The learner's version of the rules, as an index into the plan's versions.
    @exclusivity(unchecked) package private(set) var version = 0
    /// The position of the last event that was folded, or skipped as void; nil before the first event.
    @exclusivity(unchecked) package var position: EventPosition?

    /// Tracks and vocabularies of previous learners, whose memory is reused.
    @exclusivity(unchecked)
    private var spares: (tracks: [TrackState], vocabularies: [Vocabulary]) = ([], [])
    private static let sparesKept = 8
    @exclusivity(unchecked) private var trackIndexes = TrackLookup()
    @exclusivity(unchecked) private var vocabularyIndexes = TrackLookup()

    package convenience init(plan: FoldPlan) { self.init(version: plan.versions[0]) }

    init(version plan: VersionPlan) {
        version = plan.index
        profile = Profile(plan)
        tracks = [TrackState(language: nil, plan: plan)]
        balances = plan.currencies.map(Balance.init(startingUnder:))
        purchases = Array(repeating: 0, count: plan.rules.items.count)
        goals = Array(repeating: GoalState(), count: plan.goals.count)
        plausibility = Plausibility(plan)
    }

    /// The plan of the version that applies to the learner.
    package var plan: VersionPlan { tracks[0].plan }

    /// Converts the state to the next version.
    /// - Parameters:
    ///   - tracks: the converted tracks, in the same order.
    ///   - balances: the converted balances.
    func switchVersion(to plan: VersionPlan, _ tracks: [TrackState], _ balances: [Balance]) {
        version = plan.index
        (self.tracks, self.balances) = (tracks, balances)
        // The memory of spare tracks has the size that the old version needs.
        spares.tracks = []
    }

    /// Resets the state for a learner without events, and reuses the memory.
    /// - Parameter plan: the plan with which the state was created.
    func beginAgain(plan: FoldPlan) {
        profile = Profile(plan.versions[0])
        if !voids.isEmpty { voids = Voids() }
        if !fitted.isEmpty { fitted = FittedParameters() }
        if !plan.versions[0].limitedTypes.isEmpty || plausibility.cleared.count > 0 {
            plausibility = Plausibility(plan.versions[0])
        }
        memberships = Memberships()
        leagues = LeagueResults()
        position = nil
        trackIndexes.removeAll()
        vocabularyIndexes.removeAll()
        if version == 0 {
            spares.tracks += tracks.dropFirst().prefix(LearnerState.sparesKept - spares.tracks.count)
            tracks.removeLast(tracks.count - 1)
            tracks[0].beginAgain(language: nil)
        } else {
            switchVersion(to: plan.versions[0], [TrackState(language: nil, plan: plan.versions[0])], [])
        }
        balances = plan.versions[0].currencies.map(Balance.init(startingUnder:))
        purchases = Array(repeating: 0, count: plan.versions[0].rules.items.count)
        purchasedAt = nil
        subject = ""
        goals = Array(repeating: GoalState(), count: plan.versions[0].goals.count)
        spares.vocabularies += vocabularies.prefix(LearnerState.sparesKept - spares.vocabularies.count)
        vocabularies.removeAll(keepingCapacity: true)
    }

    /// Calls a closure with each of the learner's numbers that expressions read, and its slot in tracks.
    func forEachPublishedNumber(_ body: (_ slot: Int, Double) -> Void) {
        let plan = plan
        for index in plan.currencies.indices {
            if let slot = plan.currencies[index].slot { body(slot, balances[index].amount) }
        }
        for index in plan.goals.indices {
            if let slot = plan.goals[index].slot { body(slot, Double(goals[index].times)) }
        }
    }

    /// Adds a language's track.
    func addTrack(language name: UnsafeBufferPointer<UInt8>, plan: VersionPlan) -> TrackState {
        let track: TrackState
        if let index = spares.tracks.firstIndex(where: { $0.values.pointee.hasLanguage(name) }) {
            track = spares.tracks.remove(at: index)
            track.beginAgain(language: track.language)
        } else if let spare = spares.tracks.popLast() {
            track = spare
            track.beginAgain(language: Array(name))
        } else {
            track = TrackState(language: Array(name), plan: plan)
        }
        tracks.append(track)
        return track
    }

    /// Adds a language's vocabulary.
    func addVocabulary(language: [UInt8]) -> Vocabulary {
        let vocabulary = spares.vocabularies.popLast() ?? Vocabulary(language: language)
        vocabulary.beginAgain(language: language)
        vocabularies.append(vocabulary)
        return vocabulary
    }

    /// For each track with unlocked tiers, the number of unlocked tiers, and the time of the latest unlock in
    /// milliseconds since 1970.
    /// - Parameter achievement: the achievement's index in the learner's version.
    package func heldTiers(of achievement: Int) -> [(language: [UInt8]?, tier: Int, unlockedAt: Int64?)] {
        tracks.map { ($0.language, $0.achievements[achievement].tier, $0.achievements[achievement].unlockedAt) }
            .filter { $0.1 > 0 }
    }

    /// The tracks: the overall track first, then languages in byte order.
    var tracksInOrder: [TrackState] {
        guard tracks.count > 2 else { return tracks }
        return [tracks[0]]
            + tracks.dropFirst().sorted { ($0.language ?? []).lexicographicallyPrecedes($1.language ?? []) }
    }

    func track(language: [UInt8]) -> TrackState? { language.withUnsafeBufferPointer(track) }

    func track(language: UnsafeBufferPointer<UInt8>) -> TrackState? {
        trackIndexes.index(of: language, among: tracks.count) { tracks[$0].values.pointee.language }.map { tracks[$0] }
    }

    /// The vocabulary of a language; nil if the learner has none.
    /// - Parameter language: empty for the words of events without a language.
    package func vocabulary(language: [UInt8]) -> Vocabulary? {
        language.withUnsafeBufferPointer { language in
            vocabularyIndexes.index(of: language, among: vocabularies.count) { vocabularies[$0].language }
        }
        .map { vocabularies[$0] }
    }

    /// The vocabularies whose words a track counts. A language's track counts the words of that language. The overall
    /// track counts all words.
    func vocabularies(of track: TrackState) -> [Vocabulary] {
        guard let language = track.language else { return vocabularies }
        return vocabulary(language: language).map { [$0] } ?? []
    }
}

/// The position of an event in the learner's order.
package struct EventPosition: Sendable, Equatable, Comparable {
    package var milliseconds: Int64
    package var source: [UInt8]
    package var id: [UInt8]

    package init(_ table: borrowing EventTable, _ row: Int) {
        milliseconds = table.milliseconds[row]
        source = Array(table.texts[table.source[row]])
        id = table.identifier(row)
    }

    /// The position before all events at a time, given in milliseconds since 1970.
    package init(before milliseconds: Int64) {
        self.init(milliseconds: milliseconds, source: [], id: [])
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
