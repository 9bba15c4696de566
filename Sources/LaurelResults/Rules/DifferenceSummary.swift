// SPDX-License-Identifier: Apache-2.0

/// All learners' differences in numbers. Where only a sample was folded, the counts are the sample's.
public struct DifferenceSummary: Sendable, Hashable {
    /// In what the two rule sets differ, in the order of a rules file.
    public var changes: [RulesChange] = []
    /// Whether any number may depend on what differs. Not in JSON: true in what was decoded.
    public var mayChangeNumbers = true
    /// How many learners were compared, and how many there are.
    public var compared = 0
    /// Learners there are; more than were compared where it is a sample.
    public var population = 0
    /// Learners for whom something rises and nothing falls, the reverse, and both.
    public var gain = 0
    /// Learners who only lose.
    public var lose = 0
    /// Learners who gain in one thing and lose in another.
    public var both = 0
    /// Learners for whom nothing differs but when achievements were unlocked.
    public var onlyDates = 0
    /// Learners of whom nothing changes.
    public var noChange = 0
    /// Of levels.
    public var level = Change()
    /// Of XP.
    public var xp = Change()
    /// Of streaks, in days.
    public var currentStreak = Change()
    /// Of the longest streaks, in days.
    public var longestStreak = Change()
    /// Of words that count as learned.
    public var wordsLearned = Change()
    /// Counted per learner and language.
    public var cefrHigher = 0
    /// Learners whose estimate falls.
    public var cefrLower = 0
    /// In the order of the new rules' file; what only the old ones have comes last.
    public var achievements: [Holders] = []

    /// Creates one, for previews and tests.
    public init() {}

    /// Whether only some learners were compared.
    public var isSample: Bool { compared < population }

    /// How many of everyone a count in the sample stands for, with its 95 % confidence interval.
    /// - Parameter count: how many of those compared.
    public func estimate(_ count: Int) -> Estimate { Estimate(count, of: compared, population: population) }

    /// How a number changes, over all languages together.
    public struct Change: Sendable, Hashable {
        /// Of all learners compared.
        public var median = 0.0
        /// Of those for whom it differs.
        public var medianOfChanged = 0.0
        /// 0 or more.
        public var largestGain = 0
        /// 0 or less.
        public var largestLoss = 0
        /// For how many it rises, and for how many it falls.
        public var gains = 0
        /// Learners who lose.
        public var losses = 0
        /// Of all that were compared.
        public var sumBefore = 0
        /// Under the other rules.
        public var sumAfter = 0
        /// How far off a sample may be; nil if everyone was compared.
        public var uncertainty: Uncertainty?

        /// Creates one, for previews and tests.
        public init() {}

        /// Learners of whom it changes.
        public var changed: Int { gains + losses }
    }

    /// 95 % confidence intervals for everyone; nil if the sample is too small for one.
    public struct Uncertainty: Sendable, Hashable {
        /// Of the median; nil if the sample is too small to say.
        public var median: ClosedRange<Double>?
        /// Of what the sum changes by.
        public var sumChange: ClosedRange<Double>?

        /// Creates one, for previews and tests.
        public init(median: ClosedRange<Double>?, sumChange: ClosedRange<Double>?) {
            (self.median, self.sumChange) = (median, sumChange)
        }
    }

    /// How many learners unlocked an achievement, in any language or over all.
    public struct Holders: Codable, Sendable, Hashable, Identifiable {
        public var id: String
        /// Learners who have it now.
        public var before = 0
        /// Learners who would have it.
        public var after = 0
        /// Learners who would win it.
        public var won = 0
        /// Learners who would lose it.
        public var lost = 0
        /// Learners who would have more tiers.
        public var moreTiers = 0
        /// Learners who would have fewer tiers.
        public var fewerTiers = 0
        /// Learners who would have had it earlier.
        public var earlier = 0
        /// Learners who would have it later.
        public var later = 0
        /// Of everyone; nil if everyone was compared.
        public var estimatedBefore: Estimate?
        /// Of all learners, under the other rules; nil if it is no sample.
        public var estimatedAfter: Estimate?

        /// Creates one, for previews and tests.
        public init(id: String) { self.id = id }

        private enum CodingKeys: OmittableKey {
            case id, before, after, won, lost, moreTiers, fewerTiers, earlier, later, estimatedBefore, estimatedAfter

            var isOmittedIfNil: Bool { true }
        }
    }
}

extension DifferenceSummary: Codable {
    private enum CodingKeys: CodingKey {
        case changes, compared, population, sample, summary
    }

    private enum SampleKeys: CodingKey {
        case confidence, method
    }

    private enum CEFRKeys: CodingKey {
        case cefrHigher, cefrLower, achievements
    }

    private static let counts: [(name: String, path: any WritableKeyPath<DifferenceSummary, Int> & Sendable)] = [
        ("gain", \.gain), ("lose", \.lose), ("both", \.both), ("onlyDates", \.onlyDates), ("noChange", \.noChange),
    ]

    private static let numbers: [(name: String, path: any WritableKeyPath<DifferenceSummary, Change> & Sendable)] = [
        ("level", \.level), ("xp", \.xp), ("currentStreak", \.currentStreak), ("longestStreak", \.longestStreak),
        ("wordsLearned", \.wordsLearned),
    ]

    /// Where a sample was compared, also what its counts stand for.
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
        var rest = encoder.container(keyedBy: CEFRKeys.self)
        try rest.encode(cefrHigher, forKey: .cefrHigher)
        try rest.encode(cefrLower, forKey: .cefrLower)
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
        let rest = try container.nestedContainer(keyedBy: CEFRKeys.self, forKey: .summary)
        cefrHigher = try rest.decode(Int.self, forKey: .cefrHigher)
        cefrLower = try rest.decode(Int.self, forKey: .cefrLower)
        achievements = try rest.decode([Holders].self, forKey: .achievements)
    }
}

extension DifferenceSummary.Change: Codable {
    private enum CodingKeys: CodingKey {
        case median, medianOfChanged, largestGain, largestLoss, gains, losses, sumBefore, sumAfter
        case medianLow, medianHigh, sumChangeLow, sumChangeHigh
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
