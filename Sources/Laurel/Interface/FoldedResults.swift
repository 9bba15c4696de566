// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
package import LaurelProgress
package import LaurelResults
import LaurelRules
import LaurelStore

/// Creates results from values of the fold and the store. XP becomes an integer, and an instant becomes a date.

extension LearnerProgress {
    /// - Parameter locale: the reader's locale, for names.
    package init(_ progress: FoldedProgress, locale: String? = nil) {
        self.init(learner: progress.userId, language: progress.language)
        displayName = progress.displayName
        take(progress.numbers)
        take(progress.numbers.counts)
        todayMinutes = progress.todayMinutes
        dailyGoalMinutes = progress.dailyGoalMinutes
        todayXP = Int(whole: progress.todayXP)
        weeklyXP = Int(whole: progress.weeklyXP)
        xpToNextLevel = progress.xpToNextLevel.map { Int(whole: $0) }
        wordsDueForReview = progress.wordsDueForReview
        (day, week) = (NumbersByName(progress.day), NumbersByName(progress.week))
        season = progress.season.map { NumbersByName($0) }
        experiments = progress.experiments.map { variants in
            TextsByName(variants.map { .init(name: $0.name, value: $0.text) }).sortedByName
        }
        achievements = progress.achievements.map { Achievement($0, locale: locale) }
        items = progress.items.map(NumbersByName.init)
        goals = progress.goals?.map { Goal($0, locale: locale) }
        if let held = progress.balances {
            balances = NumbersByName(held.map { NamedNumber(name: $0.currency, value: $0.amount) })
            let refills = held.compactMap { held in
                held.nextRefill.map { InstantsByName.Element(name: held.currency, value: Date(milliseconds: $0)) }
            }
            nextRefillAt = InstantsByName(refills).sortedByName
        }
        if progress.hasLimits {
            flaggedEvents = progress.numbers.flaggedEvents
            flaggedXP = Int(whole: progress.numbers.flaggedXP)
        }
        rules = progress.rules.map {
            RulesVersion(name: $0.name, from: $0.from.flatMap { LocalDay(parsing: $0.utf8) })
        }
    }

    /// The same JSON as the service and the command print.
    package var json: [UInt8] { (try? LaurelJSON.encode(self)).map(Array.init) ?? [] }

    private mutating func take(_ numbers: TrackNumbers) {
        currentStreak = numbers.currentStreak
        longestStreak = numbers.longestStreak
        streakFreezes = numbers.streakFreezes
        lastActivityDate = numbers.lastActivityDay
        totalXP = Int(whole: numbers.xp)
        xpBreakdown = NumbersByName(numbers.xpByBucket)
        currentLevel = numbers.level
        levelProgressPercent = numbers.levelProgressPercent
        estimatedCEFR = numbers.estimatedCEFR.flatMap(CEFRLevel.init)
        cefrProgressPercent = numbers.cefrProgressPercent
        metrics = NumbersByName(numbers.metrics)
    }

    private mutating func take(_ counts: TrackCounts) {
        let words = counts.words
        (totalWordsKnown, totalWordsLearned) = (words.known, words.learned)
        vocabulary = MasteryCounts(
            new: words.new,
            learning: words.learning,
            reviewing: words.reviewing,
            mastered: words.mastered
        )
        vocabularyMasteryPercent = words.known > 0 ? 100 * Double(words.learned) / Double(words.known) : 0
        totalSessions = counts.sessions
        totalMinutesPlayed = Int(counts.practiceMilliseconds / 60_000)
        (soloSessions, multiplayerSessions) = (counts.soloSessions, counts.multiplayerSessions)
        successfulRepairs = counts.successfulRepairs
        (helpGiven, teamWins) = (counts.helpGiven, counts.teamWins)
        events = counts.events
    }
}

extension LearnerProgress.Achievement {
    fileprivate init(_ achievement: AchievementProgress, locale: String?) {
        self.init(
            id: achievement.id,
            name: achievement.names.text(for: locale),
            tier: achievement.tier,
            tiers: achievement.tiers,
            unlockedAt: achievement.unlockedAt.map(Date.init(milliseconds:)),
            progress: achievement.progress
        )
    }
}

extension LearnerProgress.Goal {
    fileprivate init(_ goal: GoalProgress, locale: String?) {
        self.init(
            id: goal.id,
            name: goal.names?.text(for: locale),
            every: goal.every,
            value: goal.value,
            target: goal.target,
            progress: goal.progress,
            completedAt: goal.completedAt.map(Date.init(milliseconds:)),
            times: goal.times
        )
    }
}

extension NumbersByName {
    init(_ numbers: some Sequence<NamedNumber>) {
        self.init(numbers.map { Element(name: $0.name, value: $0.value) })
    }
}

extension StudyTime {
    init(_ track: TrackProjection?, language: String?, limit: Int?) {
        self.init(
            language: language,
            total: .milliseconds(track?.numbers.counts.practiceMilliseconds ?? 0),
            sessions: track?.numbers.counts.sessions ?? 0,
            days: track?.days.reversed().prefix(max(limit ?? .max, 0)).map(StudyDay.init) ?? []
        )
    }
}

extension StudyDay {
    fileprivate init(_ day: DayProjection) {
        self.init(day: day.day)
        duration = .milliseconds(day.practiceMilliseconds)
        xp = Int(whole: day.xp)
        (linesSpoken, reviews, correctReviews) = (day.lines, day.reviews, day.correctReviews)
        (newWords, learnedWords, isActive) = (day.newWords, day.learnedWords, day.isActive)
    }
}

extension LearnerOverview {
    init(_ record: OverviewRecord) {
        self.init(
            id: String(decoding: record.learner.subject, as: UTF8.self),
            displayName: record.displayName,
            cohort: record.cohort,
            currentLevel: record.numbers.level,
            totalXP: Int(whole: record.numbers.xp),
            currentStreak: record.numbers.currentStreak,
            totalWordsLearned: record.numbers.counts.words.learned,
            events: record.numbers.counts.events,
            lastEventAt: record.lastEventAt.map(Date.init(milliseconds:)),
            lastPracticeAt: record.numbers.lastPracticeAt.map(Date.init(milliseconds:))
        )
    }
}
