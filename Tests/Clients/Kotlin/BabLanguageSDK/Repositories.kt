// SPDX-License-Identifier: Apache-2.0

/** The repositories that an app gives to BabLanguageSDK, declared with the names and types of its guides and its public interface. */
package com.bablabs.bringabrainlanguage.domain.interfaces

import com.bablabs.bringabrainlanguage.domain.models.Achievement
import com.bablabs.bringabrainlanguage.domain.models.LanguageCode
import com.bablabs.bringabrainlanguage.domain.models.SessionStats
import com.bablabs.bringabrainlanguage.domain.models.UserProgress
import com.bablabs.bringabrainlanguage.domain.models.VocabularyEntry
import com.bablabs.bringabrainlanguage.domain.models.VocabularyStats
import com.bablabs.bringabrainlanguage.domain.models.XPBreakdown

interface VocabularyRepository {
    suspend fun getAll(language: LanguageCode): List<VocabularyEntry>

    suspend fun getById(id: String): VocabularyEntry?

    suspend fun getDueForReview(language: LanguageCode, limit: Int = 20): List<VocabularyEntry>

    suspend fun searchByWord(query: String, language: LanguageCode): List<VocabularyEntry>

    suspend fun getStats(language: LanguageCode): VocabularyStats

    suspend fun upsert(entry: VocabularyEntry)

    suspend fun upsertAll(entries: List<VocabularyEntry>)

    suspend fun delete(id: String)

    suspend fun clear()
}

interface ProgressRepository {
    suspend fun getProgress(language: LanguageCode): UserProgress?

    suspend fun getSessionHistory(limit: Int = 20): List<SessionStats>

    suspend fun getAchievements(): List<Achievement>

    suspend fun recordSession(stats: SessionStats)

    suspend fun saveProgress(progress: UserProgress)

    suspend fun addXP(amount: Int, breakdown: XPBreakdown)

    suspend fun updateStreak()

    suspend fun unlockAchievement(id: String)

    suspend fun clear()
}
