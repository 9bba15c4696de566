// SPDX-License-Identifier: Apache-2.0

/// The differences of all learners in numbers. If only a sample was folded, the counts are those of the sample.
public struct DifferenceSummary: Sendable, Hashable {
    /// The differences between the two rule sets, in the order of a rules file.
    public var changes: [RulesChange] = []
    /// True if these differences may change any number. The JSON omits this property, so it is true after
    /// decoding.
    public var mayChangeNumbers = true
    /// The number of compared learners.
    public var compared = 0
    /// The number of all learners. A sample contains fewer.
    public var population = 0
    /// The number of learners with gains only: some numbers rise, and no number falls.
    public var gain = 0
    /// The number of learners with losses only: some numbers fall, and no number rises.
    public var lose = 0
    /// The number of learners with both gains and losses.
    public var both = 0
    /// The number of learners whose only difference is the times at which tiers are unlocked.
    public var onlyDates = 0
    /// The number of learners that have no difference.
    public var noChange = 0
    /// The change of levels.
    public var level = Change()
    /// The change of XP.
    public var xp = Change()
    /// The change of current streaks, in days.
    public var currentStreak = Change()
    /// The change of longest streaks, in days.
    public var longestStreak = Change()
    /// The change of the numbers of learned words.
    public var wordsLearned = Change()
    /// The number of CEFR estimates that rise, counted per learner and language.
    public var cefrHigher = 0
    /// The number of CEFR estimates that fall, counted per learner and language.
    public var cefrLower = 0
    /// The learners and the XP that limits of the rules concern. If neither rule set flags an event, it is nil and left out
    /// of the JSON.
    public var flagged: Flagged?
    /// The achievements in the order of the new rules' file. Achievements that only the old rules have come last.
    public var achievements: [Holders] = []

    /// Creates a value, for previews and tests.
    public init() {}

    /// True if only some learners were compared.
    public var isSample: Bool { compared < population }

    /// Estimates the number of all learners that corresponds to a count in the sample, with a 95 % confidence interval.
    /// - Parameter count: a number of compared learners.
    public func estimate(_ count: Int) -> Estimate { Estimate(count, of: compared, population: population) }

    /// The change of one number, over all languages together.
    public struct Change: Sendable, Hashable {
        /// The median change of all compared learners.
        public var median = 0.0
        /// The median change of the learners whose number changes; 0 if there are none.
        public var medianOfChanged = 0.0
        /// The largest rise, 0 or more.
        public var largestGain = 0
        /// The largest fall, 0 or less.
        public var largestLoss = 0
        /// The number of learners whose number rises.
        public var gains = 0
        /// The number of learners whose number falls.
        public var losses = 0
        /// The sum over all compared learners under the store's rules. The sum of XP may be negative.
        public var sumBefore = 0
        /// The sum over all compared learners under the other rules. The sum of XP may be negative.
        public var sumAfter = 0
        /// The uncertainty of a sample's figures; nil if all learners were compared.
        public var uncertainty: Uncertainty?

        /// Creates a value, for previews and tests.
        public init() {}

        /// The number of learners whose number changes.
        public var changed: Int { gains + losses }
    }

    /// The 95 % confidence intervals of a sample's figures, as estimates for all learners.
    public struct Uncertainty: Sendable, Hashable {
        /// The interval of the median; nil if the sample is too small for an interval.
        public var median: ClosedRange<Double>?
        /// The interval of the change of the sum; nil if the sample is too small for an interval.
        public var sumChange: ClosedRange<Double>?

        /// Creates a value, for previews and tests.
        public init(median: ClosedRange<Double>?, sumChange: ClosedRange<Double>?) {
            (self.median, self.sumChange) = (median, sumChange)
        }
    }

    /// The learners with flagged events, and their flagged XP, over all languages together.
    public struct Flagged: Codable, Sendable, Hashable {
        /// The number of learners with flagged events under the store's rules.
        public var learnersBefore = 0
        /// The number of learners with flagged events under the other rules.
        public var learnersAfter = 0
        /// The number of flagged events under the store's rules.
        public var eventsBefore = 0
        /// The number of flagged events under the other rules.
        public var eventsAfter = 0
        /// The flagged XP under the store's rules. It may be negative.
        public var xpBefore = 0
        /// The flagged XP under the other rules. It may be negative.
        public var xpAfter = 0

