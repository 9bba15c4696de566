// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.jvm.JvmOverloads
import kotlin.jvm.JvmStatic

/** A constructor for each type of the catalogue. A type of your own is `Event("quest.finished", mapOf(…))`. Clients/generate makes this file. */
object Events {
    /**
     * `learner.updated`: The learner's profile. For each property, the latest value counts.
     *
     * @param dailyGoalMinutes a whole number from 1 to 1440.
     * @param cohort text; only administrators may send it.
     * @param leaderboard true or false.
     * @param leagues true or false.
     */
    @JvmStatic
    @JvmOverloads
    fun learnerUpdated(
        displayName: String? = null,
        nativeLanguage: String? = null,
        dailyGoalMinutes: Int? = null,
        cohort: String? = null,
        leaderboard: Boolean? = null,
        leagues: Boolean? = null
    ): Event =
        made(
            "learner.updated",
            "displayName" to displayName,
            "nativeLanguage" to nativeLanguage,
            "dailyGoalMinutes" to dailyGoalMinutes,
            "cohort" to cohort,
            "leaderboard" to leaderboard,
            "leagues" to leagues
        )

    /**
     * `level.declared`: The CEFR level at which a learner starts. Needs a language. Only administrators may send it. A
     * service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `level.declared`.
     *
     * @param level A1, A2, B1, B2, C1 or C2.
     */
    @JvmStatic
    fun levelDeclared(level: CEFRLevel): Event =
        made("level.declared", "level" to level.text)

    /**
     * `session.started`: A practice session begins.
     *
     * @param mode Solo, host or client.
     */
    @JvmStatic
    @JvmOverloads
    fun sessionStarted(
        mode: SessionMode? = null,
        scenario: String? = null,
        role: String? = null,
        partner: String? = null,
        kind: String? = null
    ): Event =
        made(
            "session.started",
            "mode" to mode?.text,
            "scenario" to scenario,
            "role" to role,
            "partner" to partner,
            "kind" to kind
        )

    /**
     * `session.ended`: A practice session ends. Absent fields are taken from its session.started.
     *
     * @param durationMs a whole number, 0 or more.
     * @param mode Solo, host or client.
     */
    @JvmStatic
    @JvmOverloads
    fun sessionEnded(
        durationMs: Long? = null,
        mode: SessionMode? = null,
        scenario: String? = null,
        partner: String? = null
    ): Event =
        made(
            "session.ended",
            "durationMs" to durationMs,
            "mode" to mode?.text,
            "scenario" to scenario,
            "partner" to partner
        )

    /**
     * `session.discarded`: A session is discarded: its events have no effect. Needs a session.
     */
    @JvmStatic
    fun sessionDiscarded(): Event =
        made("session.discarded")

    /**
     * `line.spoken`: A line of a dialog was spoken.
     *
     * @param accuracy a number from 0 to 1.
     * @param errors a whole number, 0 or more.
     * @param words a whole number, 0 or more.
     * @param durationMs a whole number, 0 or more.
     */
    @JvmStatic
    @JvmOverloads
    fun lineSpoken(
        line: String? = null,
        text: String? = null,
        translation: String? = null,
        role: String? = null,
        accuracy: Double? = null,
        errors: Long? = null,
        words: Long? = null,
        durationMs: Long? = null
    ): Event =
        made(
            "line.spoken",
            "line" to line,
            "text" to text,
            "translation" to translation,
            "role" to role,
            "accuracy" to accuracy,
            "errors" to errors,
            "words" to words,
            "durationMs" to durationMs
        )

    /**
     * `line.skipped`: A line of a dialog was skipped.
     */
    @JvmStatic
    @JvmOverloads
    fun lineSkipped(line: String? = null): Event =
        made("line.skipped", "line" to line)

    /**
     * `word.added`: A word was added to the vocabulary.
     *
     * @param tags a list of text.
     */
    @JvmStatic
    @JvmOverloads
    fun wordAdded(
        word: String,
        text: String? = null,
        translation: String? = null,
        partOfSpeech: String? = null,
        category: String? = null,
        tags: List<String>? = null,
        origin: String? = null
    ): Event =
        made(
            "word.added",
            "word" to word,
            "text" to text,
            "translation" to translation,
            "partOfSpeech" to partOfSpeech,
            "category" to category,
            "tags" to tags,
            "origin" to origin
        )

    /**
     * `word.updated`: A word's details changed.
     *
     * @param tags a list of text.
     */
    @JvmStatic
    @JvmOverloads
    fun wordUpdated(
        word: String,
        text: String? = null,
        translation: String? = null,
        partOfSpeech: String? = null,
        category: String? = null,
        tags: List<String>? = null,
        origin: String? = null
    ): Event =
        made(
            "word.updated",
            "word" to word,
            "text" to text,
            "translation" to translation,
            "partOfSpeech" to partOfSpeech,
            "category" to category,
            "tags" to tags,
            "origin" to origin
        )

