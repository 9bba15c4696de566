// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    private static let event = """
        time string Time when it happened, RFC 3339 in UTC.
        day string Local day of the event, YYYY-MM-DD, by the learner's clock.
        zone string Time zone or offset that decided the local day.
        source string Origin of the event, as the sender named it.
        id string The event's id, unique to its learner and source.
        type string The event's type, such as line.spoken.
        session string? The session's id; null outside sessions.
        language string? Language tag, such as es; null if it carries none.
        void string? Correction that voids it: retracted or sessionDiscarded; null if it counts.
        """
    private static let streak = """
        currentStreak count Streak at the day, in days.
        longestStreak count Longest streak up to the day, in days.
        streakFreezes count Freezes held at the day.
        """

    static let explanations = [
        "EventReference": Table("An event that something came of.", event),
        "ExplainedExpression": Table(
            "An expression of the rules with the values that went in.",
            """
            expression string The expression as written in the rules.
            substituted string The expression with each name replaced by its value; long texts are cut.
            values {any} Values by name, as they went in.
            value any Result: a number, true or false, a text, or null for no value.
            """
        ),
        "XPExplanation": Table(
            "Each award with the values that went in.",
            """
            learner string The learner's id.
            language string? Language of the track; null for all languages together.
            day string? The only local day explained, YYYY-MM-DD, by the learner's clock; null for all.
            session string? The only session that is explained; null for all events.
            events [XPEvent] Events that gave, took or might have given XP, in the learner's order.
            xpBreakdown {number} XP by bucket, without zeros.
            totalXP integer Sum of all buckets.
            """
        ),
        "XPEvent": Table(
            "An event and the XP that came of it.",
            event + """

                xp integer Sum of the entries.
                entries [XPEntry] Entries in the order of crediting; empty for a void event.
                """
        ),
        "XPEntry": Table(
            "Some XP; which members there are depends on its kind.",
            """
            kind string award, withheld, outOfPeriod, adjustment, declaration, reward or rewardTakenBack.
            bucket string? Bucket that was credited.
            amount integer XP; negative if it was taken, and 0 if none was given.
            rule? string The XP rule's id.
            award? ExplainedExpression Award as the rule gives it, or would have given it.
            whole? integer? Award rounded down and not below 0, before the daily cap.
            dailyCap? integer? Most XP that the rule awards in a day; null without a cap.
            when? ExplainedExpression? Condition of the rule that did not hold.
            reason? string? Reason of an adjustment, or of being out of period; null if none.
            total? integer XP that xp.declared named.
            achievement? string The achievement's id.
            language? string? Language of the achievement's track; null for the overall one.
            fromTier? count First tier that was rewarded, from 1.
            tier? count Last tier that was rewarded, from 1.
            tiers? count Tiers whose rewards were taken back.
            """
        ),
        "StreakExplanation": Table(
            "The last month day by day.",
            """
            learner string The learner's id.
            language string? Language of the track; null for all languages together.
            when string Condition that makes a day active, as written in the rules.
            day string Reference day, YYYY-MM-DD: the instant's, or the latest active one if later.
            \(streak)
            lastBreak StreakDay? Latest day that broke a streak; null if none did.
            days [StreakDay] Days that are shown, about a month, ascending and without gaps.
            """
        ),
        "StreakDay": Table(
            "What a day was to the streak.",
            """
            day string Local day, YYYY-MM-DD, by the learner's clock.
            outcome string active, repaired, restDay, frozen, freezeSpent, missed or open.
            \(streak)
            lost count? Length of the streak that it broke, in days; null if it broke none.
            earnsFreeze boolean True if a freeze was earned on it.
            events count Events of the track on the day, without void ones.
            activeEvents count Events that met the streak's condition.
            voidEvents count Events of the day that corrections void.
            zones [string] Clocks of the events that met the condition, each once.
            event EventReference? First event that met the condition, else the last; null without events.
            when ExplainedExpression? Condition at that event; null without an event.
            repairedBy EventReference? First streak.repaired that names the day; null if none does.
            frozenBy EventReference? First streak.frozen that names the day; null if none does.
            """
        ),
        "AchievementExplanation": Table(
            "An achievement's history, or what it still takes.",
            """
            achievement string The achievement's id, as the rules spell it.
            name string Name that learners see.
            from string? First local day of its period, YYYY-MM-DD; null if there is none.
            through string? Last local day of its period, YYYY-MM-DD; null if there is none.
            outOfPeriod string? Reason, such as not before 2026-12-24; null within the period.
            description string Sentence for learners about what it is given for.
            language string? Language of the track; null for the overall one.
            hidden boolean True if lists leave it out until its first tier is unlocked.
            value string Expression that is measured, as written in the rules.
            when string? Condition that must hold as well, as written; null if there is none.
            thresholds [AchievementThreshold] Threshold of each tier, the lowest first.
            tier count Unlocked tiers; 0 while it is locked.
            tiers count Tiers that there are.
            unlockedAt string? Time of the latest tier, RFC 3339 in UTC; null while none is unlocked.
            progress number Way to the next locked tier, share 0 to 1; 1 without one.
            revoked boolean True if it was revoked, and stays locked until it is granted.
            requires [AchievementRequirement] Achievements that must be unlocked first.
            history [AchievementStep] Changes that events made to it, in the learner's order.
            voided [EventReference] Its grants and revocations that corrections void.
            latest AchievementReading? Values at the last event at which it was evaluated; null if never.
            best AchievementReading? Reading with the largest value that counted; null if there is none.
            """
        ),
        "AchievementRequirement": Table(
            "An achievement that another one requires.",
            """
            achievement string Id of the required achievement.
            tier count Unlocked tiers of it.
            tiers count Tiers that it has.
            unlocked boolean True if all its tiers are unlocked.
            """
        ),
        "AchievementThreshold": Table(
            "What a tier takes.",
            """
            tier count Number of the tier, from 1.
            atLeast number Value that unlocks it.
            unlocked boolean True if the learner has this tier.
            """
        ),
        "AchievementStep": Table(
            "Tiers that were unlocked, granted or taken back.",
            """
            kind string unlocked, granted or revoked.
            fromTier? count First tier that was unlocked, from 1; missing or null if none was.
            tier? count Last tier that was unlocked, from 1; missing or null if none was.
            tiers? count Tiers that were locked; missing unless it was revoked.
            xp integer XP of the change; negative if rewards were taken back.
            reason string? Reason that an administrator gave; null if none was given.
            event EventReference The event that made the change.
            reading AchievementReading? Values that unlocked it; null for grants and revocations.
            """
        ),
        "AchievementReading": Table(
            "An achievement's value at an event.",
            """
            event EventReference The event at which it was read.
            value ExplainedExpression Value of the achievement, as an expression.
            when ExplainedExpression? Condition of the achievement; null if it has none.
            missing [string] Ids of required achievements that were not fully unlocked.
            """
        ),
        "WordExplanation": Table(
            "Each review of a word.",
            """
            language string? Language of the events; null if they carry none.
            word string The word's id, as the app gave it.
            text string? The word as it is written; null if not told.
            translation string? The word in the learner's own language; null if not told.
            state WordState? Schedule now; null if the word is not known, or was removed.
            learned boolean True if the word counts as learned.
            due boolean True if the next review is due at the instant asked about.
            steps [WordStep] Events about the word, in the learner's order, void ones among them.
            """
        ),
        "WordStep": Table(
            "An event about a word.",
            event + """

                grade string? again, hard, good or easy; null if it is no review.
                count count? Times that word.encountered counts; null for other events.
                before WordState? Schedule before the event; null if not known, and for a void event.
                after WordState? Schedule after the event; null if it removed the word or is void.
                """
        ),
        "WordState": Table(
            "How well a word is known.",
            """
            \(schedule)
            lastReviewedAt string? Time of the latest review, RFC 3339 in UTC; null if there is none.
            nextReviewAt string Time when the next review is due, RFC 3339 in UTC.
            declaredLearned boolean True if the learner declared it learned with word.learned.
            """
        ),
    ]
}