        /// Creates a value, for previews and tests.
        public init() {}

        /// True if the two rule sets flag the same number of events, with the same XP.
        public var isSame: Bool {
            (learnersBefore, eventsBefore, xpBefore) == (learnersAfter, eventsAfter, xpAfter)
        }
    }

    /// The number of learners who have unlocked an achievement, in any language or overall.
    public struct Holders: Codable, Sendable, Hashable, Identifiable {
        /// The achievement's id, as the rules spell it.
        public var id: String
        /// The number of learners who have the achievement under the store's rules.
        public var before = 0
        /// The number of learners who have the achievement under the other rules.
        public var after = 0
        /// The number of learners who would unlock the achievement in a track where it is locked now.
        public var won = 0
        /// The number of learners who would lose the achievement in a track where it is unlocked now.
        public var lost = 0
        /// The number of learners who would have more tiers of the achievement.
        public var moreTiers = 0
        /// The number of learners who would have fewer tiers of the achievement, but at least one.
        public var fewerTiers = 0
        /// The number of learners who would have unlocked the latest tier earlier.
        public var earlier = 0
        /// The number of learners who would have unlocked the latest tier later.
        public var later = 0
        /// The estimate of `before` for all learners; nil if all learners were compared.
        public var estimatedBefore: Estimate?
        /// The estimate of `after` for all learners; nil if all learners were compared.
        public var estimatedAfter: Estimate?

        /// Creates a value, for previews and tests.
        public init(id: String) { self.id = id }

        private enum CodingKeys: OmittableKey {
            case id, before, after, won, lost, moreTiers, fewerTiers, earlier, later, estimatedBefore, estimatedAfter

            var isOmittedIfNil: Bool { true }
        }
    }
}

extension DifferenceSummary: Codable {
    private enum CodingKeys: CodingKey {
        case changes, compared, population
        /// The confidence level, the method, and the estimates for all learners.
        case sample
        /// The effect on all compared learners together.
        case summary
    }

    private enum SampleKeys: CodingKey {
        case confidence, method
    }

    private enum RestKeys: OmittableKey {
        case cefrHigher, cefrLower, flagged, achievements

        var isOmittedIfNil: Bool { self == .flagged }
    }

    private static let counts: [(name: String, path: any WritableKeyPath<DifferenceSummary, Int> & Sendable)] = [
        ("gain", \.gain), ("lose", \.lose), ("both", \.both), ("onlyDates", \.onlyDates), ("noChange", \.noChange),
    ]

    private static let numbers: [(name: String, path: any WritableKeyPath<DifferenceSummary, Change> & Sendable)] = [
        ("level", \.level), ("xp", \.xp), ("currentStreak", \.currentStreak), ("longestStreak", \.longestStreak),
        ("wordsLearned", \.wordsLearned),
    ]

