// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

/// Explanations add up to the reported numbers, for every learner and track.
@Suite struct ExplanationAgreementTests {
    @Test func `of a simulated class`() throws {
        let seed: UInt64 = 21
        let bench = try Bench(.sqlite)
        try bench.ingest(simulated(learners: 4, days: 30, seed: seed, disorder: true))
        var agreement = Agreement(bench, "seed \(seed)")
        for at in ["2026-02-11T15:00:00Z", "2026-06-01T00:00:00+05:30"] {
            try agreement.check(at: try Timestamp(at))
        }
        #expect(agreement.awards > 500)
        #expect(agreement.unlocks > 5)
        #expect(agreement.words > 50)
    }

    @Test(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"), arguments: UInt64(601)...602)
    func `of random rules and events`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 400, "--conflicts", "--invalid")
        let now = try Timestamp("2027-01-01T00:00:00Z")
        let bench = try Bench(.sqlite, rules: String(decoding: try contents(stream.rules), as: UTF8.self))
        try bench.ingest(contents(stream.events), now: now.milliseconds)
        var times: [Int64] = []
        try bench.engine.forEachOverview { times += [$0.lastEventAt ?? 0] }
        var agreement = Agreement(bench, "seed \(seed)")
        try agreement.check(at: Timestamp(milliseconds: (times.min() ?? 0), offset: .minutes(-480)))
        try agreement.check(at: now)
        #expect(agreement.checks > 12)
    }
}

/// Compares explanations with progress.
private struct Agreement {
    let bench: Bench
    let place: String
    private(set) var checks = 0
    private(set) var awards = 0
    private(set) var unlocks = 0
    private(set) var words = 0

    private var engine: ProgressEngine { bench.engine }

    init(_ bench: Bench, _ place: String) {
        self.bench = bench
        self.place = place
    }

    mutating func check(at instant: Timestamp) throws {
        var subjects: [String] = []
        try engine.forEachOverview { subjects.append(String(decoding: $0.learner.subject, as: UTF8.self)) }
        for learner in subjects.map({ engine.learner($0, at: instant) }) {
            let tracks = try #require(try learner.tracks(at: instant.date))
            for progress in [tracks.overall] + tracks.languages {
                let comment: Comment = "\(place), \(learner.id) \(progress.language ?? "*") at \(instant)"
                checks += 1
                try checkXP(learner, progress, instant.date, comment)
                try checkStreak(learner, progress, instant.date, comment)
                try checkAchievements(learner, progress, instant.date, comment)
            }
            try checkWords(learner, instant.date)
        }
    }

    // MARK: XP

    private mutating func checkXP(
        _ learner: Learner,
        _ progress: LearnerProgress,
        _ date: Date,
        _ comment: Comment
    ) throws {
        func explained(_ language: String?, day: LocalDay? = nil, session: String? = nil) throws -> XPExplanation {
            try #require(try learner.explainXP(language: language, day: day, session: session, at: date))
        }
        let language = progress.language
        let all = try explained(language)
        #expect(all.totalXP == progress.totalXP, comment)
        #expect(all.xpBreakdown == progress.xpBreakdown, comment)
        // The sums of the listed XP.
        var sums: [String: Int] = [:]
        for entry in all.events.flatMap(\.entries) { sums[entry.bucket, default: 0] += entry.amount }
        let breakdown = Dictionary(progress.xpBreakdown.map { ($0.name, $0.value) }) { $0 + $1 }
        #expect(sums.filter { $0.value != 0 }.mapValues(Double.init) == breakdown, comment)
        awards += all.events.count { !$0.entries.isEmpty }

        // Some days and sessions on their own.
        let days = Dictionary(grouping: all.events, by: \.event.day)
        for (day, events) in days.sorted(by: { $0.key < $1.key }).suffix(4) {
            let total = try explained(language, day: day).totalXP
            #expect(total == events.reduce(0) { $0 + $1.xp }, "\(comment) \(day)")
        }
        guard language == nil else { return }
        let sessions = try learner.sessions(at: date)
        let ids = Dictionary(grouping: sessions, by: { Array($0.id.utf8) })
        for (id, records) in ids.prefix(4) {
            let total = try explained(nil, session: String(decoding: id, as: UTF8.self)).totalXP
            #expect(total == records.reduce(0) { $0 + $1.xpEarned }, comment)
        }
    }

    // MARK: Streak

