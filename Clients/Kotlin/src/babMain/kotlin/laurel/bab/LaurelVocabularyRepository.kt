// SPDX-License-Identifier: Apache-2.0

package laurel.bab

import com.bablabs.bringabrainlanguage.domain.interfaces.VocabularyRepository
import com.bablabs.bringabrainlanguage.domain.models.PartOfSpeech
import com.bablabs.bringabrainlanguage.domain.models.VocabularyEntry
import com.bablabs.bringabrainlanguage.domain.models.VocabularyStats
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import laurel.Document
import laurel.Events
import laurel.Moment
import laurel.ReviewGrade

/**
 * BabLanguageSDK's vocabulary, kept by Laurel. A changed entry becomes events: a review, a new word, other texts. The schedule of the
 * answers is Laurel's. Without a network, the repository answers from the entries that it remembers.
 */
class LaurelVocabularyRepository(private val learner: LearnerService) : VocabularyRepository {
    private val remembered = LinkedHashMap<String, VocabularyEntry>()

    private val lock = Mutex()

    override suspend fun getAll(language: String): List<VocabularyEntry> = lock.withLock {
        val all = ask(language)
        if (all != null) remembered.values.retainAll { it.language != language || it in all }
        (all ?: known(language)).sortedBy { it.word }
    }

    override suspend fun getById(id: String): VocabularyEntry? = lock.withLock { find(id) }

    override suspend fun getDueForReview(language: String, limit: Int): List<VocabularyEntry> = lock.withLock {
        val most = limit.coerceAtLeast(0)
        val due = ask(language, "due" to true, "limit" to most) ?: known(language).filter { it.nextReviewAt <= learner.now() }
        due.sortedBy { it.nextReviewAt }.take(most)
    }

    override suspend fun searchByWord(query: String, language: String): List<VocabularyEntry> = lock.withLock {
        val found = ask(language, "prefix" to query.ifEmpty { null })
            ?: known(language).filter { it.word.startsWith(query, ignoreCase = true) }
        found.sortedBy { it.word }.take(MOST_FOUND)
    }

    override suspend fun getStats(language: String): VocabularyStats = lock.withLock {
        val answer = learner.ask("vocabulary", mapOf("language" to language)) ?: return@withLock stats(known(language))
        val (new, learning, reviewing, mastered) = listOf("new", "learning", "reviewing", "mastered").map { answer.int(it) }
        VocabularyStats(answer.int("known"), new, learning, reviewing, mastered, answer.int("due"))
    }

    override suspend fun upsertAll(entries: List<VocabularyEntry>) = entries.forEach { upsert(it) }

    override suspend fun upsert(entry: VocabularyEntry) = lock.withLock {
        val old = find(entry.id)
        val reviews = entry.totalReviews - (old?.totalReviews ?: 0)
        when {
            old == null && reviews == 0 -> learner.record(added(entry), entry.language, at = entry.firstSeenAt.takeIf { it > 0 })
            old == null || reviews > 1 -> learner.record(imported(entry), entry.language, at = entry.lastReviewedAt)
            reviews == 1 -> learner.record(Events.reviewGraded(entry.id, grade(old, entry)), entry.language, at = entry.lastReviewedAt)
        }
        val isRenamed = old != null && listOf(old.word, old.translation, old.partOfSpeech) !=
            listOf(entry.word, entry.translation, entry.partOfSpeech)
        if (isRenamed) {
            val updated = Events.wordUpdated(entry.id, entry.word, entry.translation, entry.partOfSpeech?.name?.lowercase())
            learner.record(updated, entry.language)
        }
        remembered[entry.id] = entry
    }

    override suspend fun delete(id: String) = lock.withLock { remove(id) }

    /** Removes the words of all languages from the learner's vocabulary. Their events stay at the service. */
    override suspend fun clear() = lock.withLock {
        learner.ask("words")?.let { entries(it, "") }
        for (id in remembered.keys.toList()) remove(id)
    }

    private suspend fun remove(id: String) {
        val old = find(id) ?: return
        learner.record(Events.wordRemoved(id), old.language)
        remembered.remove(id)
    }

    private suspend fun find(id: String): VocabularyEntry? {
        if (id !in remembered) learner.ask("words")?.let { entries(it, "") }
        return remembered[id]
    }

