// SPDX-License-Identifier: Apache-2.0

/// A difference between two rule sets.
public struct RulesChange: Codable, Sendable, Hashable {
    /// The part of the rules that differs.
    public enum Part: String, Codable, Sendable, CaseIterable {
        /// The rules file as a whole.
        case rules
        /// The calendar: the start of days and weeks, and the default time zone.
        case calendar
        /// A declared event type.
        case eventType
        /// An experiment.
        case experiment
        /// A season.
        case season
        /// A metric.
        case metric
        /// The streak.
        case streak
        /// An XP rule.
        case xp
        /// A currency.
        case currency
        /// An award of a currency.
        case award
        /// An item.
        case item
        /// A goal.
        case goal
        /// The rules for a kind of groups.
        case group
        /// A league.
        case league
        /// The levels.
        case levels
        /// The scheduling of words, and the mastery at which they count as learned.
        case mastery
        /// The CEFR estimate.
        case cefr
        /// An achievement.
        case achievement
        /// The limits of what a person can do.
        case plausible
        /// The tests in the file.
        case tests
    }

    /// The ways in which a part can differ.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Only the new rules have the part.
        case added
        /// Only the old rules have the part.
        case removed
        /// A number is larger.
        case raised
        /// A number is smaller.
        case lowered
        /// The part differs in another way.
        case changed
        /// The part is written differently, with the same meaning.
        case reworded
        /// The same rules are in another order.
        case moved
    }

    /// The part that differs.
    public var part: Part
    /// The id or name of the metric, XP rule, achievement or event type; nil for other parts.
    public var id: String?
    /// The key in the file that differs; nil if the change is about the part as a whole.
    public var key: String?
    /// The way in which the part differs.
    public var kind: Kind
    /// The old value as written; nil if it was not set.
    public var before: String?
    /// The new value as written; nil if it is not set.
    public var after: String?
    /// The change in one sentence, without a full stop.
    public var statement: String
    /// The reason why the change affects no learner's XP, level, streak, words, CEFR level or achievements; nil if it
    /// may.
    public var noEffect: String?

    /// Creates a value, for previews and tests.
    public init(_ kind: Kind, of part: Part, statement: String) {
        (self.part, self.kind, self.statement) = (part, kind, statement)
    }
}

extension RulesChange: CustomStringConvertible {
    /// The statement, followed by the reason if the change has no effect.
    public var description: String { noEffect.map { "\(statement): no effect, \($0)" } ?? statement }
}
