// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// Results from what the fold and the store hold: XP as the whole numbers that they are, instants as dates.

extension LearnerProgress {
    /// - Parameter locale: the reader's, for names.
    init(_ progress: FoldedProgress, locale: String? = nil) {
        self.init(learner: progress.userId, language: progress.language)
        displayName = progress.displayName
        currentStreak = progress.currentStreak
        longestStreak = progress.longestStreak
        streakFreezes = progress.streakFreezes
        lastActivityDate = progress.lastActivityDate.flatMap { LocalDay(parsing: $0.utf8) }
        todayMinutes = progress.todayMinutes
        dailyGoalMinutes = progress.dailyGoalMinutes
        totalXP = Int(whole: progress.totalXP)
        todayXP = Int(whole: progress.todayXP)
        weeklyXP = Int(whole: progress.weeklyXP)
        xpBreakdown = NumbersByName(progress.xpBreakdown)
        currentLevel = progress.currentLevel
        levelProgressPercent = progress.levelProgressPercent
        xpToNextLevel = progress.xpToNextLevel.map { Int(whole: $0) }
        takeWords(progress)
        takePractice(progress)
        estimatedCEFR = progress.estimatedCEFR.flatMap(CEFRLevel.init)
        cefrProgressPercent = progress.cefrProgressPercent
        metrics = NumbersByName(progress.metrics)
        (day, week) = (NumbersByName(progress.day), NumbersByName(progress.week))
        achievements = progress.achievements.map { Achievement($0, locale: locale) }
        events = progress.events
        rules = progress.rules.map {
            RulesVersion(name: $0.name, from: $0.from.flatMap { LocalDay(parsing: $0.utf8) })
        }
    }

    private mutating func takeWords(_ progress: FoldedProgress) {
        totalWordsKnown = progress.totalWordsKnown
        totalWordsLearned = progress.totalWordsLearned
        wordsDueForReview = progress.wordsDueForReview
        let buckets = progress.vocabulary
        vocabulary = MasteryCounts(
            new: buckets.new,
            learning: buckets.learning,
            reviewing: buckets.reviewing,
            mastered: buckets.mastered
        )
        vocabularyMasteryPercent = progress.vocabularyMasteryPercent
    }

    private mutating func takePractice(_ progress: FoldedProgress) {
        totalSessions = progress.totalSessions
        totalMinutesPlayed = progress.totalMinutesPlayed
        soloSessions = progress.soloSessions
        multiplayerSessions = progress.multiplayerSessions
        successfulRepairs = progress.successfulRepairs
        helpGiven = progress.helpGiven
        teamWins = progress.teamWins
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

extension NumbersByName {
    init(_ numbers: some Sequence<NamedNumber>) {
        self.init(numbers.map { Element(name: $0.name, value: $0.value) })
    }
}

extension StudyTime {
    init(_ track: TrackProjection?, language: String?, limit: Int?) {
        self.init(
            language: language,
            total: .milliseconds(track?.practiceMilliseconds ?? 0),
            sessions: track?.sessions ?? 0,
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
            currentLevel: record.level,
            totalXP: Int(whole: record.xp),
            currentStreak: record.currentStreak,
            totalWordsLearned: record.wordsLearned,
            events: record.events,
            lastEventAt: record.lastEventAt.map(Date.init(milliseconds:)),
            lastPracticeAt: record.lastPracticeAt.map(Date.init(milliseconds:))
        )
    }
}