    /**
     * `word.removed`: A word was removed. If it is added again, it starts as a new word.
     */
    @JvmStatic
    fun wordRemoved(word: String): Event =
        made("word.removed", "word" to word)

    /**
     * `word.encountered`: The learner encountered a word.
     *
     * @param count a whole number, 0 or more; 1 where absent.
     */
    @JvmStatic
    @JvmOverloads
    fun wordEncountered(word: String, count: Long? = null, category: String? = null): Event =
        made("word.encountered", "word" to word, "count" to count, "category" to category)

    /**
     * `word.learned`: The learner says that the word is learned.
     */
    @JvmStatic
    fun wordLearned(word: String): Event =
        made("word.learned", "word" to word)

    /**
     * `word.unlearned`: The learner cancels a word.learned.
     */
    @JvmStatic
    fun wordUnlearned(word: String): Event =
        made("word.unlearned", "word" to word)

    /**
     * `word.imported`: A word was imported, with its review schedule.
     *
     * @param masteryLevel a whole number from 0 to 5.
     * @param easeFactor a number, 1.3 or more.
     * @param intervalDays a whole number from 1 to 36500.
     * @param stability a number greater than 0.
     * @param difficulty a number from 1 to 10.
     * @param nextReviewAt an RFC 3339 time, such as 2026-02-05T18:00:00+01:00.
     * @param lastReviewedAt an RFC 3339 time, such as 2026-02-05T18:00:00+01:00.
     * @param totalReviews a whole number, 0 or more.
     * @param correctReviews a whole number, 0 or more.
     * @param tags a list of text.
     */
    @JvmStatic
    @JvmOverloads
    fun wordImported(
        word: String,
        masteryLevel: Int? = null,
        easeFactor: Double? = null,
        intervalDays: Int? = null,
        stability: Double? = null,
        difficulty: Double? = null,
        nextReviewAt: Moment? = null,
        lastReviewedAt: Moment? = null,
        totalReviews: Long? = null,
        correctReviews: Long? = null,
        text: String? = null,
        translation: String? = null,
        partOfSpeech: String? = null,
        category: String? = null,
        tags: List<String>? = null,
        origin: String? = null
    ): Event =
        made(
            "word.imported",
            "word" to word,
            "masteryLevel" to masteryLevel,
            "easeFactor" to easeFactor,
            "intervalDays" to intervalDays,
            "stability" to stability,
            "difficulty" to difficulty,
            "nextReviewAt" to nextReviewAt,
            "lastReviewedAt" to lastReviewedAt,
            "totalReviews" to totalReviews,
            "correctReviews" to correctReviews,
            "text" to text,
            "translation" to translation,
            "partOfSpeech" to partOfSpeech,
            "category" to category,
            "tags" to tags,
            "origin" to origin
        )

    /**
     * `review.graded`: A review of a word was graded.
     *
     * @param grade Again, hard, good or easy.
     * @param durationMs a whole number, 0 or more.
     */
    @JvmStatic
    @JvmOverloads
    fun reviewGraded(word: String, grade: ReviewGrade, durationMs: Long? = null, mode: String? = null): Event =
        made("review.graded", "word" to word, "grade" to grade.text, "durationMs" to durationMs, "mode" to mode)

    /**
     * `error.detected`: An error was detected.
     */
    @JvmStatic
    @JvmOverloads
    fun errorDetected(
        kind: String? = null,
        original: String? = null,
        corrected: String? = null,
        line: String? = null
    ): Event =
        made("error.detected", "kind" to kind, "original" to original, "corrected" to corrected, "line" to line)

    /**
     * `error.corrected`: An error was corrected.
     */
    @JvmStatic
    @JvmOverloads
    fun errorCorrected(kind: String? = null, line: String? = null): Event =
        made("error.corrected", "kind" to kind, "line" to line)

    /**
     * `repair.made`: A misunderstanding was repaired.
     *
     * @param helped true or false; True where absent.
     */
    @JvmStatic
    @JvmOverloads
    fun repairMade(helped: Boolean? = null, line: String? = null, partner: String? = null): Event =
        made("repair.made", "helped" to helped, "line" to line, "partner" to partner)

    /**
     * `help.given`: The learner helped another learner.
     */
    @JvmStatic
    @JvmOverloads
    fun helpGiven(to: String? = null, line: String? = null): Event =
        made("help.given", "to" to to, "line" to line)

    /**
     * `hint.used`: A hint was used.
     */
    @JvmStatic
    @JvmOverloads
    fun hintUsed(level: String? = null): Event =
        made("hint.used", "level" to level)

