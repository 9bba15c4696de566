// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    private static let event = """
        time string
        day string
        zone string
        source string
        id string
        type string
        session string?
        language string?
        void string?
        """
    private static let streak = """
        currentStreak count
        longestStreak count
        streakFreezes count
        """

    static let explanations = [
        "EventReference": Table("An event that something came of.", event),
        "ExplainedExpression": Table(
            "An expression of the rules with the values that went in.",
            """
            expression string
            substituted string
            values {any}
            value any
            """
        ),
        "XPExplanation": Table(
            "Each award with the values that went in.",
            """
            userId string
            language string?
            day string?
            session string?
            events [XPEvent]
            xpBreakdown {number}
            totalXP integer
            """
        ),
        "XPEvent": Table("An event and the XP that came of it.", event + "\nxp integer\nentries [XPEntry]"),
        "XPEntry": Table(
            "Some XP; which members there are depends on its kind.",
            """
            kind string
            bucket string?
            amount integer
            rule? string
            award? ExplainedExpression
            whole? integer?
            dailyCap? integer?
            when? ExplainedExpression?
            reason? string?
            total? integer
            achievement? string
            language? string?
            fromTier? count
            tier? count
            tiers? count
            from? string?
            through? string?
            outOfPeriod? string?
            """
        ),
        "StreakExplanation": Table(
            "The last month day by day.",
            """
            userId string
            language string?
            when string
            day string
            \(streak)
            lastBreak StreakDay?
            days [StreakDay]
            freezeEvery? count?
            mostFreezes? count
            restDays? [count]
            """
        ),
        "StreakDay": Table(
            "What a day was to the streak.",
            """
            day string
            outcome string
            \(streak)
            lost count?
            earnsFreeze boolean
            events count
            activeEvents count
            voidEvents count
            zones [string]
            event EventReference?
            when ExplainedExpression?
            repairedBy EventReference?
            frozenBy EventReference?
            """
        ),
        "AchievementExplanation": Table(
            "An achievement's history, or what it still takes.",
            """
            achievement string
            name string
            from string?
            through string?
            outOfPeriod string?
            description string
            language string?
            hidden boolean
            value string
            when string?
            thresholds [AchievementThreshold]
            tier count
            tiers count
            unlockedAt string?
            progress number
            revoked boolean
            requires [any]
            history [AchievementStep]
            voided [any]
            latest AchievementReading?
            best AchievementReading?
            xpPerTier? integer?
            """
        ),
        "AchievementThreshold": Table(
            "What a tier takes.",
            """
            tier count
            atLeast number
            unlocked boolean
            """
        ),
        "AchievementStep": Table(
            "Tiers that were unlocked, granted or taken back.",
            """
            kind string
            fromTier? count
            tier? count
            tiers? count
            xp integer
            reason string?
            event EventReference
            reading AchievementReading?
            """
        ),
        "AchievementReading": Table(
            "An achievement's value at an event.",
            """
            event EventReference
            value ExplainedExpression
            when ExplainedExpression?
            missing [string]
            """
        ),
        "WordExplanation": Table(
            "Each review of a word.",
            """
            language string?
            word string
            text string?
            translation string?
            state WordState?
            learned boolean
            due boolean
            steps [WordStep]
            """
        ),
        "WordStep": Table(
            "An event about a word.",
            event + """

                grade string?
                count count?
                before WordState?
                after WordState?
                """
        ),
        "WordState": Table(
            "How well a word is known.",
            """
            mastery count
            bucket string
            reviews count
            correct count
            intervalDays number
            easeFactor? number?
            stability? number?
            difficulty? number?
            lastReviewedAt string?
            nextReviewAt string
            saidLearned boolean
            firstSeenAt? string?
            """
        ),
    ]
}