    /** Words of the service; null if it was not reached. */
    private suspend fun ask(language: String, vararg query: Pair<String, Any?>): List<VocabularyEntry>? =
        learner.ask("words", mapOf("language" to language) + query)?.let { entries(it, language) }

    private fun known(language: String): List<VocabularyEntry> = remembered.values.filter { it.language == language }

    private fun stats(entries: List<VocabularyEntry>): VocabularyStats {
        val new = entries.count { it.masteryLevel == 0 && it.totalReviews == 0 }
        val mastered = entries.count { it.masteryLevel == 5 }
        val reviewing = entries.count { it.masteryLevel in 3..4 }
        val due = entries.count { it.nextReviewAt <= learner.now() }
        return VocabularyStats(entries.size, new, entries.size - new - reviewing - mastered, reviewing, mastered, due)
    }

    private fun added(entry: VocabularyEntry) = Events.wordAdded(
        entry.id, entry.word, entry.translation, entry.partOfSpeech?.name?.lowercase(), origin = entry.firstSeenInDialogId,
    )

    private fun imported(entry: VocabularyEntry) = Events.wordImported(
        word = entry.id,
        masteryLevel = entry.masteryLevel,
        easeFactor = entry.easeFactor.toString().toDouble(),
        intervalDays = entry.intervalDays.takeIf { it > 0 },
        nextReviewAt = Moment(entry.nextReviewAt),
        lastReviewedAt = entry.lastReviewedAt?.let { Moment(it) },
        totalReviews = entry.totalReviews.toLong(),
        correctReviews = entry.correctReviews.toLong(),
        text = entry.word,
        translation = entry.translation,
        partOfSpeech = entry.partOfSpeech?.name?.lowercase(),
        origin = entry.firstSeenInDialogId,
    )

    /**
     * The grade of a review, from the change that the SDK's scheduler made. `again` alone counts no correct review, `hard` lowers the
     * ease factor, `easy` raises it. At the lowest ease factor, `hard` shows in the interval, which grows by a fifth.
     */
    private fun grade(old: VocabularyEntry, new: VocabularyEntry): ReviewGrade = when {
        new.correctReviews <= old.correctReviews -> ReviewGrade.AGAIN
        new.easeFactor > old.easeFactor -> ReviewGrade.EASY
        new.easeFactor < old.easeFactor -> ReviewGrade.HARD
        new.easeFactor <= LEAST_EASE && new.masteryLevel == old.masteryLevel && new.intervalDays <= old.intervalDays * 1.2f -> ReviewGrade.HARD
        else -> ReviewGrade.GOOD
    }

    /** Remembers the words of an answer, and returns them as entries. */
    private fun entries(answer: Document, language: String): List<VocabularyEntry> = answer.items.map { word ->
        val id = word["word"].text.orEmpty()
        entry(word, id, word["language"].text ?: language, remembered[id]).also { remembered[id] = it }
    }

    /** Laurel keeps no example sentences and addresses of sounds, so these come from the remembered entry. */
    private fun entry(word: Document, id: String, language: String, old: VocabularyEntry?) = VocabularyEntry(
        id = id,
        word = word["text"].text ?: id,
        translation = word["translation"].text.orEmpty(),
        language = language,
        partOfSpeech = named<PartOfSpeech>(word["partOfSpeech"].text),
        exampleSentence = old?.exampleSentence,
        audioUrl = old?.audioUrl,
        masteryLevel = word.int("mastery"),
        easeFactor = word["easeFactor"].number?.toFloat() ?: START_EASE,
        intervalDays = word.int("intervalDays"),
        nextReviewAt = word.milliseconds("nextReviewAt") ?: 0,
        totalReviews = word.int("reviews"),
        correctReviews = word.int("correct"),
        firstSeenInDialogId = old?.firstSeenInDialogId,
        firstSeenAt = word.milliseconds("firstSeenAt") ?: 0,
        lastReviewedAt = word.milliseconds("lastReviewedAt"),
    )

    private companion object {
        const val MOST_FOUND = 20
        const val START_EASE = 2.5f
        const val LEAST_EASE = 1.3f
    }
}
