// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelResults
import LaurelRules

/// Adds up the differences between learners' progress under two rule sets.
struct DifferenceTally {
    private var summary = DifferenceSummary()
    /// For each compared number, every learner's change.
    private var changes = Array(repeating: [Int](), count: DifferenceTally.paths.count)
    private var indexes: [String: Int] = [:]

    /// - Parameter population: the number of all learners.
    init(old: FoldPlan, new: FoldPlan, population: Int) {
        let comparison = RulesComparison(old.latest.rules, new.latest.rules)
        summary.changes = comparison.changes.map(RulesChange.init)
        summary.mayChangeNumbers = comparison.impact != .listings
        summary.population = population
        for id in (new.achievementIDs + old.achievementIDs) where indexes[id] == nil {
            indexes[id] = summary.achievements.count
            summary.achievements.append(DifferenceSummary.Holders(id: id))
        }
    }

    mutating func add(_ learner: ComparedLearner) {
        summary.compared += 1
        let directions = learner.tracks.flatMap(\.directions)
        let isRedated = learner.tracks.contains { !$0.achievements.isEmpty }
        switch (directions.contains { $0 > 0 }, directions.contains { $0 < 0 }) {
        case (true, false): summary.gain += 1
        case (false, true): summary.lose += 1
        case (true, true): summary.both += 1
        case (false, false) where isRedated: summary.onlyDates += 1
        case (false, false): summary.noChange += 1
        }
        for track in learner.tracks where track.language != nil {
            let direction = track.cefrDirection
            if direction > 0 { summary.cefrHigher += 1 }
            if direction < 0 { summary.cefrLower += 1 }
        }
        if let overall = learner.tracks.first { addNumbers(overall) }
        addHolders(learner)
        addFlagged(learner.flagged.before, learner.flagged.after)
    }

    private mutating func addFlagged(_ before: FlaggedEvents, _ after: FlaggedEvents) {
        guard before.count + after.count > 0 else { return }
        var flagged = summary.flagged ?? DifferenceSummary.Flagged()
        flagged.learnersBefore += before.count > 0 ? 1 : 0
        flagged.learnersAfter += after.count > 0 ? 1 : 0
        flagged.eventsBefore += before.count
        flagged.eventsAfter += after.count
        flagged.xpBefore += before.xp
        flagged.xpAfter += after.xp
        summary.flagged = flagged
    }

    private static let paths: [any WritableKeyPath<DifferenceSummary, DifferenceSummary.Change> & Sendable] = [
        \.level, \.xp, \.currentStreak, \.longestStreak, \.wordsLearned,
    ]

    private mutating func addNumbers(_ track: TrackDifference) {
        for (index, (before, after)) in zip(track.before.compared, track.after.compared).enumerated() {
            let path = DifferenceTally.paths[index]
            summary[keyPath: path].sumBefore += before
            summary[keyPath: path].sumAfter += after
            if after > before { summary[keyPath: path].gains += 1 }
            if after < before { summary[keyPath: path].losses += 1 }
            changes[index].append(after - before)
        }
    }

    private mutating func addHolders(_ learner: ComparedLearner) {
        for id in learner.held.before { summary.achievements[indexes[id]!].before += 1 }
        for id in learner.held.after { summary.achievements[indexes[id]!].after += 1 }
        var seen: Set<[String]> = []
        for difference in learner.tracks.flatMap(\.achievements) {
            // Each achievement is counted once per learner, even if it differs in several languages.
            guard seen.insert([difference.id, difference.outcome.rawValue]).inserted else { continue }
            let index = indexes[difference.id]!
            switch difference.outcome {
            case .won: summary.achievements[index].won += 1
            case .lost: summary.achievements[index].lost += 1
            case .moreTiers: summary.achievements[index].moreTiers += 1
            case .fewerTiers: summary.achievements[index].fewerTiers += 1
            case .earlier: summary.achievements[index].earlier += 1
            case .later: summary.achievements[index].later += 1
            }
        }
    }

    func finished() -> DifferenceSummary {
        var summary = summary
        for (path, values) in zip(DifferenceTally.paths, changes) {
            summary[keyPath: path].uncertainty = uncertainty(values)
            guard !values.isEmpty else { continue }
            let sorted = values.sorted()
            summary[keyPath: path].median = sorted.medianOfSorted ?? 0
            let changed = sorted.filter { $0 != 0 }
            summary[keyPath: path].medianOfChanged = changed.medianOfSorted ?? 0
            summary[keyPath: path].largestGain = max(0, sorted[sorted.count - 1])
            summary[keyPath: path].largestLoss = min(0, sorted[0])
        }
        guard summary.isSample else { return summary }
        for index in summary.achievements.indices {
            let (before, after) = (summary.achievements[index].before, summary.achievements[index].after)
            summary.achievements[index].estimatedBefore = summary.estimate(before)
            summary.achievements[index].estimatedAfter = summary.estimate(after)
        }
        return summary
    }

    /// The uncertainty of a sample; nil if all learners were compared.
    private func uncertainty(_ changes: [Int]) -> DifferenceSummary.Uncertainty? {
        guard summary.isSample else { return nil }
        guard !changes.isEmpty else { return DifferenceSummary.Uncertainty(median: nil, sumChange: nil) }
        let (values, population) = (changes.map(Double.init), summary.population)
        return DifferenceSummary.Uncertainty(
            median: Estimate.medianInterval(values.sorted(), population: population),
            sumChange: Estimate.sumInterval(values, population: population)
        )
    }
}

extension TrackDifference.Numbers {
    /// The compared numbers, in the order of ``DifferenceTally/paths``.
    fileprivate var compared: [Int] { [currentLevel, totalXP, currentStreak, longestStreak, totalWordsLearned] }
}

extension TrackDifference {
    /// The direction of each difference: positive for an increase, negative for a decrease.
    fileprivate var directions: [Int] {
        let numbers = zip(before.compared, after.compared).map { $1 - $0 }
        return numbers + [cefrDirection] + achievements.map { $0.tierAfter - $0.tierBefore }
    }

    /// The direction of the CEFR level. A missing level counts as lower than A1.
    fileprivate var cefrDirection: Int { after.cefrRank - before.cefrRank }
}

extension TrackDifference.Numbers {
    /// The rank of the level; 0 for none.
    fileprivate var cefrRank: Int {
        estimatedCEFR.flatMap { CEFRLevel.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    }
}

extension RulesChange {
    init(_ change: RulesComparison.Change) {
        // Both types have the same parts and kinds with the same raw values, so the conversion never fails.
        let (kind, part) = (Kind(rawValue: change.kind.rawValue)!, Part(rawValue: change.part.rawValue)!)
        self.init(kind, of: part, statement: change.statement)
        (id, key, before, after, noEffect) = (change.id, change.key, change.before, change.after, change.noEffect)
    }
}

extension FoldPlan {
    /// The ids of achievements in all versions, the latest version first.
    fileprivate var achievementIDs: [String] { versions.reversed().flatMap { $0.rules.achievements.map(\.id) } }
}
