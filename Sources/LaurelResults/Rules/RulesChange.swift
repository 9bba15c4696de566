// SPDX-License-Identifier: Apache-2.0

/// One difference between two rule sets.
public struct RulesChange: Codable, Sendable, Hashable {
    /// What of the rules it is about.
    public enum Part: String, Codable, Sendable, CaseIterable {
        /// The rules as a whole.
        case rules
        /// When days and weeks begin, and which clock counts.
        case calendar
        /// A type of event of their own.
        case eventType
        /// A count.
        case metric
        /// What keeps a streak.
        case streak
        /// What earns XP.
        case xp
        /// How much XP a level takes.
        case levels
        /// How words are scheduled and learned.
        case mastery
        /// The estimate of the CEFR level.
        case cefr
        /// An achievement.
        case achievement
        /// Their own tests.
        case tests
    }

    /// What was done to the part.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// It is new.
        case added
        /// It is gone.
        case removed
        /// A number rises.
        case raised
        /// A number falls.
        case lowered
        /// Any other difference.
        case changed
        /// Written differently, and the same in meaning.
        case reworded
        /// The same rules in another order.
        case moved
    }

    /// Which part.
    public var part: Part
    /// Of the metric, XP rule, achievement or event type.
    public var id: String?
    /// The key in the file, where it is about one.
    public var key: String?
    /// What was done to it.
    public var kind: Kind
    /// As written; nil if not set.
    public var before: String?
    /// What it says under the other rules; nil if it is gone.
    public var after: String?
    /// The same in one sentence, without a full stop.
    public var statement: String
    /// Why no learner's XP, level, streak, words, CEFR level or achievements can change by it; nil if they may.
    public var noEffect: String?

    /// Creates one, for previews and tests.
    public init(_ kind: Kind, of part: Part, statement: String) {
        (self.part, self.kind, self.statement) = (part, kind, statement)
    }
}

extension RulesChange: CustomStringConvertible {
    /// The statement, and why it has no effect if it has none.
    public var description: String { noEffect.map { "\(statement): no effect, \($0)" } ?? statement }
}
