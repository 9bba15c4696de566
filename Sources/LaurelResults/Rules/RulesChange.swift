/// One thing in which two rule sets differ.
public struct RulesChange: Codable, Sendable, Hashable {
    /// What of the rules it is about.
    public enum Part: String, Codable, Sendable, CaseIterable {
        case rules, calendar, eventType, metric, streak, xp, levels, mastery, cefr, achievement, tests
    }

    public enum Kind: String, Codable, Sendable, CaseIterable {
        case added, removed
        case raised, lowered
        /// Any other difference.
        case changed
        /// Written differently, and the same in meaning.
        case reworded
        /// The same rules in another order.
        case moved
    }

    public var part: Part
    /// Of the metric, XP rule, achievement or event type.
    public var id: String?
    /// The key in the file, where it is about one.
    public var key: String?
    public var kind: Kind
    /// As written; nil where not set.
    public var before: String?
    public var after: String?
    /// The same in one sentence, without a full stop.
    public var statement: String
    /// Why no learner's XP, level, streak, words, CEFR level or achievements can change by it; nil where they may.
    public var noEffect: String?

    public init(_ kind: Kind, of part: Part, statement: String) {
        (self.part, self.kind, self.statement) = (part, kind, statement)
    }
}

extension RulesChange: CustomStringConvertible {
    /// The statement, and why it has no effect where it has none.
    public var description: String { noEffect.map { "\(statement): no effect, \($0)" } ?? statement }
}
