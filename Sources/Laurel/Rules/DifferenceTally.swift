import LaurelProgress
import LaurelRules

/// Adds up learners' differences.
struct DifferenceTally {
    private var summary = DifferenceSummary()
    /// Per number that is compared, every learner's change.
    private var changes = Array(repeating: [Double](), count: DifferenceTally.paths.count)
    private var places: [String: Int] = [:]

    /// - Parameter population: how many learners there are.
    init(old: FoldPlan, new: FoldPlan, population: Int) {
        summary.population = population
        for id in (new.achievementIDs + old.achievementIDs) where places[id] == nil {
            places[id] = summary.holders.count
            summary.holders.append(DifferenceSummary.Holders(id: id))
        }
    }

    mutating func add(_ learner: ComparedLearner) {
        summary.learners += 1
        let directions = learner.tracks.flatMap(\.directions)
        let isRedated = learner.tracks.contains { !$0.achievements.isEmpty }
        switch (directions.contains { $0 > 0 }, directions.contains { $0 < 0 }) {
        case (true, false): summary.gain += 1
        case (false, true): summary.lose += 1
        case (true, true): summary.mixed += 1
        case (false, false) where isRedated: summary.redated += 1
        case (false, false): summary.unchanged += 1
        }
        for track in learner.tracks where track.language != nil {
            let direction = track.cefrDirection
            if direction > 0 { summary.cefrHigher += 1 }
            if direction < 0 { summary.cefrLower += 1 }
        }
        if let overall = learner.tracks.first { addNumbers(overall) }
        addHolders(learner)
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
        for id in learner.held.before { summary.holders[places[id]!].before += 1 }
        for id in learner.held.after { summary.holders[places[id]!].after += 1 }
        var seen: Set<[String]> = []
        for difference in learner.tracks.flatMap(\.achievements) {
            // Per learner, in however many languages.
            guard seen.insert([difference.id, difference.outcome.rawValue]).inserted else { continue }
            let place = places[difference.id]!
            switch difference.outcome {
            case .won: summary.holders[place].won += 1
            case .lost: summary.holders[place].lost += 1
            case .moreTiers: summary.holders[place].moreTiers += 1
            case .fewerTiers: summary.holders[place].fewerTiers += 1
            case .earlier: summary.holders[place].earlier += 1
            case .later: summary.holders[place].later += 1
            }
        }
    }

    func finished() -> DifferenceSummary {
        var summary = summary
        for (path, values) in zip(DifferenceTally.paths, changes) where !values.isEmpty {
            let sorted = values.sorted()
            summary[keyPath: path].median = DifferenceTally.median(sorted)
            let changed = sorted.filter { $0 != 0 }
            if !changed.isEmpty { summary[keyPath: path].medianOfChanged = DifferenceTally.median(changed) }
            summary[keyPath: path].largestGain = max(0, sorted[sorted.count - 1])
            summary[keyPath: path].largestLoss = min(0, sorted[0])
            guard summary.isSample else { continue }
            let population = summary.population
            summary[keyPath: path].medianInterval = Estimate.medianInterval(sorted, population: population)
            summary[keyPath: path].sumInterval = Estimate.sumInterval(values, population: population)
        }
        return summary
    }

    /// - Parameter sorted: Ascending, not empty.
    private static func median(_ sorted: [Double]) -> Double {
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

extension TrackDifference.Numbers {
    /// In the order of ``DifferenceTally/paths``.
    fileprivate var compared: [Double] {
        [Double(level), xp, Double(currentStreak), Double(longestStreak), Double(wordsLearned)]
    }
}

extension TrackDifference {
    /// Of everything compared, more than 0 for what rises and less for what falls.
    fileprivate var directions: [Double] {
        let numbers = zip(before.compared, after.compared).map { $1 - $0 }
        return numbers + [Double(cefrDirection)] + achievements.map { Double($0.tierAfter - $0.tierBefore) }
    }

    /// None is lower than A1.
    fileprivate var cefrDirection: Int { (after.cefr ?? "").compared(to: before.cefr ?? "") }
}

extension String {
    /// A1 to C2 are in the order of their bytes.
    fileprivate func compared(to other: String) -> Int { self == other ? 0 : self > other ? 1 : -1 }
}

extension FoldPlan {
    /// Of all versions, the latest first.
    fileprivate var achievementIDs: [String] { versions.reversed().flatMap { $0.rules.achievements.map(\.id) } }
}
