// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient

/// An event of each type, with every field that it has. Made by Clients/generate.
let everyEvent: [LearningEvent] = [
    .learnerUpdated(
        displayName: "a displayName",
        nativeLanguage: "a nativeLanguage",
        dailyGoalMinutes: 1440,
        cohort: "a cohort",
        leaderboard: true,
        leagues: true
    ),
    .levelDeclared(level: .c2),
    .sessionStarted(mode: .client, scenario: "a scenario", role: "a role", partner: "a partner", kind: "a kind"),
    .sessionEnded(durationMs: 3, mode: .client, scenario: "a scenario", partner: "a partner"),
    .sessionDiscarded(),
    .lineSpoken(
        line: "a line",
        text: "a text",
        translation: "a translation",
        role: "a role",
        accuracy: 1,
        errors: 3,
        words: 3,
        durationMs: 3
    ),
    .lineSkipped(line: "a line"),
    .wordAdded(
        word: "a word",
        .init(
            text: "a text",
            translation: "a translation",
            partOfSpeech: "a partOfSpeech",
            category: "a category",
            tags: ["a", "b"],
            origin: "a origin"
        )
    ),
    .wordUpdated(
        word: "a word",
        .init(
            text: "a text",
            translation: "a translation",
            partOfSpeech: "a partOfSpeech",
            category: "a category",
            tags: ["a", "b"],
            origin: "a origin"
        )
    ),
    .wordRemoved(word: "a word"),
    .wordEncountered(word: "a word", count: 3, category: "a category"),
    .wordLearned(word: "a word"),
    .wordUnlearned(word: "a word"),
    .wordImported(
        word: "a word",
        masteryLevel: 5,
        easeFactor: 3,
        intervalDays: 36500,
        stability: 3,
        difficulty: 10,
        nextReviewAt: Date(timeIntervalSince1970: 1_770_300_000.123),
        lastReviewedAt: Date(timeIntervalSince1970: 1_770_300_000.123),
        totalReviews: 3,
        correctReviews: 3,
        .init(
            text: "a text",
            translation: "a translation",
            partOfSpeech: "a partOfSpeech",
            category: "a category",
            tags: ["a", "b"],
            origin: "a origin"
        )
    ),
    .reviewGraded(word: "a word", grade: .easy, durationMs: 3, mode: "a mode"),
    .errorDetected(kind: "a kind", original: "a original", corrected: "a corrected", line: "a line"),
    .errorCorrected(kind: "a kind", line: "a line"),
    .repairMade(helped: true, line: "a line", partner: "a partner"),
    .helpGiven(to: "a to", line: "a line"),
    .hintUsed(level: "a level"),
    .scenarioCompleted(scenario: "a scenario", errors: 3),
    .teamWon(partner: "a partner"),
    .objectScanned(label: "a label", confidence: 1),
    .conversationEnded(
        character: "a character",
        messages: 3,
        durationMs: 3,
        wordsUsed: 3,
        grammarErrors: 3,
        averageResponseMs: 3
    ),
    .streakRepaired(date: "2026-02-05", reason: "a reason"),
    .streakFrozen(date: "2026-02-05", reason: "a reason"),
    .streakPaused(from: "2026-01-01", through: "2026-01-07", reason: "a reason"),
    .freezeGranted(count: 100, reason: "a reason"),
    .xpAdjusted(amount: 3, reason: "a reason"),
    .xpDeclared(total: 3),
    .currencyAdjusted(currency: "a currency", amount: 1000000000000, reason: "a reason"),
    .itemBought(item: "a item", count: 1000),
    .achievementGranted(achievement: "a achievement", reason: "a reason"),
    .achievementRevoked(achievement: "a achievement", reason: "a reason"),
    .groupJoined(group: "a group", kind: "a kind"),
    .groupLeft(group: "a group"),
    .leagueFinished(
        league: "a league",
        week: "a week",
        tier: "a tier",
        room: 3,
        rank: 3,
        of: 3,
        xp: 3,
        outcome: .demoted,
        next: "a next"
    ),
    .flagCleared(source: "a source", id: "a id"),
    .schedulerFitted(
        parameters: [
            100.0, 100.0, 100.0, 100.0, 10.0, 4.0, 4.0, 0.75, 4.5, 0.8, 3.5, 5.0, 0.25, 0.9, 4.0, 1.0, 6.0, 2.0, 2.0,
            0.8, 0.8,
        ],
        reviews: 3,
        logLoss: 3
    ),
    .eventRetracted(source: "a source", id: "a id"),
]
