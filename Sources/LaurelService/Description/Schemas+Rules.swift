// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    private static let version = """
        version count Number of the version, from 1, in the order of application.
        name string Name of the rules.
        hash string SHA-256 of the rules file, in hexadecimal.
        appliedAt string Time when they were applied, RFC 3339 in UTC.
        from string? First local day in force, YYYY-MM-DD; null if from the beginning.
        """
    private static let differences = """
        changes [RulesChange] Differences between the two rule sets, in the order of a rules file.
        compared count Learners that were compared.
        population count Learners that there are.
        sample? {any} confidence, method and estimates for all; missing if everyone was compared.
        summary DifferenceSummary Effect on all compared learners together.
        """

    static let rules = [
        "AppliedRulesSource": Table(
            "A version of the rules that is in force, with its text.",
            version + """

                source string The rules file as a text.
                """
        ),
        "AppliedRules": Table(
            "A version that was applied, and what it changed.",
            version + """

                inForce boolean True if it was neither replaced nor withdrawn.
                changes [RulesChange] Differences from the version before; empty if there is none to compare.
                problem string? Reason why the version can no longer be read; null if it can.
                """
        ),
        "RulesChange": Table(
            "A difference between two versions of the rules.",
            """
            part string rules, calendar, eventType, metric, streak, xp, levels, mastery, cefr, achievement or tests.
            id string? Id or name of the rule that differs; null for parts without one.
            key string? Name of the key in the file; null if the whole part differs.
            kind string added, removed, raised, lowered, changed, reworded or moved.
            before string? Old value as written; null if it was not set.
            after string? New value as written; null if it is not set.
            statement string The change in one sentence, without a full stop.
            noEffect string? Reason why it changes no learner's numbers; null if it may.
            """
        ),
        "RulesCheck": Table(
            "What is wrong with rules.",
            """
            diagnostics [Diagnostic] Mistakes, warnings and failures of tests.
            tests count Tests that were run.
            failedTests count Tests that failed.
            """
        ),
        "Diagnostic": Table(
            "A mistake and its place.",
            """
            severity string error or warning.
            file string Name of the file, as it was given.
            line count Line in the file, from 1.
            column count Column in characters, from 1.
            endColumn? count? Column after the last character meant; column if only the start is known.
            message string The mistake, and what would be right.
            suggestion? string? Nearest right name on its own; missing or null if there is none.
            """
        ),
        "RulesDiff": Table(
            "What would change for whom.",
            """
            at string Instant as of which progress was compared, RFC 3339.
            events count Events that were folded, void ones included.
            learners [LearnerDifference] Learners with differences, the most affected first.

            """ + differences
        ),
        "DifferenceSummary": Table(
            "How many learners gain and lose.",
            """
            gain count Learners who only gain.
            lose count Learners who only lose.
            both count Learners who gain in one thing and lose in another.
            onlyDates count Learners who unlock the same tiers at other times, and nothing else.
            noChange count Learners without a difference.
            level NumberDifference Change of levels.
            xp NumberDifference Change of XP.
            currentStreak NumberDifference Change of current streaks, in days.
            longestStreak NumberDifference Change of longest streaks, in days.
            wordsLearned NumberDifference Change of the numbers of learned words.
            cefrHigher count CEFR estimates that rise, per learner and language.
            cefrLower count CEFR estimates that fall, per learner and language.
            achievements [AchievementHolders] Holders of each achievement, in the order of the new rules.
            """
        ),
        "NumberDifference": Table(
            "How a number would change.",
            """
            median number Median change of all compared learners.
            medianOfChanged number Median change of those for whom it differs; 0 if there are none.
            largestGain integer Largest rise, 0 or more.
            largestLoss integer Largest fall, 0 or less.
            gains count Learners for whom the number rises.
            losses count Learners for whom the number falls.
            sumBefore integer Sum over all compared learners, under the store's rules.
            sumAfter integer Sum over all compared learners, under the other rules.
            medianLow? number? Lower end of the median's 95 % interval; null for small samples.
            medianHigh? number? Upper end of the median's 95 % interval; null for small samples.
            sumChangeLow? number? Lower 95 % bound of the sum's change; null for small samples.
            sumChangeHigh? number? Upper 95 % bound of the sum's change; null for small samples.
            """
        ),
        "AchievementHolders": Table(
            "Who would have an achievement.",
            """
            id string The achievement's id, as the rules spell it.
            before count Learners who have it under the store's rules.
            after count Learners who have it under the other rules.
            won count Learners who would unlock it in a track where it is locked.
            lost count Learners who would lose it in a track where it is unlocked.
            moreTiers count Learners who would have more of its tiers.
            fewerTiers count Learners who would have fewer of its tiers, but at least one.
            earlier count Learners who would have unlocked the latest tier earlier.
            later count Learners who would have unlocked the latest tier later.
            estimatedBefore? Estimate Holders among all, under the store's rules; missing without a sample.
            estimatedAfter? Estimate Holders among all, under the other rules; missing without a sample.
            """
        ),
        "Estimate": Table(
            "A number known from a sample.",
            """
            value number Count in the sample, scaled to all learners.
            low number Lower end of the 95 % confidence interval.
            high number Upper end of the 95 % confidence interval.
            """
        ),
        "LearnerDifference": Table(
            "What would change for a learner.",
            """
            learner string The learner's id.
            displayName string? Name that others see; null if no event gave one.
            tracks [TrackDifference] Tracks with differences, all languages together first.
            """
        ),
        "TrackDifference": Table(
            "What would change in a track.",
            """
            language string? Language of the track; null for all languages together.
            before TrackNumbers Numbers under the store's rules.
            after TrackNumbers Numbers under the other rules.
            achievements [AchievementDifference] Achievements that differ, in the order of the new rules.
            """
        ),
        "TrackNumbers": Table(
            "A track's numbers.",
            """
            totalXP integer XP of all time; negative if more was taken than given.
            currentLevel count Level, from 1.
            currentStreak count Current streak, in days.
            longestStreak count Longest streak, in days.
            totalWordsLearned count Known words that count as learned.
            estimatedCEFR string? Estimated level, A1 to C2; null overall, and if the rules estimate none.
            """
        ),
        "AchievementDifference": Table(
            "What would change of an achievement.",
            """
            id string The achievement's id, as the rules spell it.
            outcome string won, lost, moreTiers, fewerTiers, earlier or later.
            tierBefore count Unlocked tiers under the store's rules; 0 for none.
            tierAfter count Unlocked tiers under the other rules; 0 for none.
            unlockedBefore string? Latest tier's time under the store's rules, RFC 3339 in UTC; null without.
            unlockedAfter string? Latest tier's time under the other rules, RFC 3339 in UTC; null without.
            """
        ),
    ]
}
