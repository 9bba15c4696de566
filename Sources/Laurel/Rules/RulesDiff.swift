package import LaurelRules

/// What would change for whom if other rules replaced those in force.
package struct RulesDiff: Sendable {
    /// In what the two rule sets differ.
    package var comparison: RulesComparison
    package var summary: DifferenceSummary
    /// The most affected first; those for whom something differs, or everyone where that was asked for.
    package var learners: [LearnerDifference]
    package var events = 0
    package var seconds = 0.0
}

/// One learner under both rule sets.
package struct LearnerDifference: Sendable, Equatable {
    package var subject: String
    package var displayName: String?
    /// The overall one first, then by language; those in which something differs, or all.
    package var tracks: [TrackDifference]

    package var isAny: Bool { tracks.contains(where: \.isAny) }
    var overall: TrackDifference? { tracks.first { $0.language == nil } }
}

/// One track under both rule sets.
package struct TrackDifference: Sendable, Equatable {
    /// The numbers that are compared.
    package struct Numbers: Sendable, Equatable {
        package var xp: Double = 0
        package var level = 1
        package var currentStreak = 0
        package var longestStreak = 0
        package var wordsLearned = 0
        /// nil overall, and where the rules estimate none.
        package var cefr: String?

        package init() {}
    }

    /// nil for the overall one.
    package var language: String?
    package var before: Numbers
    package var after: Numbers
    /// Those that differ, in the order of the new rules' file; what only the old ones have comes last.
    package var achievements: [AchievementDifference]

    package var isAny: Bool { before != after || !achievements.isEmpty }
}

/// What becomes of an achievement.
package struct AchievementDifference: Sendable, Equatable {
    package enum Outcome: String, Sendable, CaseIterable {
        /// Unlocked where it was not, or the reverse.
        case won, lost
        /// Unlocked before and after, with more tiers or with fewer.
        case moreTiers, fewerTiers
        /// The same tiers, the latest of them at another time.
        case earlier, later
    }

    package var id: String
    package var outcome: Outcome
    /// Tiers unlocked; 0 for none.
    package var tierBefore: Int
    package var tierAfter: Int
    /// Milliseconds since 1970, of the latest tier unlocked.
    package var unlockedBefore: Int64?
    package var unlockedAfter: Int64?
}

/// All learners' differences in numbers. Where only a sample was folded, the counts are the sample's.
package struct DifferenceSummary: Sendable {
    package struct Change: Sendable {
        package var median = 0.0
        /// Of those for whom it differs.
        package var medianOfChanged = 0.0
        package var largestGain = 0.0
        package var largestLoss = 0.0
        package var gains = 0
        package var losses = 0
        package var sumBefore = 0.0
        package var sumAfter = 0.0
        /// For the error of a sample: the 95 % confidence interval of the median, and of the change's sum; nil where the
        /// sample is too small for one.
        package var medianInterval: ClosedRange<Double>?
        package var sumInterval: ClosedRange<Double>?

        package var changed: Int { gains + losses }
    }

    /// How many learners unlocked an achievement, in any track.
    package struct Holders: Sendable {
        package var id: String
        package var before = 0
        package var after = 0
        package var won = 0
        package var lost = 0
        package var moreTiers = 0
        package var fewerTiers = 0
        package var earlier = 0
        package var later = 0
    }

    /// Learners compared, and how many there are.
    package var learners = 0
    package var population = 0
    /// For whom something rises and nothing falls, the reverse, both, and nothing at all; achievements unlocked at another
    /// time only are none of these.
    package var gain = 0
    package var lose = 0
    package var mixed = 0
    package var unchanged = 0
    package var redated = 0
    package var level = Change()
    package var xp = Change()
    package var currentStreak = Change()
    package var longestStreak = Change()
    package var wordsLearned = Change()
    /// Counted per learner and language.
    package var cefrHigher = 0
    package var cefrLower = 0
    /// In the order of the new rules' file; what only the old ones have comes last.
    package var holders: [Holders] = []

    package var isSample: Bool { learners < population }

    /// How many of everyone a count in the sample stands for, with its 95 % confidence interval.
    package func estimate(_ count: Int) -> Estimate { Estimate(count, of: learners, population: population) }
}