    /// Adds the estimates for all learners if only a sample was compared.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(changes, forKey: .changes)
        try container.encode(compared, forKey: .compared)
        try container.encode(population, forKey: .population)
        if isSample { try encodeSample(to: container.superEncoder(forKey: .sample)) }
        let encoder = container.superEncoder(forKey: .summary)
        var summary = encoder.container(keyedBy: AnyKey.self)
        for (name, path) in Self.counts { try summary.encode(self[keyPath: path], forKey: AnyKey(name)) }
        for (name, path) in Self.numbers { try summary.encode(self[keyPath: path], forKey: AnyKey(name)) }
        var rest = encoder.container(keyedBy: RestKeys.self)
        try rest.encode(cefrHigher, forKey: .cefrHigher)
        try rest.encode(cefrLower, forKey: .cefrLower)
        try rest.encodeIfPresent(flagged, forKey: .flagged)
        try rest.encode(achievements, forKey: .achievements)
    }

    private func encodeSample(to encoder: any Encoder) throws {
        var sample = encoder.container(keyedBy: SampleKeys.self)
        try sample.encode(Estimate.confidence, forKey: .confidence)
        try sample.encode(Estimate.method, forKey: .method)
        var estimates = encoder.container(keyedBy: AnyKey.self)
        for (name, path) in Self.counts { try estimates.encode(estimate(self[keyPath: path]), forKey: AnyKey(name)) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        changes = try container.decode([RulesChange].self, forKey: .changes)
        compared = try container.decode(Int.self, forKey: .compared)
        population = try container.decode(Int.self, forKey: .population)
        let summary = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .summary)
        for (name, path) in Self.counts { self[keyPath: path] = try summary.decode(Int.self, forKey: AnyKey(name)) }
        for (name, path) in Self.numbers {
            self[keyPath: path] = try summary.decode(Change.self, forKey: AnyKey(name))
        }
        let rest = try container.nestedContainer(keyedBy: RestKeys.self, forKey: .summary)
        cefrHigher = try rest.decode(Int.self, forKey: .cefrHigher)
        cefrLower = try rest.decode(Int.self, forKey: .cefrLower)
        flagged = try rest.decodeIfPresent(Flagged.self, forKey: .flagged)
        achievements = try rest.decode([Holders].self, forKey: .achievements)
    }
}

extension DifferenceSummary.Change: Codable {
    private enum CodingKeys: CodingKey {
        case median, medianOfChanged, largestGain, largestLoss, gains, losses, sumBefore, sumAfter
        /// The lower end of the median's 95 % interval; nil for small samples.
        case medianLow
        /// The upper end of the median's 95 % interval; nil for small samples.
        case medianHigh
        /// The lower 95 % bound of the change of the sum; nil for small samples.
        case sumChangeLow
        /// The upper 95 % bound of the change of the sum; nil for small samples.
        case sumChangeHigh
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(median, forKey: .median)
        try container.encode(medianOfChanged, forKey: .medianOfChanged)
        try container.encode(largestGain, forKey: .largestGain)
        try container.encode(largestLoss, forKey: .largestLoss)
        try container.encode(gains, forKey: .gains)
        try container.encode(losses, forKey: .losses)
        try container.encode(sumBefore, forKey: .sumBefore)
        try container.encode(sumAfter, forKey: .sumAfter)
        guard let uncertainty else { return }
        try container.encodeIfPresent(uncertainty.median?.lowerBound, forKey: .medianLow)
        try container.encodeIfPresent(uncertainty.median?.upperBound, forKey: .medianHigh)
        try container.encodeIfPresent(uncertainty.sumChange?.lowerBound, forKey: .sumChangeLow)
        try container.encodeIfPresent(uncertainty.sumChange?.upperBound, forKey: .sumChangeHigh)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        median = try container.decode(Double.self, forKey: .median)
        medianOfChanged = try container.decode(Double.self, forKey: .medianOfChanged)
        largestGain = try container.decode(Int.self, forKey: .largestGain)
        largestLoss = try container.decode(Int.self, forKey: .largestLoss)
        gains = try container.decode(Int.self, forKey: .gains)
        losses = try container.decode(Int.self, forKey: .losses)
        sumBefore = try container.decode(Int.self, forKey: .sumBefore)
        sumAfter = try container.decode(Int.self, forKey: .sumAfter)
        guard container.contains(.medianLow) else { return }
        func range(_ low: CodingKeys, _ high: CodingKeys) throws -> ClosedRange<Double>? {
            guard let lower = try container.decodeIfPresent(Double.self, forKey: low),
                let upper = try container.decodeIfPresent(Double.self, forKey: high)
            else { return nil }
            guard lower <= upper else {
                throw DecodingError.dataCorruptedError(
                    forKey: high,
                    in: container,
                    debugDescription: "an interval ends before it begins"
                )
            }
            return lower...upper
        }
        uncertainty = DifferenceSummary.Uncertainty(
            median: try range(.medianLow, .medianHigh),
            sumChange: try range(.sumChangeLow, .sumChangeHigh)
        )
    }
}
