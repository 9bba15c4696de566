// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
import LaurelWire

/// Statistics of an achievement: the learners who hold it, and those who are nearest to unlocking it.
package struct AchievementStatistics: Sendable {
    /// A learner who does not hold the achievement yet.
    package struct Candidate: Sendable, Hashable {
        package let learner: String
        package let displayName: String?
        /// The share of the way to the first tier, 0…1.
        package let progress: Double
    }

    package let id: String
    package let name: String
    package let description: String
    package let isHidden: Bool
    /// The number of learners who have unlocked a tier, in any language.
    package let holders: Int
    /// The number of learners considered, with or without the achievement.
    package let learners: Int
    /// The median of the milliseconds from a holder's first event to the latest tier; nil without holders.
    package let medianTime: Int64?
    /// The learners who are nearest to unlocking the achievement, the nearest first.
    package let next: [Candidate]
}

extension ProgressEngine {
    /// Statistics of the rules' achievements, in the order of the rules, as of every learner's last event.
    /// - Parameters:
    ///   - cohort: the only cohort whose learners count; nil for all.
    ///   - candidates: the maximum number of learners in ``AchievementStatistics/next``.
    /// - Complexity: one scan of the learners' achievements; O(events) under other rules than the store's.
    package func achievementStatistics(
        cohort: String? = nil,
        candidates: Int = 3,
        at date: Date
    ) throws(EngineError) -> [AchievementStatistics] {
        try EngineError.translating {
            var names: [Int64: (id: String, displayName: String?)] = [:]
            var tallies: [String: AchievementTally] = [:]
            func add(_ record: AchievementRecord) {
                guard names[record.learner] != nil else { return }
                tallies[record.achievement, default: AchievementTally(candidates)].add(record)
            }
            let (plan, isValid) = try store.read { reader in
                try reader.forEachOverview { record in
                    guard cohort == nil || record.cohort?.utf8.elementsEqual(cohort!.utf8) == true else { return }
                    let id = String(decoding: record.learner.subject, as: UTF8.self)
                    names[record.learner.id] = (id, record.displayName)
                }
                let isValid = try holdsProgress(reader)
                if isValid { try reader.forEachAchievement(add) }
                return (try self.plan(for: reader), isValid)
            }
            if !isValid {
                for (learner, name) in names.sorted(by: { $0.key < $1.key }) {
                    try forEachAchievement(of: learner, name.id, at: date, add)
                }
            }
            let rules = plan.version(at: Timestamp(milliseconds: date.milliseconds)).rules.achievements
            return rules.map { rule in
                var tally = tallies[rule.id] ?? AchievementTally(candidates)
                return tally.statistics(rule, names)
            }
        }
    }

    /// The cohorts of all learners, and the languages of their tracks, in byte order.
    package func cohortsAndLanguages() throws(EngineError) -> (cohorts: [String], languages: [String]) {
        try EngineError.translating {
            var (cohorts, languages) = (Set<String>(), Set<String>())
            try store.read { reader in
                try reader.forEachOverview { if let cohort = $0.cohort { cohorts.insert(cohort) } }
                try reader.forEachLanguage { languages.insert($1) }
            }
            return (cohorts.sorted(), languages.sorted())
        }
    }

    /// Visits the achievements of a learner whose rows in the tables are not valid.
    private func forEachAchievement(
        of learner: Int64,
        _ id: String,
        at date: Date,
        _ body: (AchievementRecord) -> Void
    ) throws {
        let projection = try withState(of: id, at: Timestamp(milliseconds: date.milliseconds)) { state, plan in
            ProgressReader(plan: plan).projection(state)
        }
        projection?.forEachAchievement(of: learner, body)
    }
}

/// The sums for one achievement. Records of one learner must come one after another.
private struct AchievementTally {
    private struct Standing {
        var learner: Int64
        var unlockedAfter: Int64?
        var progress: Double
    }

    private let most: Int
    private var current: Standing?
    private var times: [Int64] = []
    private var next: [Standing] = []

    init(_ most: Int) { self.most = most }

    mutating func add(_ record: AchievementRecord) {
        if current?.learner != record.learner { finish() }
        var standing = current ?? Standing(learner: record.learner, unlockedAfter: nil, progress: 0)
        if record.tier > 0 {
            let time = max(0, (record.unlockedAt ?? record.firstEventAt) - record.firstEventAt)
            standing.unlockedAfter = min(standing.unlockedAfter ?? time, time)
        }
        standing.progress = max(standing.progress, record.progress)
        current = standing
    }

    /// Counts the current learner.
    private mutating func finish() {
        guard let standing = current else { return }
        current = nil
        if let time = standing.unlockedAfter { return times.append(time) }
        guard standing.progress > 0, next.count < most || standing.progress > next[next.count - 1].progress else {
            return
        }
        let place = next.firstIndex { $0.progress < standing.progress } ?? next.count
        next.insert(standing, at: place)
        if next.count > most { next.removeLast() }
    }

    mutating func statistics(
        _ rule: AchievementRule,
        _ names: [Int64: (id: String, displayName: String?)]
    ) -> AchievementStatistics {
        finish()
        times.sort()
        return AchievementStatistics(
            id: rule.id,
            name: rule.name,
            description: rule.description,
            isHidden: rule.isHidden,
            holders: times.count,
            learners: names.count,
            medianTime: times.medianOfSorted.map { Int64($0) },
            next: next.compactMap { standing in
                names[standing.learner].map {
                    .init(learner: $0.id, displayName: $0.displayName, progress: standing.progress)
                }
            }
        )
    }
}