    /**
     * `scenario.completed`: A scenario was completed.
     *
     * @param errors a whole number, 0 or more.
     */
    @JvmStatic
    @JvmOverloads
    fun scenarioCompleted(scenario: String, errors: Long? = null): Event =
        made("scenario.completed", "scenario" to scenario, "errors" to errors)

    /**
     * `team.won`: A team won together.
     */
    @JvmStatic
    @JvmOverloads
    fun teamWon(partner: String? = null): Event =
        made("team.won", "partner" to partner)

    /**
     * `object.scanned`: An object in the room was recognised.
     *
     * @param confidence a number from 0 to 1.
     */
    @JvmStatic
    @JvmOverloads
    fun objectScanned(label: String, confidence: Double? = null): Event =
        made("object.scanned", "label" to label, "confidence" to confidence)

    /**
     * `conversation.ended`: A conversation with a character ended.
     *
     * @param messages a whole number, 0 or more.
     * @param durationMs a whole number, 0 or more.
     * @param wordsUsed a whole number, 0 or more.
     * @param grammarErrors a whole number, 0 or more.
     * @param averageResponseMs a whole number, 0 or more.
     */
    @JvmStatic
    @JvmOverloads
    fun conversationEnded(
        character: String? = null,
        messages: Long? = null,
        durationMs: Long? = null,
        wordsUsed: Long? = null,
        grammarErrors: Long? = null,
        averageResponseMs: Long? = null
    ): Event =
        made(
            "conversation.ended",
            "character" to character,
            "messages" to messages,
            "durationMs" to durationMs,
            "wordsUsed" to wordsUsed,
            "grammarErrors" to grammarErrors,
            "averageResponseMs" to averageResponseMs
        )

    /**
     * `streak.repaired`: A missed day counts as active. Only administrators may send it. A service accepts it only with a key
     * of scope `decree` or `admin`, or with a key whose types include `streak.repaired`.
     *
     * @param date a date that exists, as YYYY-MM-DD.
     */
    @JvmStatic
    @JvmOverloads
    fun streakRepaired(date: String, reason: String? = null): Event =
        made("streak.repaired", "date" to date, "reason" to reason)

    /**
     * `streak.frozen`: A day is frozen: if it is missed, the streak neither ends nor grows. Only administrators may send it.
     * A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.frozen`.
     *
     * @param date a date that exists, as YYYY-MM-DD.
     */
    @JvmStatic
    @JvmOverloads
    fun streakFrozen(date: String, reason: String? = null): Event =
        made("streak.frozen", "date" to date, "reason" to reason)

    /**
     * `streak.paused`: A span of at most 366 days is frozen: on its missed days, the streak neither ends nor grows. Only
     * administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose
     * types include `streak.paused`.
     *
     * @param from a date that exists, as YYYY-MM-DD.
     * @param through a date that exists, as YYYY-MM-DD.
     */
    @JvmStatic
    @JvmOverloads
    fun streakPaused(from: String, through: String, reason: String? = null): Event =
        made("streak.paused", "from" to from, "through" to through, "reason" to reason)

    /**
     * `freeze.granted`: The learner gets streak freezes. Only administrators may send it. A service accepts it only with a
     * key of scope `decree` or `admin`, or with a key whose types include `freeze.granted`.
     *
     * @param count a whole number from 1 to 100; 1 where absent.
     */
    @JvmStatic
    @JvmOverloads
    fun freezeGranted(count: Int? = null, reason: String? = null): Event =
        made("freeze.granted", "count" to count, "reason" to reason)

    /**
     * `xp.adjusted`: XP is added or subtracted. Only administrators may send it. A service accepts it only with a key of
     * scope `decree` or `admin`, or with a key whose types include `xp.adjusted`.
     *
     * @param amount a whole number.
     */
    @JvmStatic
    @JvmOverloads
    fun xpAdjusted(amount: Long, reason: String? = null): Event =
        made("xp.adjusted", "amount" to amount, "reason" to reason)

    /**
     * `xp.declared`: The total XP that an app showed. If the track has less, the difference is added. Only administrators may
     * send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include
     * `xp.declared`.
     *
     * @param total a whole number, 0 or more.
     */
    @JvmStatic
    fun xpDeclared(total: Long): Event =
        made("xp.declared", "total" to total)

    /**
     * `currency.adjusted`: A balance is raised or lowered. Only administrators may send it. A service accepts it only with a
     * key of scope `decree` or `admin`, or with a key whose types include `currency.adjusted`.
     *
     * @param amount a whole number from -1000000000000 to 1000000000000.
     */
    @JvmStatic
    @JvmOverloads
    fun currencyAdjusted(currency: String, amount: Long, reason: String? = null): Event =
        made("currency.adjusted", "currency" to currency, "amount" to amount, "reason" to reason)

