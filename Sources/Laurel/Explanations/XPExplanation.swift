import LaurelEvents
package import LaurelProgress
package import LaurelRules

/// Where a track's XP comes from.
package struct XPExplanation: Sendable {
    /// In the learner's order; those that XP rules apply to, that gave or took XP, or would have if they were not void.
    package var events: [ExplainedEvent]
    /// Bucket → XP, where not 0, in byte order: the sums of what is listed.
    package var buckets: [NamedNumber]
    package var total: Double
}

/// What an event brought.
package struct ExplainedEvent: Sendable {
    package var event: EventReference
    /// In the order in which it was credited; empty for void events.
    package var entries: [XPEntry]

    package var xp: Double { entries.reduce(0) { $0 + $1.amount } }
}

/// XP that an event gave, took, or might have given.
package struct XPEntry: Sendable {
    package enum Cause: Sendable {
        /// `whole` is the award's value made whole and not negative; the amount is less where the daily cap cut it.
        case rule(id: String, award: ExplainedExpression, whole: Double, dailyCap: Double?)
        /// The rule's `when` did not hold; the award is what it would have been.
        case withheld(rule: String, when: ExplainedExpression, award: ExplainedExpression)
        /// The rule's period kept it from acting; the award is what it would have been.
        case resting(rule: String, period: Period.Place, award: ExplainedExpression)
        /// `xp.adjusted`.
        case adjustment(reason: String?)
        /// `xp.declared`: the amount is what the track lacked of the total.
        case declaration(total: Double)
        /// Tiers count from 1; the language is that of an achievement per language.
        case unlocked(achievement: String, tiers: ClosedRange<Int>, language: String?)
        /// The rewards of so many tiers are taken back.
        case revoked(achievement: String, tiers: Int, language: String?)
    }

    package var cause: Cause
    package var bucket: String
    package var amount: Double
}

/// Which of a learner's XP is to be explained.
package struct XPSelection: Sendable {
    /// nil for the overall track.
    package var language: String?
    /// Events of this local day only.
    package var day: LocalDay?
    /// Events that carry this session only.
    package var session: String?

    package init(language: String? = nil, day: LocalDay? = nil, session: String? = nil) {
        self.language = language
        self.day = day
        self.session = session
    }
}