    private func checkStreak(
        _ learner: Learner,
        _ progress: LearnerProgress,
        _ date: Date,
        _ comment: Comment
    ) throws {
        guard engine.rules.streak != nil else {
            #expect(progress.longestStreak == 0, comment)
            return
        }
        func explained(_ day: LocalDay?) throws -> StreakExplanation {
            try #require(try learner.explainStreak(language: progress.language, around: day, at: date))
        }
        let recent = try explained(nil)
        #expect(recent.currentStreak == progress.currentStreak, comment)
        #expect(recent.longestStreak == progress.longestStreak, comment)
        #expect(recent.streakFreezes == progress.streakFreezes, comment)
        guard let last = progress.lastActivityDate else {
            #expect(recent.days.isEmpty, comment)
            return
        }
        let days = try explained(last).days
        let active = days.filter { $0.outcome == .active || $0.outcome == .repaired }
        // A week is named by its first day.
        let first = engine.rules.streak?.isWeekly == true ? engine.weekStart(last) : last
        #expect(active.last?.day == first, comment)
        for day in active {
            // An event is the reason: by its `when`, or by a repair.
            #expect(day.activeEvents > 0 || day.repairedBy != nil, "\(comment) \(day.day)")
            if day.activeEvents > 0 { #expect(day.when?.isTrue == true, comment) }
        }
        for day in days where day.outcome == .frozen { #expect(day.frozenBy != nil, "\(comment) \(day.day)") }
        for day in days where !active.contains(where: { $0.day == day.day }) {
            #expect(day.activeEvents == 0, "\(comment) \(day.day)")
        }
    }

    // MARK: Achievements

    private mutating func checkAchievements(
        _ learner: Learner,
        _ progress: LearnerProgress,
        _ date: Date,
        _ comment: Comment
    ) throws {
        var rewards = 0
        for rule in engine.rules.achievements {
            let found = try learner.explainAchievement(rule.id, language: progress.language, at: date)
            guard let explanation = found.first(where: { $0.language == progress.language }) else { continue }
            rewards += explanation.history.reduce(0) { $0 + $1.xp }
            unlocks += explanation.history.count
            let told = progress.achievements.first { $0.id == rule.id }
            #expect(
                told.map { $0 == LearnerProgress.Achievement(explanation) } ?? rule.isHidden,
                "\(comment) \(rule.id)"
            )
            check(explanation, "\(comment) \(rule.id)")
        }
        // The overall track also has the languages' rewards.
        let expected = progress.xpBreakdown.first { $0.name == "achievements" }?.value ?? 0
        let isOther = engine.rules.xpRules.contains { $0.bucket == "achievements" }
        let isShared = progress.language == nil && engine.rules.achievements.contains(where: \.isPerLanguage)
        if !isOther, !isShared { #expect(Double(rewards) == expected, comment) }
    }

    private func check(_ explanation: AchievementExplanation, _ comment: Comment) {
        var tier = 0
        var unlockedAt: Date?
        for change in explanation.history {
            switch change.kind {
            case .unlocked(let tiers):
                #expect(tiers.lowerBound == tier + 1, comment)
                let value = change.reading?.value.value.number ?? .nan
                #expect(explanation.thresholds[tiers.upperBound - 1].atLeast <= value, comment)
                #expect(change.reading?.isOpen == true, comment)
                (tier, unlockedAt) = (tiers.upperBound, change.event.time)
            case .granted(let tiers?): (tier, unlockedAt) = (tiers.upperBound, change.event.time)
            case .granted(nil): #expect(tier == explanation.tiers, comment)
            case .revoked(let held):
                #expect(held == tier, comment)
                (tier, unlockedAt) = (0, nil)
            }
        }
        #expect(tier == explanation.tier, comment)
        #expect(unlockedAt == explanation.unlockedAt, comment)
        guard tier < explanation.tiers, !explanation.isRevoked else { return }
        let best = explanation.best?.value.value.number ?? 0
        let share = best / explanation.thresholds[tier].atLeast
        #expect(min(1, max(0, share)) == explanation.progress, comment)
    }

    // MARK: Words

    private mutating func checkWords(_ learner: Learner, _ date: Date) throws {
        let records = try learner.words(at: date)
        for record in records.prefix(8) {
            let comment: Comment = "\(place), \(learner.id) \(record.id) at \(date)"
            let found = try learner.explainWord(record.id, language: record.language ?? "", at: date)
            let explanation = try #require(found.first, comment)
            let told = explanation.steps.filter { $0.event.void == nil }
            #expect(told.last?.after == explanation.state, comment)
            for (one, next) in zip(told, told.dropFirst()) { #expect(one.after == next.before, comment) }
            #expect(explanation.state?.mastery == record.mastery, comment)
            #expect(explanation.state?.nextReviewAt == record.nextReviewAt, comment)
            #expect(explanation.state?.intervalDays == record.intervalDays, comment)
            #expect(explanation.state?.reviews == record.reviews, comment)
            words += 1
        }
    }
}

extension LearnerProgress.Achievement {
    /// The progress of an explained achievement.
    fileprivate init(_ explanation: AchievementExplanation) {
        self.init(
            id: explanation.id,
            name: explanation.name,
            tier: explanation.tier,
            tiers: explanation.tiers,
            unlockedAt: explanation.unlockedAt,
            progress: explanation.progress
        )
    }
}
