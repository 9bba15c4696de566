// SPDX-License-Identifier: Apache-2.0

/// The result of fitting FSRS's parameters to a learner's reviews.
public struct SchedulerFit: Codable, Sendable, Hashable {
    /// The outcomes of a fit.
    public enum Outcome: String, Codable, Sendable, Hashable, CaseIterable {
        /// The parameters are stored as an event `scheduler.fitted`.
        case stored
        /// The parameters are better than those in force. They were not stored, because this was a dry run.
        case checked
        /// The event with these parameters was stored before. If it was retracted, it stays without effect.
        case duplicate
        /// The evidence that fitted parameters predict later reviews better than the parameters in force is too small.
        case notBetter = "not-better"
        /// The learner has too few reviews, or too few since the last fit.
        case tooFewReviews = "too-few-reviews"
        /// The rules schedule the learner's words with SM-2, which has no parameters to fit.
        case notFSRS = "not-fsrs"
    }

    /// The learner's id.
    public var learner: String
    /// The language whose words the parameters are for; nil for all languages.
    public var language: String?
    /// The outcome.
    public var outcome: Outcome
    /// The number of reviews at least a day after the word's previous review. FSRS predicts only these reviews.
    public var reviews = 0
    /// The number of reviews on which the fit was checked: the later three quarters of those since the last fit. Each
    /// check fits parameters to earlier reviews, and takes half a step from the parameters in force towards them.
    public var checkedReviews: Int?
    /// The mean log loss of the checked reviews under the parameters in force.
    public var logLossBefore: Double?
    /// The mean log loss of the checked reviews after these half steps.
    public var logLoss: Double?
    /// The parameters w0 … w20 that fit all reviews; nil if there are too few reviews.
    public var fitted: [Double]?
    /// The new parameters w0 … w20: a step from those in force towards those that fit all reviews; nil if the evidence for a
    /// step is too small.
    public var parameters: [Double]?

    /// Creates a value, for previews and tests.
    public init(learner: String, language: String? = nil, outcome: Outcome) {
        (self.learner, self.language, self.outcome) = (learner, language, outcome)
    }
}

/// The result of fitting FSRS's parameters to the reviews of all learners.
public struct SchedulerFitReport: Codable, Sendable, Hashable {
    /// The number of learners in the store.
    public var learners = 0
    /// The number of learners with new parameters: those with the outcome `stored`, or `checked` in a dry run.
    public var fitted = 0
    /// The fits with parameters to compare, in byte order of the learners. Learners with too few reviews, or without
    /// FSRS, are left out.
    public var fits: [SchedulerFit] = []

    /// Creates an empty report.
    public init() {}
}
