// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A practice session in numbers.
public struct Session: Codable, Sendable, Hashable, Identifiable {
    /// The session's id in its events. Several sessions of a learner may have the same id.
    public var id: String
    /// The tag of its language, such as `es`; nil if its events have none.
    public var language: String?
    /// The time of its first event.
    public var startedAt: Date
    /// The time of its `session.ended`; nil if there is none.
    public var endedAt: Date?
    /// The mode as the app calls it, such as `solo`; nil if no event gives it.
    public var mode: String?
    /// The scenario's id, as your app gave it; nil if no event gives it.
    public var scenario: String?
    /// The learner's practice partner; nil if no event gives it.
    public var partner: String?
    /// The length in milliseconds from `session.ended`. If that gives none, the time since `session.started`. nil if
    /// the session has not ended, or neither is known.
    public var durationMs: Int?
    /// The number of dialog lines that were spoken.
    public var linesSpoken = 0
    /// The sum of the counts of `word.encountered`, or the count of `session.ended` if that is larger.
    public var wordsEncountered = 0
    /// The number of words that became known.
    public var newVocabulary = 0
    /// The number of detected mistakes. Apps report mistakes in up to three ways: in separate events, in the lines, and
    /// in statistics. This number is the largest of the three counts.
    public var errorsDetected = 0
    /// The number of mistakes that the learner corrected.
    public var errorsCorrected = 0
    /// The XP that the session's events gave in the overall track; negative if more was taken than given.
    public var xpEarned = 0
    /// The XP of each bucket, without zeros, in byte order of the buckets.
    public var xpBreakdown = NumbersByName()

    /// Creates a value, for previews and tests.
    public init(id: String, startedAt: Date) { (self.id, self.startedAt) = (id, startedAt) }

    /// The length; nil if the session has not ended, or no event gives its length.
    public var duration: Duration? { durationMs.map { .milliseconds($0) } }

    private enum CodingKeys: String, CodingKey {
        case id = "sessionId"
        case language, startedAt, endedAt, mode
        case scenario = "scenarioId"
        case partner, durationMs, linesSpoken, wordsEncountered, newVocabulary, errorsDetected, errorsCorrected,
            xpEarned
        case xpBreakdown
    }
}

/// A practice session in detail.
@dynamicMemberLookup
public struct SessionReport: Sendable, Hashable, Identifiable {
    /// The session's numbers. In JSON they are members of this object.
    public var session: Session
    /// The mean accuracy of the lines that have an accuracy, 0 … 1; nil if no line has one.
    public var accuracy: Double?
    /// The number of dialog lines that were skipped.
    public var linesSkipped = 0
    /// The number of reviews, including repeated reviews of a word.
    public var reviews = 0
    /// The number of hints that the learner asked for.
    public var hintsUsed = 0
    /// The number of misunderstandings that were cleared up.
    public var repairsMade = 0
    /// The number of times that the learner helped others.
    public var helpGiven = 0
    /// The words that became known, in the order of the events.
    public var newWords: [NewWord] = []
    /// The mistakes and corrections reported in separate events, in the order of the events.
    public var mistakes: [Mistake] = []
    /// The lines of the dialog, in the order in which they were spoken or skipped.
    public var lines: [DialogLine] = []
    /// The time when the session's XP last changed; nil if it never did.
    package var xpReachedAt: Date?

    /// Creates a value, for previews and tests.
    public init(_ session: Session) { self.session = session }

    public var id: String { session.id }

    /// The numbers of the session.
    public subscript<Value>(dynamicMember member: KeyPath<Session, Value>) -> Value { session[keyPath: member] }

    /// The numbers of the session.
    public subscript<Value>(dynamicMember member: WritableKeyPath<Session, Value>) -> Value {
        get { session[keyPath: member] }
        set { session[keyPath: member] = newValue }
    }

    /// A line of the dialog.
    public struct DialogLine: Codable, Sendable, Hashable {
        /// The time when the line was spoken or skipped.
        public var time: Date
        /// The line's id, as your app gave it; nil if no event gives it.
        public var line: String?
        /// The role that the learner played; nil if no event gives it.
        public var role: String?
        /// The text of the line; nil if no event gives it.
        public var text: String?
        /// The translation of the text; nil if no event gives it.
        public var translation: String?
        /// The accuracy with which the line was spoken, 0 … 1; nil if the event does not give it.
        public var accuracy: Double?
        /// The number of mistakes in the line; nil if the event does not give it.
        public var errors: Int?
        /// True if the line was skipped.
        public var isSkipped = false

        /// Creates a value, for previews and tests.
        public init(time: Date) { self.time = time }

        private enum CodingKeys: String, CodingKey {
            case time, line, role, text, translation, accuracy, errors
            case isSkipped = "skipped"
        }
    }

    /// A word that became known.
    public struct NewWord: Codable, Sendable, Hashable, Identifiable {
        /// The word's id, as your app gave it.
        public var id: String
        /// The spelling of the word; nil if the event does not give it.
        public var text: String?
        /// The translation of the word; nil if the event does not give it.
        public var translation: String?

        /// Creates a value, for previews and tests.
        public init(id: String, text: String?, translation: String?) {
            (self.id, self.text, self.translation) = (id, text, translation)
        }

        private enum CodingKeys: String, CodingKey {
            case id = "word"
            case text, translation
        }
    }

    /// A mistake, or the correction of one.
    public struct Mistake: Codable, Sendable, Hashable {
        /// The time when the mistake was detected or corrected.
        public var time: Date
        /// The kind of mistake, as the app calls it; nil if the event does not give it.
        public var kind: String?
        /// The learner's own words; nil if the event does not give them.
        public var original: String?
        /// The correct words; nil if the event does not give them.
        public var corrected: String?
        /// The id of the line, as your app gave it; nil if the event does not give it.
        public var line: String?
        /// True if this is a correction, not the mistake itself.
        public var isCorrection = false

        /// Creates a value, for previews and tests.
        public init(time: Date) { self.time = time }

        private enum CodingKeys: String, CodingKey {
            case time, kind, original, corrected, line
            case isCorrection = "correction"
        }
    }
}

extension SessionReport: Codable {
    private enum CodingKeys: CodingKey {
        case accuracy, linesSkipped, reviews, hintsUsed, repairsMade, helpGiven, newWords, mistakes, lines
    }

    public func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(accuracy, forKey: .accuracy)
        try container.encode(linesSkipped, forKey: .linesSkipped)
        try container.encode(reviews, forKey: .reviews)
        try container.encode(hintsUsed, forKey: .hintsUsed)
        try container.encode(repairsMade, forKey: .repairsMade)
        try container.encode(helpGiven, forKey: .helpGiven)
        try container.encode(newWords, forKey: .newWords)
        try container.encode(mistakes, forKey: .mistakes)
        try container.encode(lines, forKey: .lines)
    }

    public init(from decoder: any Decoder) throws {
        self.init(try Session(from: decoder))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accuracy = try container.decodeIfPresent(Double.self, forKey: .accuracy)
        linesSkipped = try container.decode(Int.self, forKey: .linesSkipped)
        reviews = try container.decode(Int.self, forKey: .reviews)
        hintsUsed = try container.decode(Int.self, forKey: .hintsUsed)
        repairsMade = try container.decode(Int.self, forKey: .repairsMade)
        helpGiven = try container.decode(Int.self, forKey: .helpGiven)
        newWords = try container.decode([NewWord].self, forKey: .newWords)
        mistakes = try container.decode([Mistake].self, forKey: .mistakes)
        lines = try container.decode([DialogLine].self, forKey: .lines)
    }
}