    /**
     * `item.bought`: The learner bought items. Only administrators may send it. A service accepts it only with a key of scope
     * `decree` or `admin`, or with a key whose types include `item.bought`.
     *
     * @param count a whole number from 1 to 1000; 1 where absent.
     */
    @JvmStatic
    @JvmOverloads
    fun itemBought(item: String, count: Int? = null): Event =
        made("item.bought", "item" to item, "count" to count)

    /**
     * `achievement.granted`: An achievement is unlocked. Only administrators may send it. A service accepts it only with a
     * key of scope `decree` or `admin`, or with a key whose types include `achievement.granted`.
     */
    @JvmStatic
    @JvmOverloads
    fun achievementGranted(achievement: String, reason: String? = null): Event =
        made("achievement.granted", "achievement" to achievement, "reason" to reason)

    /**
     * `achievement.revoked`: An achievement is locked again. Only administrators may send it. A service accepts it only with
     * a key of scope `decree` or `admin`, or with a key whose types include `achievement.revoked`.
     */
    @JvmStatic
    @JvmOverloads
    fun achievementRevoked(achievement: String, reason: String? = null): Event =
        made("achievement.revoked", "achievement" to achievement, "reason" to reason)

    /**
     * `group.joined`: The learner became a member of a group. Only administrators may send it. A service accepts it only with
     * a key of scope `decree` or `admin`, or with a key whose types include `group.joined`.
     */
    @JvmStatic
    @JvmOverloads
    fun groupJoined(group: String, kind: String? = null): Event =
        made("group.joined", "group" to group, "kind" to kind)

    /**
     * `group.left`: The learner left a group. Only administrators may send it. A service accepts it only with a key of scope
     * `decree` or `admin`, or with a key whose types include `group.left`.
     */
    @JvmStatic
    fun groupLeft(group: String): Event =
        made("group.left", "group" to group)

    /**
     * `league.finished`: The learner's result in a week of a league. Only administrators may send it. A service accepts it
     * only with a key of scope `decree` or `admin`, or with a key whose types include `league.finished`.
     *
     * @param xp a number.
     * @param outcome Promoted, stayed or demoted.
     * @param room a whole number.
     * @param rank a whole number.
     * @param of a whole number.
     */
    @JvmStatic
    @JvmOverloads
    fun leagueFinished(
        league: String,
        week: String,
        tier: String,
        xp: Double,
        outcome: LeagueOutcome,
        next: String,
        room: Long? = null,
        rank: Long? = null,
        of: Long? = null
    ): Event =
        made(
            "league.finished",
            "league" to league,
            "week" to week,
            "tier" to tier,
            "room" to room,
            "rank" to rank,
            "of" to of,
            "xp" to xp,
            "outcome" to outcome.text,
            "next" to next
        )

    /**
     * `flag.cleared`: An event that was flagged as implausible is no longer flagged. Only administrators may send it. A
     * service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `flag.cleared`.
     */
    @JvmStatic
    fun flagCleared(source: String, id: String): Event =
        made("flag.cleared", "source" to source, "id" to id)

    /**
     * `scheduler.fitted`: FSRS parameters were fitted to the learner's reviews. Only administrators may send it. A service
     * accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `scheduler.fitted`.
     *
     * @param parameters a list of 21 numbers, each within its bounds.
     * @param reviews a whole number, 0 or more.
     * @param logLoss a number.
     */
    @JvmStatic
    fun schedulerFitted(parameters: List<Double>, reviews: Long, logLoss: Double): Event =
        made("scheduler.fitted", "parameters" to parameters, "reviews" to reviews, "logLoss" to logLoss)

    /**
     * `event.retracted`: An event of the same learner is retracted: it has no effect.
     */
    @JvmStatic
    fun eventRetracted(source: String, id: String): Event =
        made("event.retracted", "source" to source, "id" to id)
}

/** The values of a field: A1, A2, B1, B2, C1, C2. */
enum class CEFRLevel(internal val text: String) { A1("A1"), A2("A2"), B1("B1"), B2("B2"), C1("C1"), C2("C2") }

/** The values of a field: promoted, stayed, demoted. */
enum class LeagueOutcome(internal val text: String) { PROMOTED("promoted"), STAYED("stayed"), DEMOTED("demoted") }

/** The values of a field: again, hard, good, easy. */
enum class ReviewGrade(internal val text: String) { AGAIN("again"), HARD("hard"), GOOD("good"), EASY("easy") }

/** The values of a field: solo, host, client. */
enum class SessionMode(internal val text: String) { SOLO("solo"), HOST("host"), CLIENT("client") }
