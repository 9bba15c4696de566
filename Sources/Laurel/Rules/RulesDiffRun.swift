// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// A comparison of every learner under two rule sets, on all cores.
struct RulesDiffRun {
    let state: any StoreState
    let old: FoldPlan
    let new: FoldPlan
    let options: DiffOptions

    /// A share of the learners: all learners in a range of ids, or selected learners.
    private enum Share: Sendable {
        case range(Range<Int64>)
        case chosen([LearnerRecord])
    }

    func run(_ observe: (ReplayProgress) -> Void) throws -> RulesDiff {
        let (shares, learners, population) = try self.shares()
        var diff = RulesDiff(at: options.at)
        diff.variant = options.variant
        var tally = DifferenceTally(old: old, new: new, population: population)
        var progress = ReplayProgress()
        progress.learnersTotal = learners
        try shares.mapInParallel(transform: compare) { compared in
            for learner in compared {
                tally.add(learner)
                diff.events += learner.events
                if options.listsAll || learner.difference.differs { diff.learners.append(learner.difference) }
            }
            progress.learnersDone += compared.count
            progress.events = diff.events
            observe(progress)
        }
        diff.summary = tally.finished()
        diff.learners.sort(by: LearnerDifference.isMoreAffected)
        return diff
    }

    private func shares() throws -> (shares: [Share], learners: Int, population: Int) {
        try state.read { reader in
            let population = try reader.statistics().learners
            guard let size = options.sample, size < population else {
                return (try ReplayRun.shares(in: reader).map(Share.range), population, population)
            }
            var ranked: [(rank: UInt64, learner: LearnerRecord)] = []
            try reader.forEachLearner { ranked.append(($0.subject.sampleRank, $0)) }
            ranked.sort { ($0.rank, $0.learner.id) < ($1.rank, $1.learner.id) }
            // The selected learners are sorted by id. So learners in the same block are read one after another.
            let chosen = ranked.prefix(size).map(\.learner).sorted { $0.id < $1.id }
            let shares = stride(from: 0, to: chosen.count, by: RulesDiffRun.sampleShare).map {
                Share.chosen(Array(chosen[$0..<min($0 + RulesDiffRun.sampleShare, chosen.count)]))
            }
            return (shares, chosen.count, population)
        }
    }

    private static let sampleShare = 16

    @Sendable
    private func compare(_ share: Share) throws -> [ComparedLearner] {
        let comparer = LearnerComparer(old: old, new: new, at: options.at, wantsAll: options.listsAll)
        let fields = old.fields(and: new)
        return try state.read { reader in
            var compared: [ComparedLearner] = []
            switch share {
            case .range(let ids):
                try reader.forEachLearner(ids: ids, fields: fields) { compared.append(comparer.compare($0, $1)) }
            case .chosen(let learners):
                for learner in learners {
                    let runs = try reader.events(of: learner.id, since: nil, until: nil, fields: fields)
                    compared.append(comparer.compare(learner, runs))
                }
            }
            return compared
        }
    }
}

extension LearnerDifference {
    /// True if a learner is more affected than another. The learners are compared by the difference of levels, then of
    /// XP, then of unlocked tiers, then of streaks, then by the number of differing achievements, then by id.
    fileprivate static func isMoreAffected(_ one: LearnerDifference, _ other: LearnerDifference) -> Bool {
        for (mine, theirs) in zip(one.weights, other.weights) where mine != theirs { return mine > theirs }
        return one.learner.utf8.lexicographicallyPrecedes(other.learner.utf8)
    }

    private var weights: [Int] {
        let held = tracks.flatMap(\.achievements).reduce(0) { $0 + abs($1.tierAfter - $1.tierBefore) }
        let dated = tracks.flatMap(\.achievements).count
        guard let overall else { return [0, 0, held, 0, dated] }
        let (before, after) = (overall.before, overall.after)
        let streak = abs(after.longestStreak - before.longestStreak) + abs(after.currentStreak - before.currentStreak)
        return [
            abs(after.currentLevel - before.currentLevel), abs(after.totalXP - before.totalXP), held, streak, dated,
        ]
    }
}

extension [UInt8] {
    /// The learner's rank in the order of selection for samples. The rank is an FNV-1a hash, mixed so that consecutive
    /// ids do not get neighbouring ranks.
    fileprivate var sampleRank: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
