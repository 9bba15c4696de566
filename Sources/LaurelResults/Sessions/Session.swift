// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A practice session in numbers.
public struct Session: Codable, Sendable, Hashable, Identifiable {
    /// As its events name it; several sessions may have the same one.
    public var id: String
    /// A tag, such as `es`; nil if its events have none.
    public var language: String?
    /// When its first event was.
    public var startedAt: Date
    /// When its `session.ended` was; nil without one.
    public var endedAt: Date?
    /// As the app calls it, such as `solo`.
    public var mode: String?
    /// Your id of it; nil if no event says.
    public var scenario: String?
    /// Who took part, too; nil if no event says.
    public var partner: String?
    /// In milliseconds; nil while it has not ended.
    public var durationMs: Int?
    /// How many lines of the dialog.
    public var linesSpoken = 0
    /// Sum of the counts of `word.encountered`.
    public var wordsEncountered = 0
    /// Words that became known.
    public var newVocabulary = 0
    /// Mistakes told on their own, or the lines' own, or those of an app's statistics, whichever are the most: apps tell of a
    /// mistake in more than one way.
    public var errorsDetected = 0
    /// Mistakes that the learner corrected.
    public var errorsCorrected = 0
    /// What its events brought.
    public var xpEarned = 0
    /// Bucket → XP, where not 0, in byte order.
    public var xpBreakdown = NumbersByName()

    /// Creates one, for previews and tests.
    public init(id: String, startedAt: Date) { (self.id, self.startedAt) = (id, startedAt) }

    /// How long it took; nil while it has not ended.
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

/// A practice session with all that is known of it.
@dynamicMemberLookup
public struct SessionReport: Sendable, Hashable, Identifiable {
    /// Its numbers; in JSON they stand beside the rest.
    public var session: Session
    /// The mean of the lines that have one, 0 … 1; nil if none has.
    public var accuracy: Double?
    /// Lines of the dialog that were not spoken.
    public var linesSkipped = 0
    /// Reviews of words.
    public var reviews = 0
    /// How often a hint was asked for.
    public var hintsUsed = 0
    /// Misunderstandings that were cleared up.
    public var repairsMade = 0
    /// How often others were helped.
    public var helpGiven = 0
    /// Words that became known, in that order.
    public var newWords: [NewWord] = []
    /// What was told of mistakes outside lines, in that order.
    public var mistakes: [Mistake] = []
    /// In the order in which they were spoken or skipped.
    public var lines: [DialogLine] = []
    /// When XP last came or went.
    package var xpReachedAt: Date?

    /// Creates one, for previews and tests.
    public init(_ session: Session) { self.session = session }

    public var id: String { session.id }

    /// The session's own numbers, as if they were the report's.
    public subscript<Value>(dynamicMember member: KeyPath<Session, Value>) -> Value { session[keyPath: member] }

    /// The session's own numbers, as if they were the report's.
    public subscript<Value>(dynamicMember member: WritableKeyPath<Session, Value>) -> Value {
        get { session[keyPath: member] }
        set { session[keyPath: member] = newValue }
    }

    /// A line of the dialog.
    public struct DialogLine: Codable, Sendable, Hashable {
        /// When it was spoken or skipped.
        public var time: Date
        /// Your id of it.
        public var line: String?
        /// Whom the learner played.
        public var role: String?
        /// What was said.
        public var text: String?
        /// Of the text.
        public var translation: String?
        /// 0 … 1.
        public var accuracy: Double?
        /// How many mistakes; nil if the event does not tell.
        public var errors: Int?
        /// Whether it was skipped.
        public var isSkipped = false

        /// Creates one, for previews and tests.
        public init(time: Date) { self.time = time }

        private enum CodingKeys: String, CodingKey {
            case time, line, role, text, translation, accuracy, errors
            case isSkipped = "skipped"
        }
    }

    /// A word that became known.
    public struct NewWord: Codable, Sendable, Hashable, Identifiable {
        /// Your id of the entry.
        public var id: String
        /// As it is written; nil if no event says.
        public var text: String?
        /// Of the text; nil if no event says.
        public var translation: String?

        /// Creates one, for previews and tests.
        public init(id: String, text: String?, translation: String?) {
            (self.id, self.text, self.translation) = (id, text, translation)
        }

        private enum CodingKeys: String, CodingKey {
            case id = "word"
            case text, translation
        }
    }

    /// A mistake that was told on its own, or was put right.
    public struct Mistake: Codable, Sendable, Hashable {
        /// When it was made or corrected.
        public var time: Date
        /// As the app calls it.
        public var kind: String?
        /// What was said.
        public var original: String?
        /// What would have been right.
        public var corrected: String?
        /// Your id of the line.
        public var line: String?
        /// Whether it says that a mistake was put right, rather than made.
        public var isCorrection = false

        /// Creates one, for previews and tests.
        public init(time: Date) { self.time = time }

        private enum CodingKeys: String, CodingKey {
            case time, kind, original, corrected, line
            case isCorrection = "putRight"
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
