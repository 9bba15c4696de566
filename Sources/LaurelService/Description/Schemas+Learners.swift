// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    static let intake = [
        "RequestReport": Table(
            "What became of a request's events.",
            """
            read count
            stored count
            duplicates count
            conflicts count
            refused count
            problems [EventProblem]
            problemsOmitted? count
            notKept? count
            unknown? [UnknownName]
            progress? [LearnerProgress]
            """
        ),
        "EventProblem": Table(
            "An event that was not stored and is no duplicate; quarantine has it.",
            """
            index count
            id string?
            source string?
            subject string?
            code string
            message string
            """
        ),
        "UnknownName": Table(
            "A type, attribute or field that neither the catalogue nor the rules know.",
            """
            kind string
            name string
            type string?
            count count
            file string
            line count
            nearest string?
            """
        ),
    ]

    static let learners = [
        "LearnerOverview": Table(
            "A learner's headline numbers.",
            """
            userId string
            displayName string?
            cohort string?
            currentLevel count
            totalXP integer
            currentStreak count
            totalWordsLearned count
            events count
            lastEventAt string?
            """
        ),
        "LearnerProgress": Table(
            "Streak, XP, level, words and achievements, overall or in a language.",
            """
            userId string
            language string?
            displayName string?
            currentStreak count
            longestStreak count
            streakFreezes count
            lastActivityDate string?
            todayMinutes count
            dailyGoalMinutes count
            totalXP integer
            todayXP integer
            weeklyXP integer
            xpBreakdown {number}
            currentLevel count
            levelProgressPercent number
            xpToNextLevel integer?
            totalWordsKnown count
            totalWordsLearned count
            wordsDueForReview count
            vocabulary MasteryCounts
            vocabularyMasteryPercent number
            totalSessions count
            totalMinutesPlayed count
            soloSessions count
            multiplayerSessions count
            successfulRepairs count
            helpGiven count
            teamWins count
            estimatedCEFR string?
            cefrProgressPercent number?
            metrics {number?}
            day {number?}
            week {number?}
            achievements [AchievementProgress]
            events count
            rules? RulesVersion?
            """
        ),
        "MasteryCounts": Table(
            "Words by mastery.",
            """
            new count
            learning count
            reviewing count
            mastered count
            """
        ),
        "AchievementProgress": Table(
            "What a learner has of an achievement.",
            """
            id string
            tier count
            tiers count
            unlockedAt string?
            progress number
            """
        ),
        "RulesVersion": Table(
            "The version of the rules that counts for a learner.",
            """
            name string
            from string?
            """
        ),
        "Achievement": Table(
            "An achievement with a learner's progress.",
            """
            id string
            name string
            description string
            category string?
            language string?
            tier count
            tiers count
            unlockedAt string?
            progress number
            from? string?
            through? string?
            outOfPeriod? string?
            """
        ),
        "Word": Table(
            "A word that a learner knows.",
            """
            language string?
            word string
            text string?
            translation string?
            partOfSpeech string?
            category string?
            tags [string]
            favourite boolean
            bucket string
            mastery count
            reviews count
            correct count
            intervalDays number
            easeFactor? number?
            stability? number?
            difficulty? number?
            nextReviewAt string
            learned boolean
            due boolean
            firstSeenAt string
            lastReviewedAt string?
            learnedAt string?
            encounters count
            """
        ),
        "VocabularySummary": Table(
            "How many words, by mastery and category.",
            """
            language string?
            known count
            learned count
            due count
            new count
            learning count
            reviewing count
            mastered count
            categories [{any}]
            """
        ),
        "Session": Table("A session, newest first.", session),
        "SessionReport": Table(
            "A session with its lines.",
            session + """

                accuracy number?
                linesSkipped count
                reviews count
                hintsUsed count
                repairsMade count
                helpGiven count
                newWords [SessionWord]
                mistakes [SessionMistake]
                lines [SessionLine]
                """
        ),
        "SessionWord": Table(
            "A word that became known in a session.",
            """
            word string
            text string?
            translation string?
            """
        ),
        "SessionMistake": Table(
            "A mistake, and whether it was put right.",
            """
            time string
            kind string?
            original string?
            corrected string?
            line string?
            putRight boolean
            """
        ),
        "SessionLine": Table(
            "A line of the dialogue.",
            """
            time string
            line string?
            role string?
            text string?
            translation string?
            accuracy number?
            errors count?
            skipped boolean
            """
        ),
        "StudyTime": Table(
            "How long a learner practised.",
            """
            language string?
            totalMs count
            sessions count
            days [StudyDay]
            """
        ),
        "StudyDay": Table(
            "A local day.",
            """
            day string
            ms count
            xp integer
            lines count
            reviews count
            correctReviews count
            newWords count
            learnedWords count
            active boolean
            """
        ),
        "LeaderboardRow": Table(
            "A learner's place; the later members are those of a session's leaderboard.",
            """
            rank count
            userId string
            displayName string?
            cohort string?
            xp integer
            reachedAt string?
            language? string?
            mode? string?
            durationMs? count?
            linesSpoken? count
            accuracy? number?
            errorsDetected? count
            errorsCorrected? count
            newVocabulary? count
            xpBreakdown? {number}
            """
        ),
    ]

    private static let session = """
        sessionId string
        language string?
        startedAt string
        endedAt string?
        mode string?
        scenarioId string?
        partner string?
        durationMs count?
        linesSpoken count
        wordsEncountered count
        newVocabulary count
        errorsDetected count
        errorsCorrected count
        xpEarned integer
        xpBreakdown {number}
        """
}
