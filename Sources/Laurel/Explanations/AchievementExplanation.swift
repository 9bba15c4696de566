package import LaurelProgress
package import LaurelRules

/// How an achievement was unlocked, or what it still takes.
package struct AchievementExplanation: Sendable {
    /// Another achievement that must be fully unlocked first.
    package struct Requirement: Sendable {
        package var id: String
        package var name: String
        package var tier: Int
        package var tiers: Int
    }

    package var rule: AchievementRule
    /// Where in the rule's period the instant's local day lies.
    package var period: Period.Place
    /// nil in the overall track.
    package var language: String?
    package var standing: AchievementStanding
    package var requires: [Requirement]
    /// In the learner's order.
    package var changes: [AchievementChange]
    /// The best so far, while `when` and `requires` held; nil where they never did.
    package var best: AchievementReading?
    /// When it was last looked at while locked; nil where it never was.
    package var latest: AchievementReading?
    /// Grants and revocations that corrections void.
    package var voided: [EventReference]
}

/// What an event did to an achievement.
package struct AchievementChange: Sendable {
    package enum Kind: Sendable {
        /// The value reached the thresholds of these tiers, which count from 1.
        case unlocked(ClosedRange<Int>)
        /// `achievement.granted`: the tiers that it unlocked, if any were locked.
        case granted(ClosedRange<Int>?)
        /// `achievement.revoked`: how many tiers were held.
        case revoked(Int)
    }

    package var kind: Kind
    package var event: EventReference
    /// What unlocked it; nil for grants and revocations.
    package var reading: AchievementReading?
    package var reason: String?
    /// The rewards, negative where they were taken back.
    package var xp: Double
}

/// An achievement's condition and value at an event.
package struct AchievementReading: Sendable {
    package var event: EventReference
    package var when: ExplainedExpression?
    package var value: ExplainedExpression
    /// The required ones that were not fully unlocked.
    package var missing: [String]

    package var isOpen: Bool { missing.isEmpty && when.map { $0.value == .boolean(true) } ?? true }
}
