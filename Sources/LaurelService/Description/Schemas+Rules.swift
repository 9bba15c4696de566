// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    private static let version = """
        version count
        name string
        hash string
        appliedAt string
        from string?
        """
    private static let differences = """
        changes [RulesChange]
        compared count
        population count
        sample? {any}
        summary DifferenceSummary
        """

    static let rules = [
        "AppliedRulesSource": Table(
            "A version of the rules that is in force, with its text.",
            version + "\nsource string"
        ),
        "AppliedRules": Table(
            "A version that was applied, and what it changed.",
            version + "\ninForce boolean\nchanges [RulesChange]\nproblem string?"
        ),
        "RulesChange": Table(
            "A difference between two versions of the rules.",
            """
            part string
            id string?
            key string?
            kind string
            before string?
            after string?
            statement string
            noEffect string?
            """
        ),
        "RulesCheck": Table(
            "What is wrong with rules.",
            """
            diagnostics [Diagnostic]
            tests count
            failedTests count
            """
        ),
        "Diagnostic": Table(
            "A mistake and its place.",
            """
            severity string
            file string
            line count
            column count
            endColumn? count?
            message string
            suggestion? string?
            """
        ),
        "RulesDiff": Table(
            "What would change for whom.",
            "at string\nevents count\nlearners [LearnerDifference]\n" + differences
        ),
        "DifferenceSummary": Table(
            "How many learners gain and lose.",
            """
            gain count
            lose count
            both count
            onlyDates count
            noChange count
            level NumberDifference
            xp NumberDifference
            currentStreak NumberDifference
            longestStreak NumberDifference
            wordsLearned NumberDifference
            cefrHigher count
            cefrLower count
            achievements [AchievementHolders]
            """
        ),
        "NumberDifference": Table(
            "How a number would change.",
            """
            median number
            medianOfChanged number
            largestGain integer
            largestLoss integer
            gains count
            losses count
            sumBefore integer
            sumAfter integer
            medianLow? number?
            medianHigh? number?
            sumChangeLow? number?
            sumChangeHigh? number?
            """
        ),
        "AchievementHolders": Table(
            "Who would have an achievement.",
            """
            id string
            before count
            after count
            won count
            lost count
            moreTiers count
            fewerTiers count
            earlier count
            later count
            estimatedBefore? Estimate
            estimatedAfter? Estimate
            """
        ),
        "Estimate": Table(
            "A number known from a sample.",
            """
            value number
            low number
            high number
            """
        ),
        "LearnerDifference": Table(
            "What would change for a learner.",
            """
            userId string
            displayName string?
            tracks [TrackDifference]
            """
        ),
        "TrackDifference": Table(
            "What would change in a track.",
            """
            language string?
            before TrackNumbers
            after TrackNumbers
            achievements [AchievementDifference]
            """
        ),
        "TrackNumbers": Table(
            "A track's numbers.",
            """
            totalXP integer
            currentLevel count
            currentStreak count
            longestStreak count
            totalWordsLearned count
            estimatedCEFR string?
            """
        ),
        "AchievementDifference": Table(
            "What would change of an achievement.",
            """
            id string
            outcome string
            tierBefore count
            tierAfter count
            unlockedBefore string?
            unlockedAfter string?
            """
        ),
    ]
}
