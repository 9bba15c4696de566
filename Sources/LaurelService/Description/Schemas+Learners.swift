// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    static let intake = [
        "RequestReport": Table(
            "What became of a request's events.",
            """
            read count Events that were read: stored, duplicates, conflicts and refused.
            stored count Events that were new, and are stored now.
            duplicates count Events that were stored already.
            conflicts count Events with the identity of a stored one, but other content.
            refused count Records that are no valid event.
            problems [EventProblem] Refused and conflicting events by index, at most 1,000.
            problemsOmitted? count Problems beyond those listed; missing if there are none.
            notKept? count Problems that quarantine had no room for; missing if none.
            unknown? [UnknownName] Names that neither the catalogue nor the rules know; missing if none.
            progress? [LearnerProgress] Progress of the touched learners; missing unless asked for.
            """
        ),
        "EventProblem": Table(
            "An event that was not stored and is no duplicate; quarantine has it.",
            """
            index count Place among the events of the request, from 0.
            id string? The event's id; null if it could not be read.
            source string? The event's source; null if it could not be read.
            learner string? The event's learner; null if it could not be read.
            code string Stable code of the reason, such as invalid-field or conflict.
            message string The mistake, and what would be right.
            """
        ),
        "UnknownName": Table(
            "A name that neither the catalogue nor the rules know, or a learner whose id looks like another's.",
            """
            kind string One of type, attribute, field, achievement and learner.
            name string The name as the event spells it.
            type string? Type of the events with this field; null for types and attributes.
            count count Events that have it, duplicates included.
            file string Name of the input where it stands first.
            line count Line where it stands first, from 1.
            nearest string? Known name that was most likely meant, or the other learner; null if none is similar.
            """
        ),
    ]

    /// The schedule of a word.
    static let schedule = """
        bucket string Stage: new, learning, reviewing or mastered.
        mastery count Mastery, 0 to 5, set by the scheduler.
        reviews count Times that the word was reviewed.
        correct count Reviews that were graded hard, good or easy.
        intervalDays number Days until the next review, as last scheduled, 0 to 36500.
        easeFactor? number? SM-2's ease factor, at least 1.3; missing under FSRS.
        stability? number? FSRS's stability in days; missing under SM-2, null until known.
        difficulty? number? FSRS's difficulty, 1 to 10; missing under SM-2, null until known.
        """

    static let learners = [
        "LearnerOverview": Table(
            "A learner's headline numbers.",
            """
            learner string The learner's id.
            displayName string? Name that others see; null if no event gave one.
            cohort string? The learner's group, such as a class; null if no event gave one.
            currentLevel count Overall level, from 1.
            totalXP integer XP of all time; negative if more was taken than given.
            currentStreak count Streak in days, as of the instant asked about, else of the latest practice.
            totalWordsLearned count Known words that count as learned.
            events count Events that count, without void ones.
            lastEventAt string? Latest event that counts, RFC 3339 in UTC; null without any.
            lastPracticeAt string? Latest practice, RFC 3339 in UTC; null without any.
            """
        ),
        "LearnerProgress": Table(
            "Streak, XP, level, words and achievements, overall or in a language.",
            """
            userId string The learner's id.
            language string? Language of the track; null for all languages together.
            displayName string? Name that others see; null if no event gave one.
            currentStreak count Streak in days, at the instant's local day.
            longestStreak count Longest streak up to that day, in days.
            streakFreezes count Freezes held on that day.
            lastActivityDate string? Latest active day, YYYY-MM-DD, by the learner's clock; null without one.
            todayMinutes count Whole minutes of practice on the instant's local day.
            dailyGoalMinutes count Goal in minutes a day, 1 to 1440; 15 unless set.
            totalXP integer XP of all time; negative if more was taken than given.
            todayXP integer XP earned on the learner's local day so far.
            weeklyXP integer XP of the week that the instant's local day is in.
            xpBreakdown {number} XP by bucket, without zeros.
            currentLevel count Level, from 1.
            levelProgressPercent number Way to the next level, percent 0 to 100; 100 at the highest.
            xpToNextLevel integer? XP missing to the next level; null at the highest.
            totalWordsKnown count Words that were met, and not removed.
            totalWordsLearned count Known words that count as learned.
            wordsDueForReview count Known words due for review at the instant.
            vocabulary MasteryCounts Known words by mastery.
            vocabularyMasteryPercent number Learned among the known words, percent 0 to 100; 0 if none is known.
            totalSessions count Sessions that have ended.
            totalMinutesPlayed count Whole minutes of practice of all time.
            soloSessions count Ended sessions with mode solo or none.
            multiplayerSessions count Ended sessions with mode host or client.
            successfulRepairs count Misunderstandings that were cleared up.
            helpGiven count Times that the learner helped others.
            teamWins count Times that a team won with the learner.
            estimatedCEFR string? Estimated level, A1 to C2; null overall, and if the rules estimate none.
            cefrProgressPercent number? Way to the next CEFR level, percent 0 to 100; null without an estimate.
            metrics {number?} Total of each metric, by name.
            day {number?} xp and metrics that the rules read by day, on the instant's day.
            week {number?} xp and metrics that the rules read by week, in the instant's week.
            achievements [AchievementProgress] Achievements of the track, in the order of the rules.
            events count Events that count, without void ones.
            rules? RulesVersion? Version of the rules for the learner; missing if there is only one.
            """
        ),
        "MasteryCounts": Table(
            "Words by mastery.",
            """
            new count Words of mastery 0 that were never reviewed.
            learning count Words of mastery 1 or 2, or of 0 after a review.
            reviewing count Words of mastery 3 or 4.
            mastered count Words of mastery 5.
            """
        ),
        "AchievementProgress": Table(
            "What a learner has of an achievement.",
            """
            id string The achievement's id, as the rules spell it.
            name string Name in the language of locale, else in English or the rules' own.
            tier count Unlocked tiers; 0 while it is locked.
            tiers count Tiers that there are.
            unlockedAt string? Time of the latest tier, RFC 3339 in UTC; null while none is unlocked.
            progress number Way to the next locked tier, share 0 to 1; 1 without one.
            """
        ),
        "RulesVersion": Table(
            "The version of the rules that counts for a learner.",
            """
            name string Name of the rules.
            from string? First local day in force, YYYY-MM-DD; null if from the beginning.
            """
        ),
        "Achievement": Table(
            "An achievement with a learner's progress.",
            """
            id string The achievement's id, as the rules spell it.
            name string Name that learners see.
            description string Sentence for learners about what it is given for.
            category string? Category, such as SOCIAL; null if the rules give none.
            language string? Language of the track; null for the overall one.
            tier count Unlocked tiers; 0 while it is locked.
            tiers count Tiers that there are.
            unlockedAt string? Time of the latest tier, RFC 3339 in UTC; null while none is unlocked.
            progress number Way to the next locked tier, share 0 to 1; 1 without one.
            from? string? First local day of its period, YYYY-MM-DD; missing or null if none.
            through? string? Last local day of its period, YYYY-MM-DD; missing or null if none.
            outOfPeriod? string? Reason, such as not before 2026-12-24; missing or null within the period.
            """
        ),
        "Word": Table(
            "A word that a learner knows.",
            """
            language string? Language of the events; null if they carry none.
            word string The word's id, as the app gave it.
            text string? The word as it is written; null if not told.
            translation string? The word in the learner's own language; null if not told.
            partOfSpeech string? Part of speech, such as noun; null if not told.
            category string? Category in which the app groups the word; null if not told.
            tags [string] Tags of the latest event that has any.
            favourite boolean True if the learner marked the word as a favourite.
            \(schedule)
            nextReviewAt string Time when the next review is due, RFC 3339 in UTC.
            learned boolean True if the word counts as learned.
            due boolean True if the next review is due at the instant asked about.
            firstSeenAt string Time when the word became known, RFC 3339 in UTC.
            lastReviewedAt string? Time of the latest review, RFC 3339 in UTC; null if there is none.
            learnedAt string? Time when it became learned, RFC 3339 in UTC; null before.
            encounters count Times that the word was met outside reviews.
            """
        ),
        "VocabularyCategory": Table(
            "How many words a category has.",
            """
            language? string? Language tag of the words; missing or null without one.
            category string? The category; null for words without one.
            known count Words that are known.
            learned count Words that count as learned.
            due count Words whose next review is due.
            """
        ),
        "VocabularySummary": Table(
            "How many words, by mastery and category.",
            """
            language string? Language; null for all languages together.
            known count Words that were met, and not removed.
            learned count Known words that count as learned.
            due count Known words whose next review is due.
            new count Known words of mastery 0 that were never reviewed.
            learning count Known words of mastery 1 or 2, or of 0 after a review.
            reviewing count Known words of mastery 3 or 4.
            mastered count Known words of mastery 5.
            categories [VocabularyCategory] Known, learned and due words, by language and category.
            """
        ),
        "Session": Table("A session, newest first.", session),
        "SessionReport": Table(
            "A session with its lines.",
            session + """

                accuracy number? Mean accuracy of the lines, share 0 to 1; null if none has one.
                linesSkipped count Lines of the dialogue that were skipped.
                reviews count Words that were reviewed, each review counted.
                hintsUsed count Hints that the learner asked for.
                repairsMade count Misunderstandings that were cleared up.
                helpGiven count Times that the learner helped others.
                newWords [SessionWord] Words that became known, in the order of the events.
                mistakes [SessionMistake] Mistakes and corrections that have events of their own, in their order.
                lines [SessionLine] Lines of the dialogue, in the order in which they were spoken or skipped.
                """
        ),
        "SessionWord": Table(
            "A word that became known in a session.",
            """
            word string The word's id, as the app gave it.
            text string? The word as it is written; null if not told.
            translation string? Translation of the text; null if not told.
            """
        ),
        "SessionMistake": Table(
            "A mistake, and whether it was put right.",
            """
            time string Time when it was noticed or corrected, RFC 3339 in UTC.
            kind string? Kind of mistake, as the app calls it; null if not told.
            original string? Words of the learner; null if not told.
            corrected string? Right words; null if not told.
            line string? The line's id, as the app gave it; null if not told.
            correction boolean True for a correction, false for the mistake itself.
            """
        ),
        "SessionLine": Table(
            "A line of the dialogue.",
            """
            time string Time when the line was spoken or skipped, RFC 3339 in UTC.
            line string? The line's id, as the app gave it; null if not told.
            role string? Role that the learner played; null if not told.
            text string? Text of the line; null if not told.
            translation string? Translation of the text; null if not told.
            accuracy number? Accuracy, share 0 to 1; null if not told.
            errors count? Mistakes in the line; null if not told.
            skipped boolean True if the line was skipped.
            """
        ),
        "StudyTime": Table(
            "How long a learner practised.",
            """
            language string? Language of the track; null for all languages together.
            totalMs count Practice of all time, in milliseconds.
            sessions count Sessions that have ended.
            days [StudyDay] Local days on which something happened, the latest first.
            """
        ),
        "StudyDay": Table(
            "A local day.",
            """
            day string Local day, YYYY-MM-DD, by the learner's clock.
            ms count Practice on the day, in milliseconds.
            xp integer XP of its events; negative if more was taken than given.
            lines count Lines of dialogue that were spoken.
            reviews count Words that were reviewed, each review counted.
            correctReviews count Reviews that were graded hard, good or easy.
            newWords count Words that became known on it.
            learnedWords count Words that became learned on it.
            active boolean True if the day is active for the streak.
            """
        ),
        "LeaderboardRow": Table(
            "A learner's place; the later members are those of a session's leaderboard.",
            """
            rank count Rank, from 1; equal XP shares one: 1, 2, 2, 4.
            learner string The learner's id.
            displayName string? Name that others see; null if no event gave one.
            cohort string? The learner's group, such as a class; null if no event gave one.
            xp integer XP of the time or session asked for; may be negative.
            reachedAt string? Time when that XP last changed, RFC 3339 in UTC; null if not known.
            language? string? Language tag of the session; null if its events carry none.
            mode? string? Mode, such as solo; null if not told.
            durationMs? count? Length in milliseconds; null while it has not ended, or if unknown.
            linesSpoken? count Lines of the dialogue that were spoken.
            accuracy? number? Mean accuracy of the lines, share 0 to 1; null if none has one.
            errorsDetected? count Mistakes that were noticed.
            errorsCorrected? count Mistakes that the learner corrected.
            newVocabulary? count Words that became known.
            xpBreakdown? {number} XP by bucket, without zeros.
            """
        ),
    ]

    private static let session = """
        sessionId string The session's id, as its events carry it.
        language string? Language tag, such as es; null if its events carry none.
        startedAt string Time of its first event, RFC 3339 in UTC.
        endedAt string? Time of its session.ended, RFC 3339 in UTC; null without one.
        mode string? Mode, such as solo; null if not told.
        scenarioId string? The scenario's id, as the app gave it; null if not told.
        partner string? Partner of the learner; null if not told.
        durationMs count? Length in milliseconds; null while it has not ended, or if unknown.
        linesSpoken count Lines of the dialogue that were spoken.
        wordsEncountered count Words that were met, each time counted.
        newVocabulary count Words that became known.
        errorsDetected count Mistakes that were noticed.
        errorsCorrected count Mistakes that the learner corrected.
        xpEarned integer XP that its events brought overall; negative if more was taken than given.
        xpBreakdown {number} XP by bucket, without zeros.
        """
}
