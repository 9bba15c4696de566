// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// The selection of XP that a leaderboard compares.
struct BoardTerms: Sendable {
    /// The language; nil for the overall track.
    let language: String?
    /// The days whose XP counts; nil for all.
    let days: ClosedRange<LocalDay>?
    /// The last instant that counts, in milliseconds since 1970.
    let instant: Int64
}

/// A learner's XP on a board.
struct Standing: Sendable {
    let learner: Int64
    let xp: Double
    /// Details that only a fold gives; nil if the learner was not folded.
    var details: StandingDetails?

    /// True if the first of two learners with equal XP precedes the second. The details of both must be known.
    static func reachedEarlier(_ one: Standing, _ other: Standing) -> Bool {
        guard let one = one.details, let other = other.details else { return false }
        if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
        return one.subject.lexicographicallyPrecedes(other.subject)
    }
}

struct StandingDetails: Sendable {
    var subject: [UInt8]
    var displayName: String?
    var cohort: String?
    /// False if the learner is left out of leaderboards.
    var isOnLeaderboards: Bool
    /// The time of the latest change of the XP that counts, in milliseconds since 1970.
    var reachedAt: Int64
}

/// Computes standings from events. It is used for learners with events after the instant, for learners with equal XP,
/// and for all learners under other rules than the store's.
struct StandingFold {
    let state: any StoreState
    let plan: FoldPlan
    let terms: BoardTerms

    var scan: LearnerScan { LearnerScan(state: state, plan: plan, instant: terms.instant) }

    /// The standings of the given learners, by ascending ids. If `learners` is nil, all learners are included.
    /// - Complexity: O(events of these learners), on all cores if they are many.
    func standings(of learners: [Int64]?, _ reader: any StoreReader) throws -> [Standing] {
        try scan.results(of: learners, reader, standing)
    }

    @Sendable
    private func standing(_ learner: LearnerRecord, _ runs: [EventRun], _ folder: LearnerFolder) -> Standing {
        let observer = CreditObserver(terms)
        folder.fold.observer = observer
        folder.refold(runs, until: terms.instant)
        let state = folder.state
        let details = StandingDetails(
            subject: learner.subject,
            displayName: state.displayName,
            cohort: state.cohort,
            isOnLeaderboards: state.isOnLeaderboards,
            reachedAt: observer.reachedAt
        )
        let xp = ProgressReader(plan: plan).comparedXP(state, language: terms.language, days: terms.days)
        return Standing(learner: learner.id, xp: xp, details: details)
    }
}

/// Notes the time of the latest change of the XP that counts. Flagged XP does not count.
private final class CreditObserver: FoldObserver {
    private let language: [UInt8]?
    private let days: ClosedRange<LocalDay>?
    private var time: Int64 = 0
    private var counts = false
    private(set) var reachedAt: Int64 = 0

    init(_ terms: BoardTerms) {
        language = terms.language.map { Array($0.utf8) }
        days = terms.days
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        time = event.time
        counts = event.flag != .flagged && days?.contains(event.day) ?? true
    }

    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {
        if counts, language == self.language { reachedAt = time }
    }
}
