// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import com.bablabs.bringabrainlanguage.domain.models.PartOfSpeech
import com.bablabs.bringabrainlanguage.domain.models.SessionMode
import com.bablabs.bringabrainlanguage.domain.models.SessionStats
import com.bablabs.bringabrainlanguage.domain.models.VocabularyEntry
import com.bablabs.bringabrainlanguage.domain.models.XPBreakdown
import kotlinx.coroutines.runBlocking
import laurel.Document
import laurel.Events
import laurel.PracticeContext
import laurel.ServiceError
import laurel.bab.LaurelProgressRepository
import laurel.bab.LaurelVocabularyRepository
import laurel.bab.LearnerService
import laurel.deviceTime
import laurel.momentOf

private const val DAY = 86_400_000L

/** Uses the repositories as BabLanguageSDK does, at a service and without a network. Prints the results. */
internal fun repositories(outbox: String, service: String, unreachable: String) = runBlocking {
    val result = mutableMapOf<String, Any?>()
    val problems = mutableListOf<ServiceError>()
    val client = open(service, outbox)
    val learner = LearnerService(client, "ana/1", ::deviceTime) { problems += it }
    vocabulary(LaurelVocabularyRepository(learner), result)
    val start = System.currentTimeMillis() - 600_000
    client.record(Events.lineSpoken(line = "1", accuracy = 1.0), PracticeContext("ana/1", "es", "s1"), momentOf(start + 60_000))
    progress(LaurelProgressRepository(learner) { "es" }, start, result)
    result["problems"] = problems.size
    client.close()
    val offline = open(unreachable, outbox)
    offline(LearnerService(offline, "ana/1", ::deviceTime) { problems += it }, result)
    result["told"] = problems.isNotEmpty() && problems.all { it.status == 0 }
    offline.close()
    println(Document(result))
}

private fun entry(word: String, due: Long) = VocabularyEntry(
    id = "w-$word", word = word, translation = "a $word", language = "es", partOfSpeech = PartOfSpeech.NOUN, exampleSentence = "¡$word!",
    audioUrl = null, masteryLevel = 0, easeFactor = 2.5f, intervalDays = 1, nextReviewAt = due, totalReviews = 0, correctReviews = 0,
    firstSeenInDialogId = null, firstSeenAt = due, lastReviewedAt = null,
)

/** The changes that the SDK's scheduler makes, by grade. */
private fun reviewed(entry: VocabularyEntry, grade: String) = entry.copy(
    totalReviews = entry.totalReviews + 1,
    correctReviews = entry.correctReviews + if (grade == "AGAIN") 0 else 1,
    easeFactor = (entry.easeFactor + mapOf("AGAIN" to -0.2f, "HARD" to -0.15f, "GOOD" to 0f, "EASY" to 0.15f).getValue(grade)).coerceAtLeast(1.3f),
    intervalDays = mapOf("AGAIN" to 1f, "HARD" to entry.intervalDays * 1.2f).getOrDefault(grade, entry.intervalDays * entry.easeFactor).toInt(),
    masteryLevel = mapOf("AGAIN" to entry.masteryLevel - 1, "HARD" to entry.masteryLevel).getOrDefault(grade, entry.masteryLevel + 1).coerceIn(0, 5),
    lastReviewedAt = System.currentTimeMillis(),
)

private suspend fun vocabulary(words: LaurelVocabularyRepository, result: MutableMap<String, Any?>) {
    val past = System.currentTimeMillis() - 3 * DAY
    words.upsertAll(listOf(entry("árbol", past), entry("arena", past + 1), entry("sol", past + 2)))
    result["all"] = words.getAll("es").map { it.word }
    result["due"] = words.getDueForReview("es", 2).map { it.word }
    result["found"] = words.searchByWord("AR", "es").map { it.word }.sorted()
    val stats = words.getStats("es")
    result["stats"] = listOf(stats.total, stats.newCount, stats.learningCount, stats.dueCount)
    for (grade in listOf("GOOD", "HARD", "EASY", "AGAIN")) {
        words.upsert(reviewed(checkNotNull(words.getById("w-sol")), grade))
    }
    // At the lowest ease factor.
    val hard = entry("tren", past).copy(totalReviews = 9, correctReviews = 5, easeFactor = 1.3f, intervalDays = 10, masteryLevel = 2, lastReviewedAt = past)
    words.upsert(hard)
    words.upsert(reviewed(hard, "HARD"))
    words.upsert(reviewed(checkNotNull(words.getById("w-tren")), "GOOD"))
    words.upsert(checkNotNull(words.getById("w-arena")).copy(translation = "sand"))
    words.delete("w-árbol")
    result["left"] = words.getAll("es").map { listOf(it.word, it.translation, it.totalReviews, it.correctReviews, it.partOfSpeech?.name, it.exampleSentence) }
    result["other"] = words.getAll("fr")
    result["unknown"] = words.getById("w-nada")
}

private suspend fun progress(progress: LaurelProgressRepository, start: Long, result: MutableMap<String, Any?>) {
    val none = XPBreakdown(0, 0, 0, 0, 0)
    val stats = SessionStats("s1", start, start + 300_000, SessionMode.HOST, "café", 1, 4, 2, 3, 1, 0, none)
    repeat(2) { progress.recordSession(stats) }
    progress.addXP(1_000_000, none)
    progress.updateStreak()
    val now = checkNotNull(progress.getProgress("es"))
    result["progress"] = listOf(
        now.userId, now.language, now.currentStreak, now.totalSessions, now.multiplayerSessions, now.totalMinutesPlayed, now.totalWordsLearned,
        now.estimatedCEFR.name,
    )
    result["small"] = now.totalXP in 1..999
    result["sessions"] = progress.getSessionHistory().filter { it.sessionId == "s1" }.map {
        val parts = it.xpBreakdown
        val sum = parts.dialogCompletion + parts.vocabularyBonus + parts.accuracyBonus + parts.collaborationBonus + parts.streakBonus
        listOf(it.mode.name, it.scenarioId, it.linesSpoken, it.errorsDetected, it.errorsCorrected, it.endedAt == stats.endedAt, sum == it.xpEarned)
    }
    val achievements = progress.getAchievements()
    result["achievements"] = achievements.filter { it.id == "first_multiplayer" }.map { listOf(it.category.name, it.unlockedAt != null, it.progress.toDouble()) }
}

private suspend fun offline(learner: LearnerService, result: MutableMap<String, Any?>) {
    val words = LaurelVocabularyRepository(learner)
    words.upsertAll(listOf(entry("luna", 1), entry("mar", System.currentTimeMillis() + DAY)))
    val stats = words.getStats("es")
    result["offline"] = listOf(words.getAll("es").size, words.getDueForReview("es").size, words.searchByWord("LU", "es").size, stats.total, stats.dueCount)
    val progress = LaurelProgressRepository(learner) { null }
    result["offlineProgress"] = listOf(progress.getProgress("es"), progress.getSessionHistory(), progress.getAchievements())
}
