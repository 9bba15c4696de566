// SPDX-License-Identifier: Apache-2.0

/** The models of BabLanguageSDK that its repositories use, declared with the names and types that its guides list. */
package com.bablabs.bringabrainlanguage.domain.models

typealias LanguageCode = String

data class VocabularyEntry(
    val id: String,
    val word: String,
    val translation: String,
    val language: LanguageCode,
    val partOfSpeech: PartOfSpeech?,
    val exampleSentence: String?,
    val audioUrl: String?,
    val masteryLevel: Int,
    val easeFactor: Float,
    val intervalDays: Int,
    val nextReviewAt: Long,
    val totalReviews: Int,
    val correctReviews: Int,
    val firstSeenInDialogId: String?,
    val firstSeenAt: Long,
    val lastReviewedAt: Long?,
)

enum class PartOfSpeech { NOUN, VERB, ADJECTIVE, ADVERB, PREPOSITION, CONJUNCTION, PRONOUN, INTERJECTION, ARTICLE }

data class VocabularyStats(
    val total: Int,
    val newCount: Int,
    val learningCount: Int,
    val reviewingCount: Int,
    val masteredCount: Int,
    val dueCount: Int,
)

data class UserProgress(
    val userId: String,
    val language: LanguageCode,
    val currentStreak: Int,
    val longestStreak: Int,
    val lastActivityDate: String,
    val todayMinutes: Int,
    val dailyGoalMinutes: Int,
    val totalXP: Long,
    val weeklyXP: Long,
    val currentLevel: Int,
    val totalWordsLearned: Int,
    val wordsDueForReview: Int,
    val vocabularyMasteryPercent: Float,
    val totalSessions: Int,
    val totalMinutesPlayed: Int,
    val soloSessions: Int,
    val multiplayerSessions: Int,
    val successfulRepairs: Int,
    val helpGiven: Int,
    val teamWins: Int,
    val estimatedCEFR: CEFRLevel,
    val cefrProgressPercent: Float,
)

enum class CEFRLevel { A1, A2, B1, B2, C1, C2 }

enum class SessionMode { SOLO, HOST, CLIENT }

data class SessionStats(
    val sessionId: String,
    val startedAt: Long,
    val endedAt: Long?,
    val mode: SessionMode,
    val scenarioId: String?,
    val linesSpoken: Int,
    val wordsEncountered: Int,
    val newVocabulary: Int,
    val errorsDetected: Int,
    val errorsCorrected: Int,
    val xpEarned: Int,
    val xpBreakdown: XPBreakdown,
)

data class XPBreakdown(
    val dialogCompletion: Int,
    val vocabularyBonus: Int,
    val accuracyBonus: Int,
    val collaborationBonus: Int,
    val streakBonus: Int,
)

data class Achievement(
    val id: String,
    val name: String,
    val description: String,
    val iconUrl: String?,
    val category: AchievementCategory,
    val unlockedAt: Long?,
    val progress: Float,
)

enum class AchievementCategory { VOCABULARY, STREAK, SOCIAL, MASTERY, EXPLORATION }
