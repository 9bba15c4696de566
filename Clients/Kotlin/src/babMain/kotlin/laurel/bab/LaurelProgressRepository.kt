// SPDX-License-Identifier: Apache-2.0

package laurel.bab

import com.bablabs.bringabrainlanguage.domain.interfaces.ProgressRepository
import com.bablabs.bringabrainlanguage.domain.models.Achievement
import com.bablabs.bringabrainlanguage.domain.models.AchievementCategory
import com.bablabs.bringabrainlanguage.domain.models.CEFRLevel
import com.bablabs.bringabrainlanguage.domain.models.SessionMode
import com.bablabs.bringabrainlanguage.domain.models.SessionStats
import com.bablabs.bringabrainlanguage.domain.models.UserProgress
import com.bablabs.bringabrainlanguage.domain.models.XPBreakdown
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import laurel.Document
import laurel.Events

/**
 * BabLanguageSDK's progress, computed by Laurel. Sessions become events. Laurel computes XP, streaks and achievements from events, so
 * the functions that would change these numbers have no effect. Without a network, the latest answers are given again.
 *
 * @param learner the learner.
 * @param language returns the language of a session, which [SessionStats] does not have.
 */
class LaurelProgressRepository(private val learner: LearnerService, private val language: () -> String?) : ProgressRepository {
    private val progress = HashMap<String, UserProgress>()
    private var sessions = emptyList<SessionStats>()
    private var achievements = emptyList<Achievement>()
    private val lock = Mutex()

    override suspend fun getProgress(language: String): UserProgress? = lock.withLock {
        learner.ask("progress", mapOf("language" to language))?.let { progress[language] = userProgress(it, language) }
        progress[language]
    }

    override suspend fun getSessionHistory(limit: Int): List<SessionStats> = lock.withLock {
        learner.ask("sessions", mapOf("limit" to limit.coerceAtLeast(0)))?.let { answer -> sessions = answer.items.map { stats(it) } }
        sessions.take(limit.coerceAtLeast(0))
    }

    override suspend fun getAchievements(): List<Achievement> = lock.withLock {
        learner.ask("achievements")?.let { answer ->
            achievements = answer.items.filter { it["language"].value == null }.map { achievement(it) }
        }
        achievements
    }

    /** Records a session as events. A session that is recorded again counts once. */
    override suspend fun recordSession(stats: SessionStats) {
        val (id, mode) = stats.sessionId to laurel.SessionMode.valueOf(stats.mode.name)
        val started = Events.sessionStarted(mode, stats.scenarioId)
        record(started, stats, stats.startedAt, "start-$id")
        for (number in 1..stats.errorsDetected.coerceAtMost(MOST_ERRORS)) {
            record(Events.errorDetected(kind = "statistics"), stats, stats.startedAt, "error-$id-$number")
        }
        for (number in 1..stats.errorsCorrected.coerceAtMost(MOST_ERRORS)) {
            record(Events.errorCorrected(), stats, stats.startedAt, "corrected-$id-$number")
        }
        val end = stats.endedAt ?: return
        val ended = Events.sessionEnded((end - stats.startedAt).coerceAtLeast(0), mode, stats.scenarioId)
            .adding("newVocabulary", stats.newVocabulary).adding("wordsEncountered", stats.wordsEncountered)
        record(ended, stats, end, "end-$id")
    }

    private suspend fun record(event: laurel.Event, stats: SessionStats, at: Long, id: String) =
        learner.record(event, language(), stats.sessionId, at, id)

    override suspend fun saveProgress(progress: UserProgress) = Unit

    override suspend fun addXP(amount: Int, breakdown: XPBreakdown) = Unit

    override suspend fun updateStreak() = Unit

    override suspend fun unlockAchievement(id: String) = Unit

    /** Forgets the latest answers. Only an administrator can erase a learner at the service. */
    override suspend fun clear() = lock.withLock {
        progress.clear()
        sessions = emptyList()
        achievements = emptyList()
    }

    private fun userProgress(answer: Document, language: String) = UserProgress(
        userId = learner.learner,
        language = language,
        currentStreak = answer.int("currentStreak"),
        longestStreak = answer.int("longestStreak"),
        lastActivityDate = answer["lastActivityDate"].text.orEmpty(),
        todayMinutes = answer.int("todayMinutes"),
        dailyGoalMinutes = answer.int("dailyGoalMinutes"),
        totalXP = answer["totalXP"].integer ?: 0,
        weeklyXP = answer["weeklyXP"].integer ?: 0,
        currentLevel = answer.int("currentLevel"),
        totalWordsLearned = answer.int("totalWordsLearned"),
        wordsDueForReview = answer.int("wordsDueForReview"),
        vocabularyMasteryPercent = answer["vocabularyMasteryPercent"].number?.toFloat() ?: 0f,
        totalSessions = answer.int("totalSessions"),
        totalMinutesPlayed = answer.int("totalMinutesPlayed"),
        soloSessions = answer.int("soloSessions"),
        multiplayerSessions = answer.int("multiplayerSessions"),
        successfulRepairs = answer.int("successfulRepairs"),
        helpGiven = answer.int("helpGiven"),
        teamWins = answer.int("teamWins"),
        estimatedCEFR = named<CEFRLevel>(answer["estimatedCEFR"].text) ?: CEFRLevel.A1,
        cefrProgressPercent = answer["cefrProgressPercent"].number?.toFloat() ?: 0f,
    )

    private fun stats(answer: Document) = SessionStats(
        sessionId = answer["sessionId"].text.orEmpty(),
        startedAt = answer.milliseconds("startedAt") ?: 0,
        endedAt = answer.milliseconds("endedAt"),
        mode = named<SessionMode>(answer["mode"].text) ?: SessionMode.SOLO,
        scenarioId = answer["scenarioId"].text,
        linesSpoken = answer.int("linesSpoken"),
        wordsEncountered = answer.int("wordsEncountered"),
        newVocabulary = answer.int("newVocabulary"),
        errorsDetected = answer.int("errorsDetected"),
        errorsCorrected = answer.int("errorsCorrected"),
        xpEarned = answer.int("xpEarned"),
        xpBreakdown = breakdown(answer["xpBreakdown"], answer.int("xpEarned")),
    )

    /** The XP of a session by the buckets of `Rules/bab-language.yaml`. XP of other buckets counts as completion, to keep the sum. */
    private fun breakdown(buckets: Document, total: Int): XPBreakdown {
        val (vocabulary, accuracy, collaboration, streak) =
            listOf("vocabularyBonus", "accuracyBonus", "collaborationBonus", "streakBonus").map { buckets.int(it) }
        return XPBreakdown(total - vocabulary - accuracy - collaboration - streak, vocabulary, accuracy, collaboration, streak)
    }

    private fun achievement(answer: Document) = Achievement(
        id = answer["id"].text.orEmpty(),
        name = answer["name"].text.orEmpty(),
        description = answer["description"].text.orEmpty(),
        iconUrl = null,
        category = named<AchievementCategory>(answer["category"].text) ?: AchievementCategory.EXPLORATION,
        unlockedAt = answer.milliseconds("unlockedAt"),
        progress = answer["progress"].number?.toFloat() ?: 0f,
    )

    private companion object {
        const val MOST_ERRORS = 1000
    }
}
